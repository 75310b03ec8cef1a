import { describe, expect, test } from "vitest";
import type { PanelState } from "../../../../src/core/protocol/state.ts";
import { logitMatrix } from "../../../../src/core/terms/engine.ts";
import {
  computeRotation,
  largestDifference,
  rotationFraction,
} from "../../../../webview/views/rotation/computeRotation.ts";
import { resolvedEncoding } from "../../support/resolvedEncoding.ts";

const random = { content: { seed: 3 } } as const;

describe("the rotation data", () => {
  const cell = { row: 300, column: 20 };

  test("is equal in all forms and equal to the engine's product", () => {
    for (const layout of ["half", "interleaved"]) {
      const subject = resolvedEncoding("rope", { ...random, changes: { layout, head_dim: 16 } });
      const model = computeRotation(subject, cell, 2);
      if (model === null) throw new Error("no rotation");
      expect(largestDifference(Object.values(model.forms))).toBeLessThan(1e-12);
      expect(largestDifference(model.proof.map(({ value }) => value))).toBeLessThan(1e-12);
      const scale = subject.attention.terms[0]?.scale ?? 1;
      const logit = logitMatrix(subject.attention, [cell.row], [cell.column])[0] ?? Number.NaN;
      expect(model.forms.matrix * scale).toBeCloseTo(logit, 10);
      const apart = model.small.byMatrix.map((value, c) => Math.abs(value - (model.small.byElements[c] ?? Number.NaN)));
      expect(Math.max(...apart)).toBeLessThan(1e-12);
    }
  });

  test("rotates tokens by the ids of the Positions view", () => {
    const positions: PanelState["positions"] = { kind: "packed", padding: 0, fromMask: true, documents: [128, 100] };
    const given = { ...random, queryLength: 200, keyLength: 512, shift: 5, changes: { head_dim: 16 } };
    const subject = resolvedEncoding("rope", { ...given, positions });
    // Query 50 is token 362: offset 134 in the second run of 128 and 100, so offset 6 in its second document.
    const model = computeRotation(subject, { row: 50, column: 130 }, 0);
    expect(model).toMatchObject({ queryPlace: 367, keyPlace: 135, m: 6 + 5, n: 2 + 5 });
    const logit = logitMatrix(subject.attention, [50], [130])[0] ?? Number.NaN;
    expect((model?.forms.matrix ?? 0) * (subject.attention.terms[0]?.scale ?? 1)).toBeCloseTo(logit, 10);
  });

  test("becomes block-diagonal when the half layout is sorted into pairs", () => {
    const of = (layout: string) =>
      computeRotation(resolvedEncoding("rope", { ...random, changes: { layout, head_dim: 16 } }), cell, 0)?.small;
    const [half, interleaved] = [of("half"), of("interleaved")];
    expect(half?.matrix).not.toEqual(half?.permuted);
    expect(half?.permuted).toEqual(interleaved?.matrix);
    expect(interleaved?.permuted).toEqual(interleaved?.matrix);
    half?.permuted.forEach((row, r) => {
      row.forEach((value, c) => {
        if (r >> 1 !== c >> 1) expect(value).toBe(0);
      });
    });
  });

  test("takes the small head out of the real one", () => {
    const model = computeRotation(resolvedEncoding("rope", { ...random, changes: { head_dim: 16 } }), cell, 7);
    expect(model?.small.pairs).toEqual([4, 5, 6, 7]);
    expect(model?.small.q).toHaveLength(8);
  });

  test("keeps the score when both positions shift", () => {
    const at = (shift: number) => computeRotation(resolvedEncoding("rope", { ...random, shift }), cell, 0);
    expect(at(1000)?.m).toBe(1300);
    expect(at(1000)?.forms.elementwise).toBeCloseTo(at(0)?.forms.elementwise ?? Number.NaN, 9);
  });

  test("is absent for ALiBi, and counts rotations from 0 to 1", () => {
    expect(computeRotation(resolvedEncoding("alibi"), cell, 0)).toBeNull();
    expect(rotationFraction(-Math.PI / 2)).toBeCloseTo(0.75, 12);
  });
});
