import * as v from "valibot";
import { isEncodingId } from "../encodings/index.ts";
import type { EncodingSpec, ParamValue } from "../spec.ts";
import { panelStateSchema } from "./state.ts";

/** Raised when a message changes shape; a restored page of another version asks for a reload. */
export const PROTOCOL_VERSION = 1;

const position = v.object({ line: v.number(), column: v.number() });
const paramValue: v.GenericSchema<unknown, ParamValue> = v.union([
  v.number(),
  v.string(),
  v.boolean(),
  v.null(),
  v.array(v.number()),
  v.array(v.string()),
]);

const specSchema: v.GenericSchema<unknown, EncodingSpec> = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  where: v.string(),
  layers: v.union([v.literal("all"), v.array(v.number())]),
  params: v.record(v.string(), paramValue),
  sources: v.record(v.string(), v.picklist(["config", "code", "default", "derived", "guess", "you"])),
  evidence: v.array(
    v.object({
      param: v.string(),
      path: v.array(v.union([v.string(), v.number()])),
      range: v.object({ start: position, end: position }),
      note: v.exactOptional(v.string()),
    }),
  ),
  confidence: v.picklist(["checked", "automatic", "guess"]),
});

const findingSchema = v.object({
  rule: v.string(),
  severity: v.picklist(["error", "warning", "info"]),
  message: v.string(),
  range: v.object({ start: position, end: position }),
});
export type Finding = v.InferOutput<typeof findingSchema>;

/** A config of the workspace as the panel needs it. */
export const boundConfigSchema = v.object({
  uri: v.string(),
  /** "Qwen2.5-7B / config.json" */
  title: v.string(),
  /** The document's version when it was read. */
  version: v.number(),
  specs: v.array(specSchema),
  /** What the rules report of it, with the severities that hold there. */
  findings: v.exactOptional(v.array(findingSchema)),
  /** How many rules were asked. */
  rules: v.exactOptional(v.number()),
});
export type BoundConfig = v.InferOutput<typeof boundConfigSchema>;

const language = v.picklist(["en", "zh-cn"]);

/** Host → page. */
export const hostToViewSchema = v.variant("type", [
  /** Show this; `config` is present exactly when `state.config` is set. */
  v.object({
    type: v.literal("show"),
    state: panelStateSchema,
    config: v.nullable(boundConfigSchema),
    /** The config of the compared side, if it has one of its own. */
    compared: v.exactOptional(v.nullable(boundConfigSchema)),
  }),
  /** The compared side's config was read, or cannot be read: why. */
  v.object({ type: v.literal("compared"), config: v.nullable(boundConfigSchema), problem: v.nullable(v.string()) }),
  /** The bound config was read anew. */
  v.object({ type: v.literal("config"), config: boundConfigSchema }),
  /** The bound config cannot be read now (null: it can again): keep the last picture and show the message. */
  v.object({ type: v.literal("configProblem"), message: v.nullable(v.string()) }),
  v.object({ type: v.literal("language"), language }),
]);
export type HostToView = v.InferOutput<typeof hostToViewSchema>;

/** Page → host. */
export const viewToHostSchema = v.variant("type", [
  /** The page's state changed: title of the panel, later sharing. */
  v.object({ type: v.literal("state"), state: panelStateSchema }),
  v.object({
    type: v.literal("openConfig"),
    uri: v.string(),
    range: v.nullable(v.object({ start: position, end: position })),
  }),
  v.object({ type: v.literal("log"), level: v.picklist(["info", "warn", "error"]), message: v.string() }),
]);
export type ViewToHost = v.InferOutput<typeof viewToHostSchema>;

/** Requests of the page, answered by the host. Names → [argument, answer]. */
export const viewRequests = {
  /** First call of every page. `saved` is what the page kept with setState. */
  ready: {
    argument: v.object({ protocol: v.number(), saved: v.nullable(panelStateSchema) }),
    answer: v.object({
      protocol: v.number(),
      language,
      state: v.nullable(panelStateSchema),
      config: v.nullable(boundConfigSchema),
      /** Why the bound config cannot be read now, as in `configProblem`. */
      problem: v.nullable(v.string()),
      compared: v.exactOptional(v.nullable(boundConfigSchema)),
      /** Why the compared side's config cannot be read now. */
      comparedProblem: v.exactOptional(v.nullable(v.string())),
    }),
  },
  /** Lets the user choose a config to compare with; null when they do not. */
  pickConfig: {
    argument: v.object({}),
    answer: v.object({ config: v.nullable(boundConfigSchema) }),
    untimed: true,
  },
  /** Ask where to save, and write; false when the user cancels. */
  save: {
    argument: v.object({ name: v.string(), data: v.union([v.string(), v.instance(Uint8Array)]) }),
    answer: v.object({ saved: v.boolean() }),
    untimed: true,
  },
  /** Edits the bound config so that it says these parameters; refused when it is not at that version any more. */
  writeBack: {
    argument: v.object({
      uri: v.string(),
      index: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      version: v.number(),
      wanted: v.record(v.string(), paramValue),
    }),
    answer: v.object({
      written: v.boolean(),
      left: v.array(v.object({ param: v.string(), reason: v.string() })),
    }),
  },
  /** Lets the user choose a tensor for a learned array; null when they do not. */
  pickWeights: {
    argument: v.object({ encoding: v.string(), params: v.record(v.string(), paramValue) }),
    answer: v.object({
      picked: v.nullable(v.object({ uri: v.string(), tensor: v.string(), params: v.record(v.string(), paramValue) })),
    }),
    untimed: true,
  },
  /** The numbers of that tensor and of those that belong to it, row-major. */
  readWeights: {
    argument: v.object({
      encoding: v.string(),
      uri: v.string(),
      tensor: v.string(),
      params: v.record(v.string(), paramValue),
    }),
    answer: v.object({
      title: v.string(),
      arrays: v.array(
        v.object({
          input: v.string(),
          shape: v.pipe(v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(1))), v.minLength(1), v.maxLength(3)),
          values: v.instance(Float64Array),
        }),
      ),
    }),
    untimed: true,
  },
  /** Lets the user choose a checkpoint whose tokens are the content; null when they do not. */
  pickContent: {
    argument: v.object({}),
    answer: v.object({ uri: v.nullable(v.string()) }),
    untimed: true,
  },
  /** Queries and keys of one head for some tokens, [tokens][head_dim], row-major. */
  readContent: {
    argument: v.object({
      uri: v.string(),
      ids: v.pipe(v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0))), v.maxLength(256)),
      head: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      headDim: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    }),
    answer: v.object({ title: v.string(), q: v.instance(Float64Array), k: v.instance(Float64Array) }),
    untimed: true,
  },
  /** The link to a state, which refers to no file. */
  shareLink: {
    argument: v.object({ state: panelStateSchema }),
    answer: v.object({ link: v.string() }),
  },
  /** Puts text on the clipboard of the person's own machine. */
  copyText: {
    argument: v.object({ text: v.pipe(v.string(), v.maxLength(16_000_000)) }),
    answer: v.object({}),
  },
} as const;

export type ViewRequests = {
  [K in keyof typeof viewRequests]: {
    argument: v.InferOutput<(typeof viewRequests)[K]["argument"]>;
    answer: v.InferOutput<(typeof viewRequests)[K]["answer"]>;
  };
};
