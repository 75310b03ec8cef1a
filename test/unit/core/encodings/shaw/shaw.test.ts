import { describe, expect, test } from "vitest";
import { shaw } from "../../../../../src/core/encodings/shaw/shaw.ts";
import { requireParams } from "../../../../../src/core/encodings/support/schema.ts";
import { randomContent } from "../../../../../src/core/terms/content.ts";
import { indexRange } from "../../../../../src/core/terms/engine.ts";
import { dotProduct, evaluateRow } from "../../../../../src/core/terms/linear.ts";
import type { Scene } from "../../../../../src/core/terms/scene.ts";
import { computeLogits, expectClose, randomScene } from "../../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

describe("Shaw's encoding", () => {
  test("adds the vectors of the clipped distance in q · r and k · r", () => {
    const own = scene({ content: randomContent(11) });
    const table = indexRange(0, 5).map((r) => indexRange(0, 3).map((c) => Math.sin(3 * r + c)));
    const params = {
      num_heads: 1,
      head_dim: 3,
      max_relative_position: 2,
      position_embeddings_type: "relative_key_query",
    };
    const values = computeLogits(shaw, params, { ...own, inputs: { relative_keys: table } });
    const row = (which: "q" | "k", n: number) => evaluateRow(own.content.rows(which, 0, 3), n);
    const expected = indexRange(0, TOKENS * TOKENS).map((n) => {
      const i = Math.floor(n / TOKENS);
      const j = n % TOKENS;
      const r = table[Math.min(Math.max(j - i, -2), 2) + 2] ?? [];
      return (
        (dotProduct(row("q", i), row("k", j)) + dotProduct(r, row("q", i)) + dotProduct(r, row("k", j))) / Math.sqrt(3)
      );
    });
    expectClose(values, expected);
  });

  test("adds the vector of the distance to the values", () => {
    const values = shaw.valueTerm?.(requireParams(shaw, { max_relative_position: 2 }), scene());
    expect(values?.index.of === "delta" && [values.index.at(5), values.index.at(1), values.index.at(-9)]).toEqual([
      0, 1, 4,
    ]);
    expect(
      shaw.valueTerm?.(
        requireParams(shaw, { left_max_position_embeddings: 3, position_embeddings_type: "relative_key" }),
        scene(),
      ),
    ).toBeUndefined();
  });
});
