import { evaluateFlow, type FlowMethod } from "../../../src/core/encodings/recursive/flow.ts";
import {
  buildFlowStep,
  buildInput,
  readFirstPosition,
  readFlowNetwork,
  recursive,
  recursivePositionFactor,
} from "../../../src/core/encodings/recursive/recursive.ts";
import { getNumber } from "../../../src/core/encodings/support/schema.ts";
import { absoluteHiddenStates, absoluteValues } from "../../../src/core/terms/absolute.ts";
import type { Scene } from "../../../src/core/terms/scene.ts";
import { buildGoldenScene, computeGoldenAttention, nestFactorRows, readGoldenParams } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

/** Substeps of the golden files' reference solution, which gives the error of the coarse one. */
const FINE_SUBSTEPS = 2000;

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const params = readGoldenParams(recursive, golden);
  const { inputs } = golden;
  const count = Number(golden.params.num_positions ?? buildGoldenScene(golden, 0).keyLength);
  const integrate = (method: FlowMethod, substeps: number) =>
    nestFactorRows(recursivePositionFactor(params, inputs, buildFlowStep(params, inputs, method, substeps)), count);
  const coarse = getNumber(params, "substeps_per_position");
  const rk4 = integrate("rk4", coarse);
  const fine = integrate("rk4", FINE_SUBSTEPS);
  const errors = rk4.flatMap((row, n) => row.map((value, c) => Math.abs(value - (fine[n]?.[c] ?? 0))));
  const values = (scene: Scene) => absoluteValues(scene, buildInput(params, inputs));
  return {
    ...(inputs.w_q === undefined ? {} : computeGoldenAttention(recursive, params, golden, values)),
    positions_rk4: rk4,
    positions_rk4_38rule: integrate("rk4_38", coarse),
    positions_fine: fine,
    rk4_vs_fine_max_abs: Math.max(...errors),
    derivative_at_p0: evaluateFlow(readFlowNetwork(params, inputs), 0, readFirstPosition(params, inputs)),
    hidden: nestFactorRows(absoluteHiddenStates(buildGoldenScene(golden, 0), buildInput(params, inputs)), count),
  };
}

export const adapter: GoldenAdapter = { encoding: recursive, files: ["floater"], compute: computeGolden };
