import { expect, test } from "vitest";
import { fire } from "../../../../src/core/encodings/fire.ts";
import type { Scene } from "../../../../src/core/terms/scene.ts";
import { computeLogits, largestDifference, randomScene } from "../../support/scenes.ts";

const TOKENS = 9;

const scene = (change: Partial<Scene> = {}) => randomScene(TOKENS, 3, change);

test("FIRE depends on the position of the query as well as on the distance", () => {
  expect(
    largestDifference(computeLogits(fire, {}, scene({ shift: 5000 })), computeLogits(fire, {}, scene())),
  ).toBeGreaterThan(0.01);
});
