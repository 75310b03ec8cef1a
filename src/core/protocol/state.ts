import * as v from "valibot";
import { isEncodingId } from "../encodings/index.ts";
import type { EncodingId, ParamValue } from "../spec.ts";

/** The panel's views. A view that makes no sense for an encoding says why. */
export const VIEW_IDS = [
  "table",
  "scores",
  "attention",
  "bias",
  "terms",
  "curves",
  "frequencies",
  "rotation",
  "buckets",
  "grid",
  "extrapolation",
  "layers",
  "precision",
  "positions",
  "example",
] as const;
export type ViewId = (typeof VIEW_IDS)[number];

const paramValue: v.GenericSchema<unknown, ParamValue> = v.union([
  v.number(),
  v.string(),
  v.boolean(),
  v.null(),
  v.array(v.number()),
  v.array(v.string()),
]);

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const finite = v.pipe(v.number(), v.finite());

const colourScale = v.picklist(["linear", "log", "row", "rowLog"]);
export type ColourScale = v.InferOutput<typeof colourScale>;
const configRef = v.object({ uri: v.string(), index: count });

const givenSchema = v.object({
  /** "Llama 3.1 8B"; null where the values have no name of their own. */
  name: v.nullable(v.string()),
  values: v.record(v.string(), paramValue),
  sources: v.record(v.string(), v.picklist(["config", "code", "default", "derived", "guess"])),
});

/** An encoding with its parameters, as the panel's own side is. */
const sideSchema = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  config: v.nullable(configRef),
  given: v.optional(v.nullable(givenSchema), null),
  changes: v.record(v.string(), paramValue),
});
export type Side = v.InferOutput<typeof sideSchema>;
export type Given = v.InferOutput<typeof givenSchema>;

/** How the tokens of a call are numbered. */
const positionSchema = v.object({
  kind: v.picklist(["consecutive", "left_padding", "packed"]),
  /** Tokens of padding before the text. */
  padding: count,
  /** Padded: counted from the attention mask, as `cumsum(mask) − 1`; else by index. */
  fromMask: v.boolean(),
  /** Packed: lengths of the documents, again and again until the sequence is full. */
  documents: v.pipe(v.array(positive), v.minLength(1), v.maxLength(64)),
});
export type PositionScheme = v.InferOutput<typeof positionSchema>;

const CONSECUTIVE: PositionScheme = { kind: "consecutive", padding: 16, fromMask: true, documents: [128] };

/** A tensor of a checkpoint of the workspace, as a learned array of an encoding. */
const weightsSchema = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  uri: v.string(),
  tensor: v.string(),
});
export type Weights = v.InferOutput<typeof weightsSchema>;

/** Tokens of a checkpoint of the workspace: their queries and keys in its first layer. */
const checkpointContentSchema = v.object({
  uri: v.string(),
  ids: v.pipe(v.array(count), v.minLength(1), v.maxLength(256)),
});
export type CheckpointContent = v.InferOutput<typeof checkpointContentSchema>;

/** What the panel shows, small enough for `setState`: a reference to a spec and the user's changes, no arrays. */
export const panelStateSchema = v.object({
  version: v.literal(1),
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  /** The config this panel is bound to, and which of its encodings. */
  config: v.nullable(configRef),
  /** Values that came with a link or a known model's name, over the defaults; a reset returns to them. */
  given: v.optional(v.nullable(givenSchema), null),
  /** The user's own changes, over the config's values, those given, or the defaults. */
  changes: v.record(v.string(), paramValue),
  /** Where the numbers of a learned table come from; null: example values. */
  weights: v.optional(v.nullable(weightsSchema), null),
  /** Side B of a comparison, drawn at the same lengths, head, content and masks. */
  compare: v.optional(v.nullable(sideSchema), null),
  view: v.picklist(VIEW_IDS),
  head: v.pipe(v.number(), v.integer(), v.minValue(0)),
  queryLength: v.pipe(v.number(), v.integer(), v.minValue(1)),
  keyLength: v.pipe(v.number(), v.integer(), v.minValue(1)),
  shift: v.pipe(v.number(), v.integer()),
  causal: v.boolean(),
  window: v.nullable(positive),
  /** Attention within chunks of this many tokens. */
  chunk: v.optional(v.nullable(positive), null),
  /** First tokens that stay visible behind the window. */
  keepFirst: v.optional(v.nullable(positive), null),
  /** A logit that joins each row's softmax and is dropped (gpt-oss). */
  sink: v.optional(v.nullable(finite), null),
  /** In place of the model's own 1/√d; null: as the model has it. */
  softmaxScale: v.optional(v.nullable(finite), null),
  /** Vectors of the tokens: ones, seeded, or by word for the tokens below, again and again. */
  content: v.union([
    v.literal("ones"),
    v.literal("tokens"),
    v.object({ seed: v.pipe(v.number(), v.integer()) }),
    v.object({ checkpoint: checkpointContentSchema }),
  ]),
  colour: v.object({
    scale: colourScale,
    domain: v.nullable(v.tuple([finite, finite])),
  }),
  /** In a comparison, A and B span their colours over the numbers of both; else each over its own. */
  sharedColours: v.optional(v.boolean(), true),
  /** Scales that the user chose, by view: each view begins with its own. */
  scales: v.optional(v.record(v.string(), colourScale), {}),
  /** First cell and cells shown, in cells; fractions while zooming. */
  viewport: v.nullable(v.object({ row: finite, column: finite, rows: finite, columns: finite })),
  crosshair: v.nullable(v.object({ row: v.pipe(v.number(), v.integer()), column: v.pipe(v.number(), v.integer()) })),
  /** Terms switched off in the Terms view. */
  hiddenTerms: v.array(v.string()),
  /** Longest text of the training, by hand; null: as the config or the defaults have it. */
  trained: v.optional(v.nullable(positive), null),
  /** Which position each token has. */
  positions: v.optional(positionSchema, CONSECUTIVE),
  /** What is chosen in the charts. */
  picked: v.optional(
    v.partial(
      v.object({
        pair: count,
        distance: v.pipe(v.number(), v.safeInteger()),
        patch: count,
        target: count,
        position: count,
        layer: count,
      }),
    ),
    {},
  ),
  /** The Example view's tokens. */
  tokens: v.array(v.string()),
  /** Their order after shuffling: indices into `tokens`; empty: as typed. */
  order: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), []),
  /** Their vectors, where a person wrote others than the example's; null: by the token. */
  vectors: v.optional(v.array(v.nullable(v.tuple([finite, finite]))), []),
});

export type PanelState = v.InferOutput<typeof panelStateSchema>;

/** A fresh panel on an encoding, or on one of a config. */
export function initialPanelState(encoding: EncodingId): PanelState {
  return {
    version: 1,
    encoding,
    config: null,
    given: null,
    changes: {},
    weights: null,
    compare: null,
    view: "scores",
    head: 0,
    queryLength: 512,
    keyLength: 512,
    shift: 0,
    causal: true,
    window: null,
    chunk: null,
    keepFirst: null,
    sink: null,
    softmaxScale: null,
    content: "ones",
    colour: { scale: "linear", domain: null },
    sharedColours: true,
    scales: {},
    viewport: null,
    crosshair: null,
    hiddenTerms: [],
    trained: null,
    positions: CONSECUTIVE,
    picked: {},
    tokens: ["I", "like", "apples"],
    order: [],
    vectors: [],
  };
}
