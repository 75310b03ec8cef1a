import { resolvePositions } from "../../encodings/rope/positions.ts";
import { getNumber, optionalNumber } from "../../encodings/support/schema.ts";
import type { Params } from "../../spec.ts";
import { pythonFloat } from "./python.ts";
import type { CodeExportRequest, EncodingCode } from "./request.ts";
import { positionLines, rotationCode } from "./rope.ts";

/** Variants of RoPE: xPos, ReRoPE and Self-Extend. */

/** Unscaled rotation of the whole head. */
function plainRotationCode(request: CodeExportRequest) {
  const params: Params = { ...request.params, rope_type: "default", partial_rotary_factor: 1, rotary_dim: null };
  return rotationCode(request, params, 1);
}

export function xposCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const rotation = plainRotationCode(request);
  const dim = getNumber(params, "head_dim");
  return {
    parameters: [...rotation.parameters, "scale_base"],
    setup: [
      ...(request.show.of === "table" ? [] : positionLines(request)),
      ...rotation.lines,
      "",
      "",
      `zeta = (2 * np.arange(${dim / 2}, dtype=np.float64) + ${pythonFloat(0.4 * dim)}) / ${pythonFloat(1.4 * dim)}`,
      "",
      "",
      "def decayed(x, position, sign):",
      '    """Queries shrink and keys grow with position, about a centre: only the distance remains."""',
      "    cos, sin = cos_sin(position)",
      `    decay = zeta ** (sign * (position[:, None] - ${scene.centre}) / scale_base)`,
      "    return rotate_pairs(x, cos * decay, sin * decay)",
      "",
      "",
    ],
    terms: { content: "decayed(q, query_position, 1) @ decayed(k, key_position, -1).T" },
    table: "np.concatenate(cos_sin(position), axis=-1)",
    content: { of: "qk", dim },
  };
}

export function reropeCode(request: CodeExportRequest): EncodingCode {
  const { params } = request;
  const rotation = plainRotationCode(request);
  const window = getNumber(params, "window");
  const trained = optionalNumber(params, "training_length");
  const scaled =
    trained === undefined
      ? []
      : [
          "# Sharpens rows with more keys than in training",
          `sharper = np.clip(np.log(query_position.astype(np.float64) + 1) / ${pythonFloat(Math.log(trained))}, 1, None)`,
          "q = q * sharper[:, None]",
        ];
  return {
    parameters: rotation.parameters,
    setup: [...positionLines(request), ...scaled, ...rotation.lines, "", ""],
    terms: {
      near: "rotate(q, query_position) @ rotate(k, key_position).T",
      far: `rotate(q, 0 * query_position + ${window}) @ rotate(k, 0 * key_position).T`,
    },
    content: { of: "qk", dim: getNumber(params, "head_dim") },
  };
}

export function selfExtendCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  const rotation = plainRotationCode(request);
  const group = getNumber(params, "group_size");
  const neighbours = getNumber(params, "neighbor_window");
  const window = resolvePositions(scene).length - 1 < neighbours ? 0 : neighbours;
  return {
    parameters: rotation.parameters,
    setup: [
      ...positionLines(request),
      ...rotation.lines,
      "",
      "",
      "# Beyond the window, floors of positions: their distance is not a function of i - j",
      `far_query = query_position // ${group} + ${window - Math.floor(window / group)}`,
      `far_key = key_position // ${group}`,
    ],
    terms: {
      near: "rotate(q, query_position) @ rotate(k, key_position).T",
      far: "rotate(q, far_query) @ rotate(k, far_key).T",
    },
    content: { of: "qk", dim: getNumber(params, "head_dim") },
  };
}
