import type { ParamValue } from "../../spec.ts";
import { IGNORES_ROPE_PARAMETERS, readLegacyTheta } from "./classic.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { asRead, ignored, type Runtime, type RuntimeRead, refused, unknown } from "./runtime.ts";

const KEY_REQUIRED = { en: "required in the file: TypeError", zh: "文件中必须有此键：TypeError" };
const TYPE_FIRST = { en: "type takes precedence over rope_type", zh: "type 优先于 rope_type" };
const UNSUPPORTED_TYPE = { en: "raises ValueError: unsupported RoPE type", zh: "抛出 ValueError：不支持的 RoPE 类型" };
const ALWAYS_LONG_FACTOR = {
  en: "always long_factor, never short_factor",
  zh: "任何长度都用 long_factor，从不用 short_factor",
};
const SOME_VERSIONS_ONLY = { en: "read by some versions only", zh: "只有部分版本读取" };
const ALWAYS_ROUNDED = { en: "not read: always rounded", zh: "不读取：总是取整" };
const MLX_ROPE_TYPES: ReadonlySet<unknown> = new Set([
  "default",
  "linear",
  "dynamic",
  "llama3",
  "yarn",
  "deepseek_yarn",
  "longrope",
  "proportional",
  "mrope",
]);

function readMlxTheta(file: RopeFile): RuntimeRead {
  const { defaultTheta, slidingTheta } = file.facts.mlx ?? {};
  if (defaultTheta === undefined || (file.isLayered && slidingTheta === undefined)) return unknown();
  const read = readLegacyTheta(file, file.usesWindow ? (slidingTheta ?? defaultTheta) : defaultTheta);
  return read.outcome === "value" && read.value === null ? refused(KEY_REQUIRED) : read;
}

/** Reads a value only for types that are known to pass their dictionary to `initialize_rope`. */
function ifScalingIsRead(read: (file: RopeFile) => RuntimeRead): (file: RopeFile) => RuntimeRead {
  return (file) => {
    const { readsRopeScaling, readsRopeParameters } = file.facts.mlx ?? {};
    return readsRopeScaling === true && readsRopeParameters !== true && !file.isLayered ? read(file) : unknown();
  };
}

function readMlxRopeType(file: RopeFile): RuntimeRead {
  const old = valueIn(file.ropeScaling, "type");
  const named = valueIn(file.ropeScaling, "rope_type");
  if (file.ropeScaling === undefined)
    return asRead("default", file.param("rope_type") === "default" ? null : IGNORES_ROPE_PARAMETERS);
  const type: ParamValue = old ?? named ?? "default";
  if (!MLX_ROPE_TYPES.has(type)) return refused(UNSUPPORTED_TYPE);
  if (type === "longrope") return asRead(type, ALWAYS_LONG_FACTOR);
  return asRead(type, old !== null && named !== null && old !== named ? TYPE_FIRST : null);
}

function readScalingKey(key: string): (file: RopeFile) => RuntimeRead {
  return ifScalingIsRead((file) => {
    const value = valueIn(file.ropeScaling, key);
    return value === null && file.param(key) !== null && file.ropeParameters !== undefined
      ? asRead(null, IGNORES_ROPE_PARAMETERS)
      : asRead(value);
  });
}

/** A missing original length is 4096 with YaRN and 8192 with Llama 3's scaling, regardless of the model's own. */
const readMlxOriginalLength = ifScalingIsRead((file) => {
  const written = valueIn(file.ropeScaling, "original_max_position_embeddings");
  const type = readMlxRopeType(file).value;
  if (written !== null || file.ropeScaling === undefined)
    return readScalingKey("original_max_position_embeddings")(file);
  return asRead(type === "yarn" ? 4096 : type === "llama3" ? 8192 : null);
});

function readMlxLayout(file: RopeFile): RuntimeRead {
  const { layout, defaultTraditional } = file.facts.mlx ?? {};
  if (layout !== undefined) return asRead(layout);
  if (defaultTraditional === undefined) return unknown();
  const written = file.topLevel("rope_traditional");
  return asRead((typeof written === "boolean" ? written : defaultTraditional) ? "interleaved" : "half");
}

function readMlxRotaryDim(file: RopeFile): RuntimeRead {
  const known = file.number("partial_rotary_factor") === 1 || file.facts.mlx?.honoursPartialFactor === true;
  return known ? asRead(file.param("rotary_dim")) : unknown();
}

export const mlx: Runtime = {
  id: "mlx",
  name: "MLX-LM",
  version: "d78bf58",
  source: "ml-explore/mlx-lm: mlx_lm/models/rope_utils.py, mlx_lm/models/*.py",
  reads: {
    rope_theta: readMlxTheta,
    rope_type: ifScalingIsRead(readMlxRopeType),
    factor: readScalingKey("factor"),
    original_max_position_embeddings: readMlxOriginalLength,
    attention_factor: (file) => (file.param("attention_factor") === null ? asRead(null) : unknown(SOME_VERSIONS_ONLY)),
    truncate: (file) => (file.param("truncate") === false ? ignored(ALWAYS_ROUNDED) : asRead(file.param("truncate"))),
    rotary_dim: readMlxRotaryDim,
    layout: readMlxLayout,
  },
};
