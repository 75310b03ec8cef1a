import type { ParamValue } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { classicTheta, IGNORES_PARAMETERS } from "./classic.ts";
import { mlxLayout, mlxRotaryDim } from "./layouts.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { ignored, is, type Read, type Runtime, refused, unknown } from "./runtime.ts";

/**
 * `ModelArgs` of mlx-lm by model type: the default of `rope_theta`, or null where the file must have the key.
 * Types that are not here read other keys, or are not known to us.
 */
const BASES: Readonly<Record<string, number | null>> = {
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

/** Types whose ModelArgs read `rope_parameters` too. */
const NEW_FORM: ReadonlySet<string> = new Set([
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

/** Types that hand `rope_scaling` to `initialize_rope`. */
const SCALES: ReadonlySet<string> = new Set(
  "apertus bitnet deepseek_v3 deepseek_v32 dots1 exaone4 gemma3_text gpt_oss granite granitemoe internlm2 llama longcat_flash mistral olmo2 olmo3 olmoe qwen2 qwen3 qwen3_next seed_oss".split(
    " ",
  ),
);

const REQUIRED = { en: "required in the file: TypeError", zh: "文件中必须有此键：TypeError" };
const TYPE_FIRST = { en: "type takes precedence over rope_type", zh: "type 优先于 rope_type" };
const UNSUPPORTED = { en: "raises ValueError: unsupported RoPE type", zh: "抛出 ValueError：不支持的 RoPE 类型" };
const LONG_ALWAYS = {
  en: "always long_factor, never short_factor",
  zh: "任何长度都用 long_factor，从不用 short_factor",
};
const VERSIONS = { en: "read by some versions only", zh: "只有部分版本读取" };
const FLOORED = { en: "not read: always rounded", zh: "不读取：总是取整" };
const TYPES: ReadonlySet<unknown> = new Set([
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

function theta(file: RopeFile): Read {
  const base = ownValue(BASES, file.modelType);
  if (base === undefined || (file.isLayered && file.modelType !== "gemma3_text")) return unknown();
  const local = file.slides && file.modelType === "gemma3_text";
  const read = classicTheta(file, local ? 10_000 : base);
  return read.fate === "value" && read.value === null ? refused(REQUIRED) : read;
}

/** Runs a reader where the type is known to hand its dictionary to `initialize_rope`. */
function scaled(read: (file: RopeFile) => Read): (file: RopeFile) => Read {
  return (file) =>
    SCALES.has(file.modelType) && !NEW_FORM.has(file.modelType) && !file.isLayered ? read(file) : unknown();
}

function typeOf(file: RopeFile): Read {
  const old = valueIn(file.scaling, "type");
  const named = valueIn(file.scaling, "rope_type");
  if (file.scaling === undefined)
    return is("default", file.param("rope_type") === "default" ? null : IGNORES_PARAMETERS);
  const type: ParamValue = old ?? named ?? "default";
  if (!TYPES.has(type)) return refused(UNSUPPORTED);
  if (type === "longrope") return is(type, LONG_ALWAYS);
  return is(type, old !== null && named !== null && old !== named ? TYPE_FIRST : null);
}

function inDictionary(key: string): (file: RopeFile) => Read {
  return scaled((file) => {
    const value = valueIn(file.scaling, key);
    return value === null && file.param(key) !== null && file.parameters !== undefined
      ? is(null, IGNORES_PARAMETERS)
      : is(value);
  });
}

/** A missing original length is 4096 with YaRN, 8192 with Llama 3's scaling, whatever the model's own. */
const original = scaled((file) => {
  const written = valueIn(file.scaling, "original_max_position_embeddings");
  const type = typeOf(file).value;
  if (written !== null || file.scaling === undefined) return inDictionary("original_max_position_embeddings")(file);
  return is(type === "yarn" ? 4096 : type === "llama3" ? 8192 : null);
});

export const mlx: Runtime = {
  id: "mlx",
  name: "MLX-LM",
  version: "d78bf58",
  source: "ml-explore/mlx-lm: mlx_lm/models/rope_utils.py, mlx_lm/models/*.py",
  reads: {
    rope_theta: theta,
    rope_type: scaled(typeOf),
    factor: inDictionary("factor"),
    original_max_position_embeddings: original,
    attention_factor: (file) => (file.param("attention_factor") === null ? is(null) : unknown(VERSIONS)),
    truncate: (file) => (file.param("truncate") === false ? ignored(FLOORED) : is(file.param("truncate"))),
    rotary_dim: mlxRotaryDim,
    layout: mlxLayout,
  },
};
