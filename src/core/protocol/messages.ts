import * as v from "valibot";
import { isEncodingId } from "../encodings/index.ts";
import type { EncodingSpec } from "../spec.ts";
import { languageSchema, paramValueSchema, rangeSchema } from "./schemas.ts";
import { panelStateSchema } from "./state.ts";

/** Increased when a message changes; a restored page of another version asks for a reload. */
export const PROTOCOL_VERSION = 1;

const specSchema: v.GenericSchema<unknown, EncodingSpec> = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  where: v.string(),
  layers: v.union([v.literal("all"), v.array(v.number())]),
  params: v.record(v.string(), paramValueSchema),
  sources: v.record(v.string(), v.picklist(["config", "code", "default", "derived", "guess", "you"])),
  evidence: v.array(
    v.object({
      param: v.string(),
      path: v.array(v.union([v.string(), v.number()])),
      range: rangeSchema,
      note: v.exactOptional(v.string()),
    }),
  ),
  confidence: v.picklist(["checked", "automatic", "guess"]),
  runs: v.exactOptional(v.record(v.string(), v.record(v.string(), paramValueSchema))),
});

const panelFindingSchema = v.object({
  rule: v.string(),
  severity: v.picklist(["error", "warning", "info"]),
  message: v.string(),
  range: rangeSchema,
});
export type PanelFinding = v.InferOutput<typeof panelFindingSchema>;

/** A config of the workspace, as sent to the panel. */
export const boundConfigSchema = v.object({
  uri: v.string(),
  /** "Qwen2.5-7B / config.json" */
  title: v.string(),
  /** The document's version when it was read. */
  version: v.number(),
  specs: v.array(specSchema),
  /** Findings of the rules, with the configured severities. */
  findings: v.exactOptional(v.array(panelFindingSchema)),
  /** Number of rules that were checked. */
  rules: v.exactOptional(v.number()),
});
export type BoundConfig = v.InferOutput<typeof boundConfigSchema>;

/** Host → page. */
export const hostToViewSchema = v.variant("type", [
  /** Shows a state; `config` is present exactly if `state.config` is set. */
  v.object({
    type: v.literal("show"),
    state: panelStateSchema,
    config: v.nullable(boundConfigSchema),
    /** The config of the compared side, if it has one of its own. */
    compared: v.exactOptional(v.nullable(boundConfigSchema)),
  }),
  /** The compared side's config was read, or the reason why it cannot be read. */
  v.object({ type: v.literal("compared"), config: v.nullable(boundConfigSchema), problem: v.nullable(v.string()) }),
  /** The bound config was read again. */
  v.object({ type: v.literal("config"), config: boundConfigSchema }),
  /**
   * The bound config cannot be read at the moment (null: it can again). The page keeps its last picture and shows the
   * message.
   */
  v.object({ type: v.literal("configProblem"), message: v.nullable(v.string()) }),
  v.object({ type: v.literal("language"), language: languageSchema }),
]);
export type HostToView = v.InferOutput<typeof hostToViewSchema>;

/** Page → host. */
export const viewToHostSchema = v.variant("type", [
  /** The page's state changed; the host needs it for the panel's title and for sharing. */
  v.object({ type: v.literal("state"), state: panelStateSchema }),
  v.object({
    type: v.literal("openConfig"),
    uri: v.string(),
    range: v.nullable(rangeSchema),
  }),
  v.object({ type: v.literal("log"), level: v.picklist(["info", "warn", "error"]), message: v.string() }),
]);
export type ViewToHost = v.InferOutput<typeof viewToHostSchema>;

/** Requests of the page, answered by the host. Names → [argument, answer]. */
export const viewRequests = {
  /** First request of every page. `saved` is the state that the page kept with setState. */
  ready: {
    argument: v.object({ protocol: v.number(), saved: v.nullable(panelStateSchema) }),
    answer: v.object({
      protocol: v.number(),
      language: languageSchema,
      state: v.nullable(panelStateSchema),
      config: v.nullable(boundConfigSchema),
      /** Why the bound config cannot be read at the moment, as in `configProblem`. */
      problem: v.nullable(v.string()),
      compared: v.exactOptional(v.nullable(boundConfigSchema)),
      /** Why the compared side's config cannot be read at the moment. */
      comparedProblem: v.exactOptional(v.nullable(v.string())),
    }),
  },
  /** Lets the user choose a config to compare with; null if they cancel. */
  pickConfig: {
    argument: v.object({}),
    answer: v.object({ config: v.nullable(boundConfigSchema) }),
    untimed: true,
  },
  /** Asks where to save and writes the file; `saved` is false if the user cancels. */
  save: {
    argument: v.object({ name: v.string(), data: v.union([v.string(), v.instance(Uint8Array)]) }),
    answer: v.object({ saved: v.boolean() }),
    untimed: true,
  },
  /** Writes these parameters back to the bound config; refused if the file has another version by now. */
  writeBack: {
    argument: v.object({
      uri: v.string(),
      index: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
      version: v.number(),
      wanted: v.record(v.string(), paramValueSchema),
    }),
    answer: v.object({
      written: v.boolean(),
      left: v.array(v.object({ param: v.string(), reason: v.string() })),
    }),
  },
  /** Lets the user choose a tensor for a learned array; null if they cancel. */
  pickWeights: {
    argument: v.object({ encoding: v.string(), params: v.record(v.string(), paramValueSchema) }),
    answer: v.object({
      picked: v.nullable(
        v.object({ uri: v.string(), tensor: v.string(), params: v.record(v.string(), paramValueSchema) }),
      ),
    }),
    untimed: true,
  },
  /** Values of that tensor and of those that belong to it, row-major. */
  readWeights: {
    argument: v.object({
      encoding: v.string(),
      uri: v.string(),
      tensor: v.string(),
      params: v.record(v.string(), paramValueSchema),
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
  /** Lets the user choose a checkpoint whose tokens become the content; null if they cancel. */
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
  /** The link to a state; it refers to no file. */
  shareLink: {
    argument: v.object({ state: panelStateSchema }),
    answer: v.object({ link: v.string() }),
  },
  /** Copies text to the clipboard of the user's machine. */
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
