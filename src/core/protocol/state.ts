import * as v from "valibot";
import { encodingById, isEncodingId } from "../encodings/index.ts";
import { LESSON_STEP_IDS } from "../learn/stepIds.ts";
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

/**
 * Limits of the panel's own fields, which a saved state and a link must keep too: they may come from anyone, and what a
 * page draws costs time and memory by them.
 */
export const MAX_SEQUENCE_LENGTH = 10_000_000;
export const MAX_SEED = 2 ** 31;
/** Words of the content, which fill the sequence. */
export const MAX_WORDS = 64;
export const MAX_WORD_LENGTH = 100;
/** Absolute value of a component that the user enters for a token of the Example view. */
export const MAX_VECTOR_COMPONENT = 1000;
/** No encoding has as many parameters, terms or views. */
const MAX_ENTRIES = 200;
/** Numbers of a list such as `long_factor`, which has one per pair of dimensions. */
const MAX_LIST_LENGTH = 4096;
const MAX_TEXT_LENGTH = 8000;

const lengthSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_SEQUENCE_LENGTH));
const positionSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SEQUENCE_LENGTH));
/** A row or column, which may be a position plus a shift. */
const cellSchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 * MAX_SEQUENCE_LENGTH));
/** While zooming and panning, a viewport is fractional and may lie partly outside. */
const edgeSchema = v.pipe(
  v.number(),
  v.finite(),
  v.minValue(-2 * MAX_SEQUENCE_LENGTH),
  v.maxValue(2 * MAX_SEQUENCE_LENGTH),
);
const spanSchema = v.pipe(v.number(), v.gtValue(0), v.maxValue(2 * MAX_SEQUENCE_LENGTH));
const componentSchema = v.pipe(v.number(), v.minValue(-MAX_VECTOR_COMPONENT), v.maxValue(MAX_VECTOR_COMPONENT));
const finiteSchema = v.pipe(v.number(), v.finite());
const textSchema = v.pipe(v.string(), v.maxLength(MAX_TEXT_LENGTH));

const valueSchema = v.pipe(
  paramValueSchema,
  v.check((value) => (typeof value === "string" || Array.isArray(value) ? value.length : 0) <= MAX_LIST_LENGTH),
);

function recordSchema<T extends v.GenericSchema>(value: T) {
  return v.pipe(
    v.record(textSchema, value),
    v.check((entries) => Object.keys(entries).length <= MAX_ENTRIES),
  );
}

/** Earlier versions let more words be entered; the first ones are kept. */
function firstSchema<T>(item: v.GenericSchema<unknown, T>, limit: number) {
  return v.pipe(
    v.array(item),
    v.transform((list) => list.slice(0, limit)),
  );
}

const colourScaleSchema = v.picklist(["linear", "log", "row", "rowLog"]);
export type ColourScale = v.InferOutput<typeof colourScaleSchema>;
const configReferenceSchema = v.object({ uri: textSchema, index: countSchema });

const presetSchema = v.object({
  /** "Llama 3.1 8B"; null if the values have no name. */
  name: v.nullable(textSchema),
  values: recordSchema(valueSchema),
  sources: recordSchema(v.picklist(["config", "code", "default", "derived", "guess"])),
});

/** One side of a comparison: an encoding with its parameters. */
const compareSideSchema = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  config: v.nullable(configReferenceSchema),
  given: v.optional(v.nullable(presetSchema), null),
  changes: recordSchema(valueSchema),
});
export type CompareSide = v.InferOutput<typeof compareSideSchema>;
export type Preset = v.InferOutput<typeof presetSchema>;

const numberingSchema: v.GenericSchema<unknown, Numbering> = v.object({
  kind: v.picklist(["consecutive", "left_padding", "packed"]),
  padding: positionSchema,
  fromMask: v.boolean(),
  documents: v.pipe(v.array(lengthSchema), v.minLength(1), v.maxLength(64)),
});

const CONSECUTIVE_NUMBERING: Numbering = { kind: "consecutive", padding: 16, fromMask: true, documents: [128] };

/** A tensor of a checkpoint in the workspace, used as a learned array of an encoding. */
const weightsSchema = v.object({
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  uri: textSchema,
  tensor: textSchema,
});
export type WeightsReference = v.InferOutput<typeof weightsSchema>;

/** Tokens of a checkpoint in the workspace: their queries and keys in its first layer. */
const checkpointContentSchema = v.object({
  uri: textSchema,
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
  changes: recordSchema(valueSchema),
  /** Source of a learned table; null: example values. */
  weights: v.optional(v.nullable(weightsSchema), null),
  /** Side B of a comparison, drawn at the same lengths, head, content and masks. */
  compare: v.optional(v.nullable(compareSideSchema), null),
  view: v.picklist(VIEW_IDS),
  head: positionSchema,
  queryLength: lengthSchema,
  keyLength: lengthSchema,
  shift: positionSchema,
  causal: v.boolean(),
  window: v.nullable(lengthSchema),
  /** Attention within chunks of this many tokens. */
  chunk: v.optional(v.nullable(lengthSchema), null),
  /** Number of first tokens that stay visible outside the window. */
  keepFirst: v.optional(v.nullable(lengthSchema), null),
  /** A logit that joins the softmax of each row and is then dropped (gpt-oss). */
  sink: v.optional(v.nullable(finiteSchema), null),
  /** Replaces the model's own 1/√d; null: as in the model. */
  softmaxScale: v.optional(v.nullable(finiteSchema), null),
  /** Vectors of the tokens: ones, seeded, a checkpoint's, or by word for `tokens`, repeated to fill the sequence. */
  content: v.union([
    v.literal("ones"),
    v.literal("tokens"),
    v.object({ seed: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_SEED)) }),
    v.object({ checkpoint: checkpointContentSchema }),
  ]),
  colour: v.object({
    scale: colourScaleSchema,
    domain: v.nullable(v.tuple([finiteSchema, finiteSchema])),
  }),
  /** In a comparison, whether A and B share one colour range or have one each. */
  sharedColours: v.optional(v.boolean(), true),
  /** Colour scales that the user chose, by view. */
  scales: v.optional(recordSchema(colourScaleSchema), {}),
  /** First visible cell and number of visible cells; fractional while zooming. */
  viewport: v.nullable(v.object({ row: edgeSchema, column: edgeSchema, rows: spanSchema, columns: spanSchema })),
  crosshair: v.nullable(v.object({ row: cellSchema, column: cellSchema })),
  /** Terms switched off in the Terms view. */
  hiddenTerms: v.pipe(v.array(textSchema), v.maxLength(MAX_ENTRIES)),
  /** Training context set by hand; null: from the config or the defaults. */
  trained: v.optional(v.nullable(lengthSchema), null),
  /** Numbering of the positions. */
  positions: v.optional(numberingSchema, CONSECUTIVE_NUMBERING),
  /** Selections in the charts. */
  picked: v.optional(
    v.partial(
      v.object({
        pair: positionSchema,
        distance: v.pipe(
          v.number(),
          v.integer(),
          v.minValue(-2 * MAX_SEQUENCE_LENGTH),
          v.maxValue(2 * MAX_SEQUENCE_LENGTH),
        ),
        patch: positionSchema,
        target: positionSchema,
        position: cellSchema,
        layer: positionSchema,
      }),
    ),
    {},
  ),
  /** The Example view's tokens. */
  tokens: v.pipe(firstSchema(v.pipe(v.string(), v.maxLength(MAX_WORD_LENGTH)), MAX_WORDS), v.minLength(1)),
  /** Order after shuffling, as indices into `tokens`; empty: as typed. */
  order: v.optional(firstSchema(positionSchema, MAX_WORDS), []),
  /** Vectors entered by the user; null: the token's own. */
  vectors: v.optional(firstSchema(v.nullable(v.tuple([componentSchema, componentSchema])), MAX_WORDS), []),
  /** Step of the guided path that the panel shows; null: an ordinary panel. Steps of other versions are ignored. */
  lesson: v.optional(v.fallback(v.nullable(v.picklist(LESSON_STEP_IDS)), null), null),
});

export type PanelState = v.InferOutput<typeof panelStateSchema>;

/** Initial state of a panel. */
export function initialPanelState(encoding: EncodingId): PanelState {
  const scene = encodingById(encoding)?.initialScene;
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
    queryLength: scene?.tokens ?? 512,
    keyLength: scene?.tokens ?? 512,
    shift: 0,
    causal: true,
    window: null,
    chunk: null,
    keepFirst: null,
    sink: null,
    softmaxScale: null,
    content: scene?.content ?? "ones",
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
    lesson: null,
  };
}
