import type { Rotation } from "../../src/core/encodings/rope/rotation.ts";
import type { Scene } from "../../src/core/terms/scene.ts";
import type { Factor } from "../../src/core/terms/term.ts";
import { buildGoldenScene, nestFactorRows } from "./attention.ts";
import type { GoldenCase } from "./case.ts";

/**
 * Cosines or sines at every position, as the golden files have them: [f|f] if the case contains vectors, else one
 * column per frequency.
 */
export function listCosSinRows(rotation: Rotation, count: number, which: "cos" | "sin", doubled: boolean): number[][] {
  const cos = new Float64Array(rotation.pairs);
  const sin = new Float64Array(rotation.pairs);
  return Array.from({ length: count }, (_, index) => {
    rotation.write(index, cos, sin);
    const row = Array.from(which === "cos" ? cos : sin);
    return doubled ? [...row, ...row] : row;
  });
}

/** Rotated rows of every head, [heads][positions][head_dim]. */
export function rotateHeads(
  golden: GoldenCase,
  rotate: (rows: Factor, scene: Scene) => Factor,
  which: "q" | "k",
): number[][][] {
  const list = golden.inputs[which];
  const heads = Array.isArray(list) ? list.length : 0;
  return Array.from({ length: heads }, (_, head) => {
    const scene = buildGoldenScene(golden, head);
    const count = which === "q" ? scene.queryLength : scene.keyLength;
    return nestFactorRows(rotate(scene.content.rows(which, head, 0), scene), count);
  });
}
