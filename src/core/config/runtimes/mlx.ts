import type { ParamValue } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { IGNORES_ROPE_PARAMETERS, readLegacyTheta } from "./classic.ts";
import { readMlxLayout, readMlxRotaryDim } from "./layouts.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { asRead, ignored, type Runtime, type RuntimeRead, refused, unknown } from "./runtime.ts";

/**
 * `ModelArgs` of mlx-lm by model type: default of `rope_theta`, or null if the key is required. Other types read other
 * keys or are unknown.
 */
const MLX_DEFAULT_THETAS: Readonly<Record<string, number | null>> = {
  apertus: null,
  bitnet: 10_000,
  cohere: 8_000_000,
  cohere2: 50_000,
  deepseek_v2: 10_000,
  deepseek_v3: 10_000,
  deepseek_v32: 10_000,
  dots1: null,
  ernie4_5: null,
  ernie4_5_moe: null,
  exaone4: null,
  gemma: 10_000,
  gemma2: 10_000,
  gemma3_text: 1_000_000,
  glm: 10_000,
  glm4: null,
  glm4_moe: null,
  gpt_oss: 150_000,
  granite: null,
  granitemoe: null,
  helium: null,
  hunyuan_v1_dense: 10_000,
  internlm2: 10_000,
  llama: 10_000,
  longcat_flash: null,
  minimax: null,
  mistral: 10_000,
  mixtral: 1_000_000,
  nanochat: 10_000,
  nemotron: 10_000,
  olmo2: 10_000,
  olmo3: null,
  olmoe: 10_000,
  phi: 10_000,
  phi3: 10_000,
  phimoe: 10_000,
  qwen2: 1_000_000,
  qwen2_moe: 1_000_000,
  qwen3: null,
  qwen3_moe: null,
  qwen3_next: null,
  recurrent_gemma: null,
  seed_oss: 10_000,
  solar_open: null,
  stablelm: null,
  starcoder2: 100_000,
};

/** Types whose ModelArgs also read `rope_parameters`. */
const READS_ROPE_PARAMETERS: ReadonlySet<string> = new Set([
  "exaone_moe",
  "gemma4_text",
  "glm_moe_dsa",
  "laguna",
  "lfm2",
  "lfm2_moe",
  "mellum",
  "ministral3",
  "qwen3_5_text",
]);

/** Types that pass `rope_scaling` to `initialize_rope`. */
const READS_ROPE_SCALING: ReadonlySet<string> = new Set(
  "apertus bitnet deepseek_v3 deepseek_v32 dots1 exaone4 gemma3_text gpt_oss granite granitemoe internlm2 llama longcat_flash mistral olmo2 olmo3 olmoe qwen2 qwen3 qwen3_next seed_oss".split(
    " ",
  ),
);

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
  const base = ownValue(MLX_DEFAULT_THETAS, file.modelType);
  if (base === undefined || (file.isLayered && file.modelType !== "gemma3_text")) return unknown();
  const local = file.usesWindow && file.modelType === "gemma3_text";
  const read = readLegacyTheta(file, local ? 10_000 : base);
  return read.outcome === "value" && read.value === null ? refused(KEY_REQUIRED) : read;
}

/** Reads a value only for types that are known to pass their dictionary to `initialize_rope`. */
function ifScalingIsRead(read: (file: RopeFile) => RuntimeRead): (file: RopeFile) => RuntimeRead {
  return (file) =>
    READS_ROPE_SCALING.has(file.modelType) && !READS_ROPE_PARAMETERS.has(file.modelType) && !file.isLayered
      ? read(file)
      : unknown();
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
