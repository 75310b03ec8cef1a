import { describe, expect, test } from "vitest";
import type { EncodingSpec, Params } from "../../../../src/core/spec.ts";
import { buildLayerStacks, formatRanges, hasDifferentValues } from "../../../../webview/views/layers/layerStacks.ts";

describe("the layer data", () => {
  const spec = (layers: EncodingSpec["layers"], params: Params): EncodingSpec => {
    return { encoding: "rope", where: "text", layers, params, sources: {}, evidence: [], confidence: "checked" };
  };

  test("has base, window and factor of each encoding that has them", () => {
    const specs = [
      spec([0, 2], { rope_theta: 10_000, sliding_window: 512, num_layers: 4 }),
      spec([1], { rope_theta: 1e6, factor: 8, num_layers: 4 }),
    ];
    const [stack] = buildLayerStacks(specs);
    expect(stack?.layers.map(({ base, window, factor, kind, spec: of }) => [base, window, factor, kind, of])).toEqual([
      [10_000, 512, null, "sliding", 0],
      [1e6, null, 8, "full", 1],
      [10_000, 512, null, "sliding", 0],
      [null, null, null, "none", null],
    ]);
  });

  test("is listed in runs, and omits a chart of equal values", () => {
    expect(formatRanges([0, 1, 2, 5, 7, 8])).toBe("0 … 2, 5, 7 … 8");
    expect([hasDifferentValues([1, 1, null]), hasDifferentValues([1, 2]), hasDifferentValues([null])]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
