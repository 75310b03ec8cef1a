import { ownValue } from "../../util/ownValue.ts";
import type { RopeFile } from "./ropeFile.ts";
import { asRead, type RuntimeRead, unknown } from "./runtime.ts";

function splitNames(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/**
 * llama.cpp, src/llama-model.cpp: llama_model_rope_type, by the architecture that the conversion writes for a model
 * type.
 */
const GGUF_INTERLEAVED = splitNames(
  "llama mistral mixtral minicpm granite granitemoe smollm3 internlm2 baichuan xverse arcee olmo ernie4_5 ernie4_5_moe cohere cohere2 deepseek_v2 deepseek_v3 deepseek_v32 chatglm glm4 llama4_text ministral3 mistral4",
);
const GGUF_HALF = splitNames(
  "falcon gpt_neox qwen qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next gemma gemma2 gemma3_text gemma3n_text gemma4_text phi phi3 phimoe stablelm starcoder2 olmo2 olmoe dbrx nemotron exaone exaone4 gpt_oss glm4_moe dots1 lfm2 lfm2_moe seed_oss apertus minimax_m2 openelm bitnet modernbert nomic_bert falcon_h1 grok-1 hunyuan_v1_dense hunyuan_v1_moe mellum laguna afmoe codeshell orion eurobert",
);

const WEIGHTS_PERMUTED = {
  en: "the weights are permuted to match, so the scores stay the same",
  zh: "权重会相应重排，分数不变",
};

export function readGgufLayout(file: RopeFile): RuntimeRead {
  if (GGUF_HALF.has(file.modelType)) return asRead("half");
  if (!GGUF_INTERLEAVED.has(file.modelType)) return unknown();
  return asRead("interleaved", file.param("layout") === "half" ? WEIGHTS_PERMUTED : null);
}

/** `traditional` of mlx-lm's models: fixed in the code, or a key of the file with its own default. */
const MLX_INTERLEAVED = splitNames(
  "cohere cohere2 deepseek_v3 deepseek_v32 ernie4_5 ernie4_5_moe glm glm4_moe_lite helium llama4_text longcat_flash",
);
const MLX_HALF = splitNames(
  "dbrx dots1 exaone4 exaone_moe gemma3_text gemma3n_text glm4_moe gpt_neox gpt_oss granite granitemoe granitemoehybrid lfm2 lfm2_moe mellum mimo_v2_flash ministral3 nemotron olmo3 openelm phi qwen qwen3 qwen3_moe qwen3_next recurrent_gemma stablelm starcoder2 step3p5",
);
const MLX_DEFAULT_TRADITIONAL: Readonly<Record<string, boolean>> = {
  apertus: false,
  bitnet: false,
  falcon_h1: false,
  gemma: false,
  gemma2: false,
  gemma4_text: false,
  glm4: true,
  internlm2: false,
  llama: false,
  minicpm: false,
  minicpm3: false,
  mistral: false,
  mixtral: false,
  olmo: false,
  olmo2: false,
  olmoe: false,
  phi3: false,
  qwen2: false,
  qwen2_moe: false,
  seed_oss: false,
};

export function readMlxLayout(file: RopeFile): RuntimeRead {
  if (MLX_INTERLEAVED.has(file.modelType)) return asRead("interleaved");
  if (MLX_HALF.has(file.modelType)) return asRead("half");
  const fallback = ownValue(MLX_DEFAULT_TRADITIONAL, file.modelType);
  if (fallback === undefined) return unknown();
  const written = file.topLevel("rope_traditional");
  return asRead((typeof written === "boolean" ? written : fallback) ? "interleaved" : "half");
}

/** Models of mlx-lm that rotate int(head_dim · fraction) dimensions, with the class's own key for the fraction. */
const MLX_PARTIAL_ROTATION = splitNames(
  "glm4 glm4_moe gpt_neox mimo_v2_flash nemotron phi phi3 qwen3_next stablelm step3p5",
);

export function readMlxRotaryDim(file: RopeFile): RuntimeRead {
  const known = file.number("partial_rotary_factor") === 1 || MLX_PARTIAL_ROTATION.has(file.modelType);
  return known ? asRead(file.param("rotary_dim")) : unknown();
}

/** TGI, server/text_generation_server/models/custom_modeling/flash_*_modeling.py. */
const TGI_FULL_ROTATION = splitNames(
  "llama mistral mixtral qwen2 gemma gemma2 gemma3_text starcoder2 dbrx falcon cohere phi3 granite",
);
const TGI_PARTIAL_ROTATION = splitNames("phi gpt_neox gptj");
const TGI_INTERLEAVED = splitNames("cohere gptj");

export function readTgiLayout(file: RopeFile): RuntimeRead {
  if (!TGI_FULL_ROTATION.has(file.modelType) && !TGI_PARTIAL_ROTATION.has(file.modelType)) return unknown();
  return asRead(TGI_INTERLEAVED.has(file.modelType) ? "interleaved" : "half");
}

const WHOLE_HEAD_ROTATES = {
  en: "the whole head rotates, whatever the fraction",
  zh: "无论比例如何，整个头都旋转",
};

export function readTgiRotaryDim(file: RopeFile): RuntimeRead {
  if (TGI_PARTIAL_ROTATION.has(file.modelType)) return asRead(file.param("rotary_dim"));
  if (!TGI_FULL_ROTATION.has(file.modelType)) return unknown();
  const head = file.param("head_dim");
  return asRead(head, head === file.param("rotary_dim") ? null : WHOLE_HEAD_ROTATES);
}
