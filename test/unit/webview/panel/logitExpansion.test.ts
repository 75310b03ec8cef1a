import { describe, expect, it } from "vitest";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { checkParams } from "../../../../src/core/encodings/support/schema.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingId } from "../../../../src/core/spec.ts";
import { logitMatrix, readCell } from "../../../../src/core/terms/engine.ts";
import { expansionText } from "../../../../webview/panel/readout/logitExpansion.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";

/** A number as the readout writes it. */
function numberIn(text: string): number {
  const plain = text.replaceAll("\u202f", "").replaceAll("\u2212", "-").replaceAll(/[()]/g, "").trim();
  const root = /^(-?[\d.e+-]+)\/√([\d.e+-]+)$/.exec(plain);
  if (root !== null) return Number(root[1]) / Math.sqrt(Number(root[2]));
  const square = /^([\d.e+-]+)²$/.exec(plain);
  return square === null ? Number(plain) : Number(square[1]) ** 2;
}

/** "logit = a × b + c = d" → [a · b + c, d, |a · b| + |c|]. */
function computed(text: string): { sum: number; logit: number; size: number } {
  const [, terms = "", logit = ""] = text.split(" = ");
  const values = terms.split(" + ").map((term) =>
    term
      .split(" × ")
      .map(numberIn)
      .reduce((a, b) => a * b, 1),
  );
  const add = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return { sum: add(values), logit: numberIn(logit), size: add(values.map(Math.abs)) };
}

const SCENES: readonly Partial<PanelState>[] = [
  { keyLength: 12, queryLength: 12, content: { seed: 3 } },
  { keyLength: 12, queryLength: 5, content: { seed: 4 }, head: 1, causal: false },
  { keyLength: 12, queryLength: 12, shift: 3, softmaxScale: 0.25, content: "ones" },
];

/** Every encoding with its defaults, and with every choice of its parameters. */
const VARIANTS = ENCODINGS.flatMap((encoding) => [
  { id: encoding.id, changes: {} },
  ...encoding.parameters.flatMap(({ name, choices = [] }) =>
    choices.map(({ value }) => ({ id: encoding.id, changes: { [name]: value } })),
  ),
]);

function attentionOf(id: EncodingId, changes: PanelState["changes"], scene: Partial<PanelState>) {
  const model = derivePanelEncoding({ ...initialPanelState(id), ...scene, changes: { ...changes } }, null);
  return model?.resolved?.attention ?? null;
}

describe("the logit expansion", () => {
  it.each(VARIANTS)("of $id $changes gives the drawn logit", ({ id, changes }) => {
    let cells = 0;
    for (const scene of SCENES) {
      const attention = attentionOf(id, changes, scene);
      if (attention === null) continue;
      const { queryLength, keyLength } = attention;
      for (const [i, j] of [
        [0, 0],
        [queryLength - 1, 0],
        [queryLength - 1, keyLength - 1],
        [1, 3],
      ] as const) {
        const reading = readCell(attention, Math.min(i, queryLength - 1), Math.min(j, keyLength - 1));
        const { sum, logit, size } = computed(expansionText(reading));
        const drawn = logitMatrix(attention, [reading.i], [reading.j])[0] ?? Number.NaN;
        expect(Math.abs(logit - drawn)).toBeLessThanOrEqual(1e-7 * Math.abs(drawn));
        // Each number has six digits.
        expect(Math.abs(sum - drawn)).toBeLessThanOrEqual(1e-5 * size);
        cells++;
      }
    }
    expect(cells).toBeGreaterThan(0);
  });

  it("is checked with every encoding's own parameters", () => {
    expect(new Set(VARIANTS.map(({ id }) => id)).size).toBe(ENCODINGS.length);
    for (const encoding of ENCODINGS) expect(checkParams(encoding, {}).problems).toEqual([]);
  });
});
