import * as v from "valibot";
import { PLAN_METHODS } from "../config/planner/plan.ts";
import { PLAN_FORMATS } from "../config/planner/planText.ts";
import type { Range } from "../spec.ts";
import { boundConfigSchema, viewRequests } from "./messages.ts";

/** The side view's own conversation: raised when a message changes shape. */
export const SIDE_PROTOCOL_VERSION = 1;

const position = v.object({ line: v.number(), column: v.number() });
const range: v.GenericSchema<unknown, Range> = v.object({ start: position, end: position });
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const spec = boundConfigSchema.entries.specs.item;

/** Where the file is a notebook: the cell that a place is in. */
const cell = v.exactOptional(v.object({ uri: v.string(), number: count }));

const finding = v.object({
  /** Id of the rule; empty for what has none. */
  rule: v.string(),
  severity: v.picklist(["error", "warning", "info"]),
  message: v.string(),
  range,
  cell,
  /** The rule has an entry on the page of rules. */
  explained: v.boolean(),
});
export type SideFinding = v.InferOutput<typeof finding>;

/** What runtimes read of one encoding, in words of the current language. */
const runtimeTable = v.object({
  /** Index among `specs`. */
  spec: count,
  columns: v.array(v.object({ name: v.string(), version: v.string() })),
  rows: v.array(
    v.object({
      name: v.string(),
      /** One a column. */
      cells: v.array(
        v.object({
          fate: v.picklist(["value", "ignored", "refused", "unknown"]),
          value: v.nullable(v.union([v.number(), v.string(), v.boolean()])),
          differs: v.boolean(),
          note: v.nullable(v.string()),
        }),
      ),
    }),
  ),
});
export type SideRuntimeTable = v.InferOutput<typeof runtimeTable>;

const configSubject = v.object({
  kind: v.literal("config"),
  uri: v.string(),
  /** "gemma-3-4b / config.json" */
  title: v.string(),
  /** The model in one line. */
  summary: v.string(),
  /** The document's version when it was read. */
  version: v.number(),
  specs: v.array(spec),
  findings: v.array(finding),
  /** How many rules were asked. */
  rules: count,
  runtimes: v.array(runtimeTable),
});
export type ConfigSubject = v.InferOutput<typeof configSubject>;

const codeSubject = v.object({
  kind: v.literal("code"),
  /** Of a cell, its notebook's. */
  uri: v.string(),
  /** "model.py" */
  title: v.string(),
  /** "RoPE — inverse frequencies" */
  heading: v.string(),
  summary: v.string(),
  spec,
  /** Of the compiled formula, and the same in plain text. */
  formula: v.nullable(v.object({ id: v.string(), text: v.string() })),
  facts: v.array(v.object({ label: v.string(), value: v.string(), note: v.exactOptional(v.string()) })),
  /** What is explained. */
  range,
  cell,
  /** The cursor stands on it, or it is the one that is nearest. */
  at: v.picklist(["cursor", "nearest"]),
  /** All encodings of the file. */
  sites: v.array(v.object({ name: v.string(), title: v.string(), range, cell })),
  findings: v.array(finding),
});
export type CodeSubject = v.InferOutput<typeof codeSubject>;

const subject = v.variant("kind", [configSubject, codeSubject]);
export type SideSubject = v.InferOutput<typeof subject>;

const shown = v.object({
  subject: v.nullable(subject),
  /** The active editor shows it; else it is what was shown last. */
  current: v.boolean(),
  /** Why the file cannot be read as it is now: the subject is its last readable state. */
  problem: v.nullable(v.string()),
});
export type SideShown = v.InferOutput<typeof shown>;

const language = v.picklist(["en", "zh-cn"]);

/** Host → page. */
export const hostToSideSchema = v.variant("type", [
  /** `language`: whichever other message of it was lost while a page began. */
  v.object({ type: v.literal("show"), language: v.exactOptional(language), ...shown.entries }),
  v.object({ type: v.literal("language"), language }),
  /** The planner was asked for: open it, and put the keyboard there. */
  v.object({ type: v.literal("plan") }),
]);
export type HostToSide = v.InferOutput<typeof hostToSideSchema>;

/** Commands that the page may ask for by name, with no argument of its own. */
export const SIDE_COMMANDS = ["previewEncoding", "previewConfig", "scanModels"] as const;

/** Page → host. What it names is always the subject that it was shown: it opens no other file. */
export const sideToHostSchema = v.variant("type", [
  v.object({ type: v.literal("reveal"), range, cell: v.exactOptional(v.string()) }),
  /** `planned`: values beside which the panel shows those of the file. */
  v.object({
    type: v.literal("openPanel"),
    index: count,
    planned: v.exactOptional(viewRequests.writeBack.argument.entries.wanted),
  }),
  v.object({ type: v.literal("openRule"), rule: v.string() }),
  v.object({ type: v.literal("run"), command: v.picklist(SIDE_COMMANDS) }),
  v.object({ type: v.literal("log"), level: v.picklist(["info", "warn", "error"]), message: v.string() }),
]);
export type SideToHost = v.InferOutput<typeof sideToHostSchema>;

/** Requests of the page, answered by the host. */
export const sideRequests = {
  /** First call of every page. */
  ready: {
    argument: v.object({ protocol: v.number() }),
    /** `plan`: as the message of that name, asked for before there was a page. */
    answer: v.object({ protocol: v.number(), language, plan: v.boolean(), ...shown.entries }),
  },
  /** Of the subject only. */
  writeBack: viewRequests.writeBack,
  copyText: viewRequests.copyText,
} as const;
export type SideCalls = {
  readonly [Name in keyof typeof sideRequests]: (
    argument: v.InferOutput<(typeof sideRequests)[Name]["argument"]>,
  ) => Promise<v.InferOutput<(typeof sideRequests)[Name]["answer"]>>;
};

const length = v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(1)));
const planState = v.object({
  /** By hand, for the file of the state; null: as the config has it. */
  trained: length,
  target: length,
  method: v.picklist(PLAN_METHODS),
  format: v.picklist(PLAN_FORMATS),
});
export type PlanState = v.InferOutput<typeof planState>;

const NO_PLAN: PlanState = { trained: null, target: null, method: "yarn", format: "transformers-5" };

/** What the page keeps with `setState`. */
export const sideStateSchema = v.object({
  version: v.literal(1),
  /** The file that `chosen` is of. */
  uri: v.nullable(v.string()),
  /** Which of its encodings is shown. */
  chosen: count,
  /** Names of the sections that are folded open or shut against how they begin. */
  toggled: v.array(v.string()),
  plan: v.optional(planState, NO_PLAN),
});
export type SideState = v.InferOutput<typeof sideStateSchema>;

export const INITIAL_SIDE_STATE: SideState = { version: 1, uri: null, chosen: 0, toggled: [], plan: NO_PLAN };
