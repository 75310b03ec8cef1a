import * as l10n from "@vscode/l10n";
import {
  frequenciesForLength,
  readPairLayout,
  readTablePrecision,
  resolveAttentionScale,
} from "../../encodings/rope/attention.ts";
import { contextFactor, ropeTrainingContext, rotaryDim } from "../../encodings/rope/frequencies.ts";
import { readPositions, resolvePositions } from "../../encodings/rope/positions.ts";
import { getNumber, optionalNumber, optionalNumbers } from "../../encodings/support/schema.ts";
import type { Params } from "../../spec.ts";
import { axialCode } from "./axes.ts";
import { arrayLines, FLOAT32_LINES, pythonFloat, pythonNumber } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode } from "./request.ts";

/**
 * Up to this position, cos(position · ω) in plain float64 is as accurate as the panel. Beyond it, the code corrects
 * rounding.
 */
const MAX_PLAIN_POSITION = 4096;

export function hasFarPositions({ scene, rows, columns }: CodeExportRequest): boolean {
  const past = scene.keyLength - scene.queryLength;
  return Math.max(rows.to + past, columns.to) + Math.abs(scene.shift) > MAX_PLAIN_POSITION;
}

const GEOMETRIC_FREQUENCIES = "1 / rope_theta ** (np.arange(0, rotary_dim, 2, dtype=np.float64) / rotary_dim)";

/** Computes `inv_freq` by the formula of its rope_type. */
function frequencyLines(params: Params, length: number): string[] {
  const dim = `rotary_dim = ${rotaryDim(params)}`;
  const plain = [dim, `inv_freq = ${GEOMETRIC_FREQUENCIES}`];
  switch (params.rope_type) {
    case "linear":
      return [...plain, "inv_freq = inv_freq / factor"];
    case "ntk":
      return [
        dim,
        "rope_theta = rope_theta * factor ** (rotary_dim / (rotary_dim - 2))",
        `inv_freq = ${GEOMETRIC_FREQUENCIES}`,
      ];
    case "dynamic":
      return [dim, ...dynamicLines(params, length), `inv_freq = ${GEOMETRIC_FREQUENCIES}`];
    case "yarn":
      return [...plain, ...yarnLines(params)];
    case "longrope":
      return [dim, ...longropeLines(params, length)];
    case "llama3":
      return [...plain, ...llama3Lines(params)];
    case "proportional":
      return proportionalLines(params);
    default:
      return plain;
  }
}

function dynamicLines(params: Params, length: number): string[] {
  const trained = getNumber(params, "max_position_embeddings");
  return [
    `length = ${Math.max(length, trained)}  # of this call, at least that of training`,
    `stretch = factor * length / ${trained} - (factor - 1)`,
    "rope_theta = rope_theta * stretch ** (rotary_dim / (rotary_dim - 2))",
  ];
}

function yarnLines(params: Params): string[] {
  const round = params.truncate === false ? ["", ""] : ["math.floor", "math.ceil"];
  return [
    `factor = ${pythonFloat(contextFactor(params))}`,
    `original_length = ${ropeTrainingContext(params)}`,
    "",
    "",
    "def correction_dim(rotations):",
    '    """The (fractional) pair that completes this many rotations within the original length."""',
    "    return rotary_dim * math.log(original_length / (rotations * 2 * math.pi)) / (2 * math.log(rope_theta))",
    "",
    "",
    `low = max(${round[0]}(correction_dim(${pythonNumber(optionalNumber(params, "beta_fast") ?? 32)})), 0)`,
    `high = min(${round[1]}(correction_dim(${pythonNumber(optionalNumber(params, "beta_slow") ?? 1)})), rotary_dim - 1)`,
    "if low == high:",
    "    high += 0.001",
    "pair = np.arange(rotary_dim // 2, dtype=np.float64)",
    "ramp = np.clip((pair - low) / (high - low), 0, 1)  # 0 keeps a frequency, 1 divides it by the factor",
    "inv_freq = inv_freq / factor * ramp + inv_freq * (1 - ramp)",
  ];
}

function longropeLines(params: Params, length: number): string[] {
  const original = ropeTrainingContext(params);
  const long = length > original;
  const divisors = optionalNumbers(params, long ? "long_factor" : "short_factor") ?? [];
  const why = `# ${length} positions ${long ? "exceed" : "are within"} the original length ${original}`;
  return [
    why,
    ...arrayLines(long ? "long_factor" : "short_factor", divisors),
    `inv_freq = ${GEOMETRIC_FREQUENCIES} / ${long ? "long_factor" : "short_factor"}`,
  ];
}

function llama3Lines(params: Params): string[] {
  const low = pythonFloat(optionalNumber(params, "low_freq_factor") ?? 1);
  const high = pythonFloat(optionalNumber(params, "high_freq_factor") ?? 4);
  return [
    `factor, original_length = ${pythonFloat(contextFactor(params))}, ${ropeTrainingContext(params)}`,
    `low_freq_factor, high_freq_factor = ${low}, ${high}`,
    "wavelength = 2 * math.pi / inv_freq",
    "smooth = (original_length / wavelength - low_freq_factor) / (high_freq_factor - low_freq_factor)",
    "blended = (1 - smooth) * inv_freq / factor + smooth * inv_freq",
    "is_long = wavelength > original_length / low_freq_factor",
    "is_short = wavelength < original_length / high_freq_factor",
    "inv_freq = np.where(is_short, inv_freq, np.where(is_long, inv_freq / factor, blended))",
  ];
}

function proportionalLines(params: Params): string[] {
  const dim = getNumber(params, "head_dim");
  const partial = optionalNumber(params, "partial_rotary_factor") ?? 1;
  return [
    `rotary_dim = ${dim}`,
    `inv_freq = ${GEOMETRIC_FREQUENCIES}`,
    `rotating = ${Math.floor(Math.trunc(partial * dim) / 2)}  # the lowest-frequency pairs do not rotate`,
    `inv_freq = np.where(np.arange(rotary_dim // 2) < rotating, inv_freq / ${pythonFloat(optionalNumber(params, "factor") ?? 1)}, 0.0)`,
  ];
}

/** cos and sin of position × frequency, [positions][pairs]. */
function cosSinLines(far: boolean): string[] {
  if (!far) {
    return [
      "def cos_sin(position):",
      "    angle = position[:, None] * inv_freq",
      "    return np.cos(angle), np.sin(angle)",
    ];
  }
  return [
    "def cos_sin(position):",
    '    """Restores what rounding drops from position * frequency: exact even at position 10,000,000."""',
    "    position = position[:, None].astype(np.float64)",
    "    shifted = inv_freq * (2**27 + 1)",
    "    high = shifted - (shifted - inv_freq)",
    "    angle = position * inv_freq",
    "    rest = (position * high - angle) + position * (inv_freq - high)",
    "    cos, sin = np.cos(angle), np.sin(angle)",
    "    return cos - sin * rest, sin + cos * rest",
  ];
}

/** As in transformers: float32 frequencies and angles; tables rounded to the model's format. */
function roundedCosSinLines(bfloat16: boolean, scaling: number): string[] {
  const scale = scaling === 1 ? "" : ` * np.array(${pythonFloat(scaling)}, dtype=np.float64)`;
  const rounded = (wave: string) => {
    const single = `single(single(np.${wave}(angle))${scale})`;
    return bfloat16 ? `half(${single})` : single;
  };
  return [
    ...FLOAT32_LINES,
    ...(bfloat16 ? [...BFLOAT16_LINES, "", ""] : []),
    "def cos_sin(position):",
    "    angle = single(position[:, None].astype(np.float32).astype(np.float64) * single(inv_freq))",
    `    return ${rounded("cos")}, ${rounded("sin")}`,
  ];
}

/** Rounds to the nearest bfloat16, ties to even. */
export const BFLOAT16_LINES: readonly string[] = [
  "def half(x):",
  '    """Rounds to bfloat16, ties to even."""',
  "    bits = x.astype(np.float32).view(np.int32)",
  "    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & -65536",
  "    return bits.view(np.float32).astype(np.float64)",
];

export function rotateLines(layout: "half" | "interleaved", scaling: number): string[] {
  const times = scaling === 1 ? "" : ` * ${pythonFloat(scaling)}`;
  const body =
    layout === "half"
      ? [
          "    a, b, rest = x[:, :n], x[:, n : 2 * n], x[:, 2 * n :]",
          "    return np.concatenate([a * cos - b * sin, a * sin + b * cos, rest], axis=-1)",
        ]
      : [
          "    a, b, rest = x[:, 0 : 2 * n : 2], x[:, 1 : 2 * n : 2], x[:, 2 * n :]",
          "    pairs = np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(len(x), 2 * n)",
          "    return np.concatenate([pairs, rest], axis=-1)",
        ];
  return [
    "",
    "",
    "def rotate_pairs(x, cos, sin):",
    "    n = len(inv_freq)",
    ...body,
    "",
    "",
    "def rotate(x, position):",
    "    cos, sin = cos_sin(position)",
    `    return rotate_pairs(x, cos${times}, sin${times})`,
  ];
}

/** Frequencies written out, for positions large enough that their last digit matters. */
function writtenFrequencyLines(values: readonly number[]): string[] {
  return [
    "# Written out: far from position 0, the last digit of a frequency matters",
    ...arrayLines("inv_freq", values),
  ];
}

export interface RotationCode {
  readonly parameters: readonly string[];
  readonly lines: readonly string[];
}

/** `inv_freq`, `cos_sin` and `rotate` of these parameters. */
export function rotationCode(request: CodeExportRequest, params: Params, cosSinFactor: number): RotationCode {
  const { length } = resolvePositions(request.scene);
  const { inv_freq } = frequenciesForLength(params, length);
  const precision = readTablePrecision(params);
  const writesFrequencies = optionalNumbers(params, "inv_freq") !== undefined || hasFarPositions(request);
  const callLength = optionalNumber(params, "seq_len") ?? length;
  const frequencies = writesFrequencies ? writtenFrequencyLines(inv_freq) : frequencyLines(params, callLength);
  const exact = precision === "exact";
  const cosSin = exact
    ? cosSinLines(hasFarPositions(request))
    : roundedCosSinLines(precision === "bfloat16", cosSinFactor);
  const usesFactor = ["linear", "ntk", "dynamic"].includes(String(params.rope_type));
  return {
    parameters: writesFrequencies ? [] : ["rope_theta", ...(usesFactor ? ["factor"] : [])],
    lines: [
      "# Frequencies of the pairs",
      ...frequencies,
      "",
      "",
      ...cosSin,
      ...rotateLines(readPairLayout(params), exact ? cosSinFactor : 1),
    ],
  };
}

/** Given positions instead of consecutive ones. */
export function positionLines({ scene }: CodeExportRequest): string[] {
  const given = scene.inputs.position_ids;
  if (given === undefined) return [];
  const ids = readPositions(given, "position_ids");
  if (ids.length > 4096) throw new CodeExportError(l10n.t("Too many positions to write out."));
  return [
    "# Given positions",
    `positions = np.array([${ids.join(", ")}], dtype=np.int64) + shift`,
    "query_position = positions[own]",
    "key_position = positions[j]",
    "",
  ];
}

/** `rope` of every type except axial, which is for images. */
export function ropeCode(request: CodeExportRequest): EncodingCode {
  const { params, scene } = request;
  if (params.rope_type === "axial") return axialCode(request);
  const { attention_scaling } = frequenciesForLength(params, resolvePositions(scene).length);
  const table = request.show.of === "table";
  const { cosSinFactor } = resolveAttentionScale(params, attention_scaling);
  const rotation = rotationCode(request, params, table ? attention_scaling : cosSinFactor);
  const scaled = table && readTablePrecision(params) === "exact" && attention_scaling !== 1;
  const times = scaled ? ` * ${pythonFloat(attention_scaling)}` : "";
  return {
    parameters: rotation.parameters,
    setup: [...(table ? [] : positionLines(request)), ...rotation.lines, "", ""],
    terms: { content: "rotate(q, query_position) @ rotate(k, key_position).T" },
    table: `(np.concatenate(cos_sin(position), axis=-1)${times})`,
    content: { of: "qk", dim: getNumber(params, "head_dim") },
  };
}
