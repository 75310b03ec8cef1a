import * as v from "valibot";
import { PLAN_METHODS } from "../config/planner/plan.ts";
import { PLAN_FORMATS } from "../config/planner/planText.ts";
import { boundConfigSchema, viewRequests } from "./messages.ts";
import { countSchema, languageSchema, rangeSchema } from "./schemas.ts";

/** Version of the side view's messages; increased when one of them changes. */
export const SIDE_PROTOCOL_VERSION = 1;

const specSchema = boundConfigSchema.entries.specs.item;

/** In a notebook, the cell that contains the range. */
const cellSchema = v.exactOptional(v.object({ uri: v.string(), number: countSchema }));

const sideFindingSchema = v.object({
  /** Id of the rule; empty if there is none. */
  rule: v.string(),
  severity: v.picklist(["error", "warning", "info"]),
  message: v.string(),
  range: rangeSchema,
  cell: cellSchema,
  /** The rule is described on the page of rules. */
  explained: v.boolean(),
});
export type SideFinding = v.InferOutput<typeof sideFindingSchema>;

/** How runtimes read one encoding, with texts in the current language. */
const runtimeTableSchema = v.object({
  /** Index among `specs`. */
  spec: countSchema,
  columns: v.array(v.object({ name: v.string(), version: v.string() })),
  rows: v.array(
    v.object({
      name: v.string(),
      /** One per column. */
      cells: v.array(
        v.object({
          outcome: v.picklist(["value", "ignored", "refused", "unknown"]),
          value: v.nullable(v.union([v.number(), v.string(), v.boolean()])),
          differs: v.boolean(),
          note: v.nullable(v.string()),
        }),
      ),
    }),
  ),
});
export type SideRuntimeTable = v.InferOutput<typeof runtimeTableSchema>;

const configSubjectSchema = v.object({
  kind: v.literal("config"),
  uri: v.string(),
  /** "gemma-3-4b / config.json" */
  title: v.string(),
  /** The model in one line. */
  summary: v.string(),
  /** The document's version when it was read. */
  version: v.number(),
  specs: v.array(specSchema),
  findings: v.array(sideFindingSchema),
  /** Number of rules that were checked. */
  rules: countSchema,
  runtimes: v.array(runtimeTableSchema),
});
export type ConfigSubject = v.InferOutput<typeof configSubjectSchema>;

const codeSubjectSchema = v.object({
  kind: v.literal("code"),
  /** For a notebook cell, the notebook's. */
  uri: v.string(),
  /** "model.py" */
  title: v.string(),
  /** "RoPE — inverse frequencies" */
  heading: v.string(),
  summary: v.string(),
  spec: specSchema,
  /** Id of the compiled formula, and its plain text. */
  formula: v.nullable(v.object({ id: v.string(), text: v.string() })),
  facts: v.array(v.object({ label: v.string(), value: v.string(), note: v.exactOptional(v.string()) })),
  /** Range of the explained code. */
  range: rangeSchema,
  cell: cellSchema,
  /** Whether the cursor is on the code, or it is the nearest. */
  at: v.picklist(["cursor", "nearest"]),
  /** All encodings of the file. */
  sites: v.array(v.object({ name: v.string(), title: v.string(), range: rangeSchema, cell: cellSchema })),
  findings: v.array(sideFindingSchema),
});
export type CodeSubject = v.InferOutput<typeof codeSubjectSchema>;

const subjectSchema = v.variant("kind", [configSubjectSchema, codeSubjectSchema]);
export type SideSubject = v.InferOutput<typeof subjectSchema>;

const sideDisplaySchema = v.object({
  subject: v.nullable(subjectSchema),
  /** Whether the active editor shows the subject; if not, it is the last one shown. */
  current: v.boolean(),
  /** Why the file cannot be read at the moment; the subject is then its last readable state. */
  problem: v.nullable(v.string()),
});
export type SideDisplay = v.InferOutput<typeof sideDisplaySchema>;

/** Host → page. */
export const hostToSideSchema = v.variant("type", [
  /** `language` repeats the message of that name, which may be lost while a page loads. */
  v.object({ type: v.literal("show"), language: v.exactOptional(languageSchema), ...sideDisplaySchema.entries }),
  v.object({ type: v.literal("language"), language: languageSchema }),
  /** Opens the planner and focuses it. */
  v.object({ type: v.literal("plan") }),
]);
export type HostToSide = v.InferOutput<typeof hostToSideSchema>;

/** Commands that the page may run by name, without arguments. */
export const SIDE_COMMANDS = ["previewEncoding", "previewConfig", "scanModels"] as const;

/** Page → host. Messages refer only to the subject shown, so the page cannot open other files. */
export const sideToHostSchema = v.variant("type", [
  v.object({ type: v.literal("reveal"), range: rangeSchema, cell: v.exactOptional(v.string()) }),
  /** `planned`: values to compare with those of the file. */
  v.object({
    type: v.literal("openPanel"),
    index: countSchema,
    planned: v.exactOptional(viewRequests.writeBack.argument.entries.wanted),
  }),
  /** Two readings of one encoding side by side: as declared (null), or as a runtime in its `runs` computes it. */
  v.object({
    type: v.literal("compareRuns"),
    index: countSchema,
    a: v.nullable(v.string()),
    b: v.nullable(v.string()),
  }),
  v.object({ type: v.literal("openRule"), rule: v.string() }),
  v.object({ type: v.literal("run"), command: v.picklist(SIDE_COMMANDS) }),
  v.object({ type: v.literal("log"), level: v.picklist(["info", "warn", "error"]), message: v.string() }),
]);
export type SideToHost = v.InferOutput<typeof sideToHostSchema>;

/** Requests of the page, answered by the host. */
export const sideRequests = {
  /** First request of every page. */
  ready: {
    argument: v.object({ protocol: v.number() }),
    /** `plan`: the planner was requested before the page existed. */
    answer: v.object({
      protocol: v.number(),
      language: languageSchema,
      plan: v.boolean(),
      ...sideDisplaySchema.entries,
    }),
  },
  /** For the current subject only. */
  writeBack: viewRequests.writeBack,
  copyText: viewRequests.copyText,
} as const;
export type SideCalls = {
  readonly [Name in keyof typeof sideRequests]: (
    argument: v.InferOutput<(typeof sideRequests)[Name]["argument"]>,
  ) => Promise<v.InferOutput<(typeof sideRequests)[Name]["answer"]>>;
};

const lengthSchema = v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(1)));
const planStateSchema = v.object({
  /** Training context set by hand, for the file of the state; null: as in the config. */
  trained: lengthSchema,
  target: lengthSchema,
  method: v.picklist(PLAN_METHODS),
  format: v.picklist(PLAN_FORMATS),
});
export type PlanState = v.InferOutput<typeof planStateSchema>;

const INITIAL_PLAN: PlanState = { trained: null, target: null, method: "yarn", format: "transformers-5" };

/** State that the page keeps with `setState`. */
export const sideStateSchema = v.object({
  version: v.literal(1),
  /** The file that `chosen` refers to. */
  uri: v.nullable(v.string()),
  /** Index of the encoding shown. */
  chosen: countSchema,
  /** Names of the sections that the user opened or closed. */
  toggled: v.array(v.string()),
  plan: v.optional(planStateSchema, INITIAL_PLAN),
});
export type SideState = v.InferOutput<typeof sideStateSchema>;

export const INITIAL_SIDE_STATE: SideState = { version: 1, uri: null, chosen: 0, toggled: [], plan: INITIAL_PLAN };
