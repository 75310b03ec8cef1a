import { describe, expect, test } from "vitest";
import {
  biasByDistance,
  computePrecision,
  firstErrorAbove,
  roundedBias,
} from "../../../../webview/views/precision/computePrecision.ts";
import { resolvedEncoding, square } from "../../support/resolvedEncoding.ts";

describe("the precision data", () => {
  test("rounds slope, distance and product of ALiBi's bias", () => {
    const alibi = resolvedEncoding("alibi", { ...square(4096), head: 2 });
    expect(biasByDistance(alibi)?.(1000)).toBe(125);
    expect(roundedBias(alibi, "bfloat16")(1001)).toBe(125);
    expect(computePrecision(alibi, 0)?.rows.map(({ collision }) => collision)).toEqual([null, null, 2049, 257]);
  });

  test("has errors that grow with position and with coarser formats", () => {
    const model = computePrecision(resolvedEncoding("rope", square(100_000)), 0);
    if (model === null) throw new Error("nothing turns");
    expect(firstErrorAbove(model.lines.phase, "bfloat16", 0.1)).toBeLessThan(
      firstErrorAbove(model.lines.phase, "float16", 0.1) ?? 0,
    );
    expect(firstErrorAbove(model.lines.phase, "float64", 1e-6)).toBeNull();
    const worst = model.lines.position.find(({ format }) => format === "bfloat16")?.points.at(-1)?.[1];
    // Between 2^16 and 2^17 bfloat16 has every 512th position.
    expect(worst).toBe(256);
  });

  test("follows the last row for FIRE, which depends on the query", () => {
    const fire = resolvedEncoding("fire", square(64));
    const [bias] = fire.attention.terms.filter((term) => term.kind === "bias");
    expect(biasByDistance(fire)?.(10)).toBe(bias?.value(63, 53));
    expect(biasByDistance(resolvedEncoding("t5_bias"))).toBeNull();
  });
});
