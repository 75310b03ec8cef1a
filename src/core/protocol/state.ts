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

/** What the panel shows, small enough for `setState`: a reference to a spec and the user's changes, no arrays. */
export const panelStateSchema = v.object({
  version: v.literal(1),
  encoding: v.pipe(v.string(), v.check(isEncodingId)),
  /** The config this panel is bound to, and which of its encodings. */
  config: v.nullable(v.object({ uri: v.string(), index: v.pipe(v.number(), v.integer(), v.minValue(0)) })),
  /** The user's own changes, over the config's values or the defaults. */
  changes: v.record(v.string(), paramValue),
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
  content: v.union([v.literal("ones"), v.object({ seed: v.pipe(v.number(), v.integer()) })]),
  colour: v.object({
    scale: v.picklist(["linear", "log", "row"]),
    domain: v.nullable(v.tuple([finite, finite])),
  }),
  /** First cell and cells shown, in cells; fractions while zooming. */
  viewport: v.nullable(v.object({ row: finite, column: finite, rows: finite, columns: finite })),
  crosshair: v.nullable(v.object({ row: v.pipe(v.number(), v.integer()), column: v.pipe(v.number(), v.integer()) })),
  /** Terms switched off in the Terms view. */
  hiddenTerms: v.array(v.string()),
  /** What is chosen in the charts. */
  picked: v.optional(
    v.partial(v.object({ pair: count, distance: v.pipe(v.number(), v.safeInteger()), patch: count, target: count })),
    {},
  ),
  /** The Example view's tokens. */
  tokens: v.array(v.string()),
  /** Their order after shuffling: indices into `tokens`; empty: as typed. */
  order: v.optional(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), []),
});

export type PanelState = v.InferOutput<typeof panelStateSchema>;

/** A fresh panel on an encoding, or on one of a config. */
export function initialPanelState(encoding: EncodingId): PanelState {
  return {
    version: 1,
    encoding,
    config: null,
    changes: {},
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
    content: "ones",
    colour: { scale: "linear", domain: null },
    viewport: null,
    crosshair: null,
    hiddenTerms: [],
    picked: {},
    tokens: ["I", "like", "apples"],
    order: [],
  };
}
