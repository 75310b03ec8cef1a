import { describe, expect, test } from "vitest";
import { buildAttention } from "../../../../src/core/encodings/buildAttention.ts";
import { encodingById } from "../../../../src/core/encodings/index.ts";
import { requireParams } from "../../../../src/core/encodings/support/schema.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingId, Params } from "../../../../src/core/spec.ts";
import { randomContent } from "../../../../src/core/terms/content.ts";
import { collectRowStatistics, indexRange, logitMatrix } from "../../../../src/core/terms/engine.ts";
import {
  countPositionIds,
  isRenumbered,
  locateInDocument,
  type Numbering,
  numberingMask,
  positionId,
} from "../../../../src/core/terms/numbering.ts";
import { visibleKeys } from "../../../../src/core/terms/region.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import type { Attention } from "../../../../src/core/terms/term.ts";
import { normaliserStream } from "../../../../webview/engine/normaliserStreams.ts";
import { sampleAxis } from "../../../../webview/engine/sampledGrid.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";

const numbering = (change: Partial<Numbering>): Numbering => ({ ...initialPanelState("rope").positions, ...change });
const PADDED = numbering({ kind: "left_padding", padding: 3 });
const PACKED = numbering({ kind: "packed", documents: [3, 2] });

const ids = (of: Numbering, count: number) => Array.from({ length: count }, (_, n) => positionId(of, n));

describe("position ids", () => {
  test("of padded text are cumsum(mask) − 1 with 0 for padding, and the indices if the mask is ignored", () => {
    expect(ids(PADDED, 7)).toEqual([0, 0, 0, 0, 1, 2, 3]);
    expect(ids({ ...PADDED, fromMask: false }, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(isRenumbered({ ...PADDED, fromMask: false })).toBe(false);
    expect(countPositionIds(PADDED, 7)).toBe(4);
  });

  test("of packed documents restart at each, with repeated lengths", () => {
    expect(ids(PACKED, 9)).toEqual([0, 1, 2, 0, 1, 0, 1, 2, 0]);
    expect(Array.from({ length: 9 }, (_, n) => locateInDocument(PACKED, n).document)).toEqual([
      0, 0, 0, 1, 1, 2, 2, 2, 3,
    ]);
    expect(countPositionIds(PACKED, 9)).toBe(3);
  });
});

describe("the mask of numbered positions", () => {
  const seen = (of: Numbering, i: number) =>
    visibleKeys({ mask: { causal: true, ...numberingMask(of) }, queryLength: 9, keyLength: 9 }, i);

  test("hides padding from every query, even as kept first tokens", () => {
    expect(seen(PADDED, 6)).toEqual([{ from: 3, to: 7 }]);
    expect(seen(PADDED, 1)).toEqual([]);
    const mask = { causal: true, window: 2, keepFirst: 4, ...numberingMask(PADDED) };
    expect(visibleKeys({ mask, queryLength: 9, keyLength: 9 }, 8)).toEqual([
      { from: 3, to: 4 },
      { from: 7, to: 9 },
    ]);
  });

  test("lets each document attend to itself only", () => {
    expect(seen(PACKED, 4)).toEqual([{ from: 3, to: 5 }]);
    expect(seen(PACKED, 7)).toEqual([{ from: 5, to: 8 }]);
    expect(visibleKeys({ mask: numberingMask(PACKED), queryLength: 9, keyLength: 9 }, 3)).toEqual([{ from: 3, to: 5 }]);
  });
});

function logits(id: EncodingId, params: Params, change: Partial<Scene>, rows: number[], columns: number[]) {
  const encoding = knownEncoding(id);
  const scene: Scene = {
    queryLength: 16,
    keyLength: 16,
    shift: 0,
    head: 0,
    centre: 0,
    content: randomContent(3),
    inputs: {},
    ...change,
  };
  return logitMatrix(buildAttention(encoding, requireParams(encoding, params), scene, {}), rows, columns);
}

describe("row normalisers with padding and documents", () => {
  const attentionWith = (of: Numbering): Attention => ({
    queryLength: 3000,
    keyLength: 3000,
    deltaOffset: 0,
    mask: { causal: true, ...numberingMask(of) },
    terms: [
      {
        kind: "bias",
        id: "bias",
        role: "position_position",
        name: { en: "bias", zh: "偏置" },
        scale: 1,
        profile: (delta) => Math.cos(delta / 9),
        value: (i, j) => Math.cos((i - j) / 9),
      },
    ],
  });

  test.each([
    ["padding", numbering({ kind: "left_padding", padding: 700 }), 699],
    ["documents", numbering({ kind: "packed", documents: [800, 30] }), 798],
  ] as const)("equal those of the float64 engine: %s", (_name, of, first) => {
    const attention = attentionWith(of);
    const rows = sampleAxis(first, 4, 3000, 4);
    const stream = normaliserStream(attention, rows);
    let step = stream.next();
    while (step.done !== true) step = stream.next();
    step.value.values.forEach((value, k) => {
      const { max, sum } = collectRowStatistics(attention, first + k);
      expect(value).toEqual(sum === 0 ? Number.NEGATIVE_INFINITY : expect.closeTo(max + Math.log(sum), 10));
    });
  });

  test("are −Infinity for rows of padding", () => {
    const attention = attentionWith(numbering({ kind: "left_padding", padding: 700 }));
    const stream = normaliserStream(attention, sampleAxis(10, 4, 3000, 4));
    let step = stream.next();
    while (step.done !== true) step = stream.next();
    expect([...step.value.values]).toEqual(new Array(4).fill(Number.NEGATIVE_INFINITY));
  });
});

describe("encodings with position ids", () => {
  const ENCODINGS: readonly (readonly [EncodingId, Params])[] = [
    ["rope", {}],
    ["rope", { layout: "interleaved", rope_type: "linear", factor: 2 }],
    ["xpos", {}],
    ["sinusoidal", {}],
    ["learned_absolute", {}],
    ["alibi", { variant: "bloom" }],
    ["alibi", { variant: "falcon" }],
  ];

  test.each(ENCODINGS)("give %s %o the same logits for padded ids as for explicit ones", (id, params) => {
    const encoding = encodingById(id);
    expect(encoding?.takesPositionIds?.(requireParams(encoding, params))).toBe(true);
    // Content by token, position by id: token n at its id is what shifting a one-token scene to that id gives.
    const numbered = logits(id, params, { numbering: PADDED }, indexRange(0, 16), indexRange(0, 16));
    const all = indexRange(3, 16);
    const shifted = logits(id, params, { shift: -3 }, all, all);
    const own = all.flatMap((i) => all.map((j) => numbered[i * 16 + j] ?? Number.NaN));
    own.forEach((value, n) => {
      expect(value).toBeCloseTo(shifted[n] ?? Number.NaN, 9);
    });
  });

  test("give the same RoPE for given and for numbered position ids", () => {
    const position_ids = ids(PACKED, 16);
    const all = indexRange(0, 16);
    const given = logits("rope", {}, { inputs: { position_ids } }, all, all);
    expect([...logits("rope", {}, { numbering: PACKED }, all, all)]).toEqual([...given]);
  });

  test("exclude axial RoPE and relative biases", () => {
    for (const [id, params] of [
      ["rope", { rope_type: "axial" }],
      ["alibi", {}],
      ["t5_bias", {}],
    ] as const) {
      const encoding = encodingById(id);
      expect(encoding?.takesPositionIds?.({ ...params }) ?? false, id).toBe(false);
    }
  });
});

describe("a panel with its own position ids", () => {
  const drawable = (change: Partial<PanelState>) => {
    const made = derivePanelEncoding({ ...initialPanelState("learned_absolute"), ...change }, null)?.resolved;
    if (made === null || made === undefined) throw new Error("cannot be drawn");
    return made;
  };

  test("packs more tokens into a table than it has rows, and hides other documents", () => {
    const size = { keyLength: 2048, queryLength: 2048 };
    expect(drawable(size).scene.keyLength).toBe(512);
    const packed = drawable({ ...size, positions: numbering({ kind: "packed", documents: [128] }) });
    expect(packed.scene.keyLength).toBe(2048);
    expect(packed.attention.mask.documents).toEqual([128]);
    expect(logitMatrix(packed.attention, [2047], [2000]).every(Number.isFinite)).toBe(true);
    const long = drawable({ ...size, positions: numbering({ kind: "packed", documents: [600] }) });
    expect(long.scene.keyLength).toBe(512);
  });

  test("still shows table rows by position", () => {
    const rope = (change: Partial<PanelState>) =>
      derivePanelEncoding({ ...initialPanelState("rope"), ...change }, null)?.resolved;
    const row = (change: Partial<PanelState>) => {
      const out = new Float64Array(128);
      rope(change)?.table?.rows.write(200, out, 0);
      return [...out];
    };
    expect(row({ positions: PACKED })).toEqual(row({}));
  });

  test("has padding in the mask of every encoding, and in the ids of those that use them", () => {
    const padded = { positions: PADDED };
    expect(drawable(padded).scene.numbering).toEqual(PADDED);
    const alibi = derivePanelEncoding({ ...initialPanelState("alibi"), ...padded }, null)?.resolved;
    expect(alibi?.scene.numbering).toBeUndefined();
    expect(alibi?.attention.mask.padding).toBe(3);
  });
});
