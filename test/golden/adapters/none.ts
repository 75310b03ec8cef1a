import { none, queryTemperature, ropeLayerFlags } from "../../../src/core/encodings/none.ts";
import { readVector } from "../../../src/core/terms/read.ts";
import { computeGoldenAttention, computePermutedOutput } from "../attention.ts";
import type { GoldenAdapter, GoldenCase } from "../case.ts";

function computeGolden(golden: GoldenCase): Record<string, unknown> {
  const { params, inputs } = golden;
  if (inputs.position_ids !== undefined) {
    const positions = readVector(inputs.position_ids, "position_ids");
    return {
      query_scale: positions.map((p) => queryTemperature(p, Number(params.floor_scale), Number(params.attn_scale))),
    };
  }
  if (params.no_rope_layer_interval !== undefined) {
    return {
      uses_rope: ropeLayerFlags(Number(params.num_hidden_layers), Number(params.no_rope_layer_interval)),
    };
  }
  const headParams = {
    num_heads: Number(params.num_heads),
    head_dim: Number(params.head_dim),
  };
  return {
    ...computeGoldenAttention(none, headParams, golden),
    output_of_permuted_input: computePermutedOutput(none, headParams, golden),
  };
}

export const adapter: GoldenAdapter = { encoding: none, files: ["nope"], compute: computeGolden };
