import * as v from "valibot";
import { isEncodingId } from "../encodings/index.ts";
import type { EncodingId } from "../spec.ts";
import type { Numbering } from "../terms/numbering.ts";
import { countSchema, paramValueSchema } from "./schemas.ts";

/** The panel's views. A view that does not apply to an encoding says why. */
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

const positiveSchema = v.pipe(v.number(), v.integer(), v.minValue(1));
const finiteSchema = v.pipe(v.number(), v.finite());

const colourScaleSchema = v.picklist(["linear", "log", "row", "rowLog"]);
export type ColourScale = v.InferOutput<typeof colourScaleSchema>;
const configReferenceSchema = v.object({ uri: v.string(), index: countSchema });

const presetSchema = v.object({
  /** "Llama 3.1 8B"; null if the values have no name. */
  name: v.nullable(v.string()),
  values: v.record(v.string(), paramValueSchema),
  sources: v.record(v.string(), v.picklist(["config", "code", "default", "derived", "guess"])),
});

/** One side of a comparison: an encoding with its parameters. */
const compareSideSchema = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  config: v.nullable(configReferenceSchema),
  given: v.optional(v.nullable(presetSchema), null),
  changes: v.record(v.string(), paramValueSchema),
});
export type CompareSide = v.InferOutput<typeof compareSideSchema>;
export type Preset = v.InferOutput<typeof presetSchema>;

const numberingSchema: v.GenericSchema<unknown, Numbering> = v.object({
  kind: v.picklist(["consecutive", "left_padding", "packed"]),
  padding: countSchema,
  fromMask: v.boolean(),
  documents: v.pipe(v.array(positiveSchema), v.minLength(1), v.maxLength(64)),
});

const CONSECUTIVE_NUMBERING: Numbering = { kind: "consecutive", padding: 16, fromMask: true, documents: [128] };

/** A tensor of a checkpoint in the workspace, used as a learned array of an encoding. */
const weightsSchema = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  uri: v.string(),
  tensor: v.string(),
});
export type WeightsReference = v.InferOutput<typeof weightsSchema>;

/** Tokens of a checkpoint in the workspace: their queries and keys in its first layer. */
const checkpointContentSchema = v.object({
  uri: v.string(),
  ids: v.pipe(v.array(countSchema), v.minLength(1), v.maxLength(256)),
});
export type CheckpointContent = v.InferOutput<typeof checkpointContentSchema>;

/** State of the panel, small enough for `setState`: references and the user's changes, no arrays. */
export const panelStateSchema = v.object({
  version: v.literal(1),
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  /** The config this panel is bound to, and which of its encodings. */
  config: v.nullable(configReferenceSchema),
  /**
   * Values from a link or a known model, on top of the defaults; a reset returns to them. Saved states and links depend
   * on this key.
   */
  given: v.optional(v.nullable(presetSchema), null),
  /** The user's own changes, on top of the values of the config, the preset or the defaults. */
  changes: v.record(v.string(), paramValueSchema),
  /** Source of a learned table; null: example values. */
  weights: v.optional(v.nullable(weightsSchema), null),
  /** Side B of a comparison, drawn at the same lengths, head, content and masks. */
  compare: v.optional(v.nullable(compareSideSchema), null),
  view: v.picklist(VIEW_IDS),
  head: v.pipe(v.number(), v.integer(), v.minValue(0)),
  queryLength: v.pipe(v.number(), v.integer(), v.minValue(1)),
  keyLength: v.pipe(v.number(), v.integer(), v.minValue(1)),
  shift: v.pipe(v.number(), v.integer()),
  causal: v.boolean(),
  window: v.nullable(positiveSchema),
  /** Attention within chunks of this many tokens. */
  chunk: v.optional(v.nullable(positiveSchema), null),
  /** Number of first tokens that stay visible outside the window. */
  keepFirst: v.optional(v.nullable(positiveSchema), null),
  /** A logit that joins the softmax of each row and is then dropped (gpt-oss). */
  sink: v.optional(v.nullable(finiteSchema), null),
  /** Replaces the model's own 1/√d; null: as in the model. */
  softmaxScale: v.optional(v.nullable(finiteSchema), null),
  /** Vectors of the tokens: ones, seeded, a checkpoint's, or by word for `tokens`, repeated to fill the sequence. */
  content: v.union([
    v.literal("ones"),
    v.literal("tokens"),
    v.object({ seed: v.pipe(v.number(), v.integer()) }),
    v.object({ checkpoint: checkpointContentSchema }),
  ]),
  colour: v.object({
    scale: colourScaleSchema,
    domain: v.nullable(v.tuple([finiteSchema, finiteSchema])),
  }),
  /** In a comparison, whether A and B share one colour range or have one each. */
  sharedColours: v.optional(v.boolean(), true),
  /** Colour scales that the user chose, by view. */
  scales: v.optional(v.record(v.string(), colourScaleSchema), {}),
  /** First visible cell and number of visible cells; fractional while zooming. */
  viewport: v.nullable(
    v.object({ row: finiteSchema, column: finiteSchema, rows: finiteSchema, columns: finiteSchema }),
  ),
  crosshair: v.nullable(v.object({ row: v.pipe(v.number(), v.integer()), column: v.pipe(v.number(), v.integer()) })),
  /** Terms switched off in the Terms view. */
  hiddenTerms: v.array(v.string()),
  /** Training context set by hand; null: from the config or the defaults. */
  trained: v.optional(v.nullable(positiveSchema), null),
  /** Numbering of the positions. */
  positions: v.optional(numberingSchema, CONSECUTIVE_NUMBERING),
  /** Selections in the charts. */
  picked: v.optional(
    v.partial(
      v.object({
        pair: countSchema,
        distance: v.pipe(v.number(), v.safeInteger()),
        patch: countSchema,
        target: countSchema,
        position: countSchema,
        layer: countSchema,
      }),
    ),
    {},
  ),
  /** The Example view's tokens. */
  tokens: v.array(v.string()),
  /** Order after shuffling, as indices into `tokens`; empty: as typed. */
  order: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), []),
  /** Vectors entered by the user; null: the token's own. */
  vectors: v.optional(v.array(v.nullable(v.tuple([finiteSchema, finiteSchema]))), []),
});

export type PanelState = v.InferOutput<typeof panelStateSchema>;

/** Initial state of a panel. */
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
    positions: CONSECUTIVE_NUMBERING,
    picked: {},
    tokens: ["I", "like", "apples"],
    order: [],
    vectors: [],
  };
}
