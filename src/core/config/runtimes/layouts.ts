import { ownValue } from "../../util/ownValue.ts";
import type { RopeFile } from "./ropeFile.ts";
import { is, type Read, unknown } from "./runtime.ts";

function names(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** llama.cpp, src/llama-model.cpp: llama_model_rope_type, by the architecture that the conversion writes for a type. */
const GGUF_PAIRS = names(
  "llama mistral mixtral minicpm granite granitemoe smollm3 internlm2 baichuan xverse arcee olmo ernie4_5 ernie4_5_moe cohere cohere2 deepseek_v2 deepseek_v3 deepseek_v32 chatglm glm4 llama4_text ministral3 mistral4",
);
const GGUF_HALVES = names(
  "falcon gpt_neox qwen qwen2 qwen2_moe qwen3 qwen3_moe qwen3_next gemma gemma2 gemma3_text gemma3n_text gemma4_text phi phi3 phimoe stablelm starcoder2 olmo2 olmoe dbrx nemotron exaone exaone4 gpt_oss glm4_moe dots1 lfm2 lfm2_moe seed_oss apertus minimax_m2 openelm bitnet modernbert nomic_bert falcon_h1 grok-1 hunyuan_v1_dense hunyuan_v1_moe mellum laguna afmoe codeshell orion eurobert",
);

const PERMUTED = {
  en: "the weights are permuted to match, so the scores stay the same",
  zh: "权重会相应重排，分数不变",
};

export function ggufLayout(file: RopeFile): Read {
  if (GGUF_HALVES.has(file.modelType)) return is("half");
  if (!GGUF_PAIRS.has(file.modelType)) return unknown();
  return is("interleaved", file.param("layout") === "half" ? PERMUTED : null);
}

/** `traditional` of mlx-lm's models: fixed in the code, or a key of the file with a default of its own. */
const MLX_PAIRS = names(
  "cohere cohere2 deepseek_v3 deepseek_v32 ernie4_5 ernie4_5_moe glm glm4_moe_lite helium llama4_text longcat_flash",
);
const MLX_HALVES = names(
  "dbrx dots1 exaone4 exaone_moe gemma3_text gemma3n_text glm4_moe gpt_neox gpt_oss granite granitemoe granitemoehybrid lfm2 lfm2_moe mellum mimo_v2_flash ministral3 nemotron olmo3 openelm phi qwen qwen3 qwen3_moe qwen3_next recurrent_gemma stablelm starcoder2 step3p5",
);
const MLX_BY_KEY: Readonly<Record<string, boolean>> = {
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

export function mlxLayout(file: RopeFile): Read {
  if (MLX_PAIRS.has(file.modelType)) return is("interleaved");
  if (MLX_HALVES.has(file.modelType)) return is("half");
  const fallback = ownValue(MLX_BY_KEY, file.modelType);
  if (fallback === undefined) return unknown();
  const written = file.top("rope_traditional");
  return is((typeof written === "boolean" ? written : fallback) ? "interleaved" : "half");
}

/** Models of mlx-lm that turn int(head_dim · fraction) numbers, with the fraction under the class's own name. */
const MLX_PARTIAL = names("glm4 glm4_moe gpt_neox mimo_v2_flash nemotron phi phi3 qwen3_next stablelm step3p5");

export function mlxRotaryDim(file: RopeFile): Read {
  const known = file.number("partial_rotary_factor") === 1 || MLX_PARTIAL.has(file.modelType);
  return known ? is(file.param("rotary_dim")) : unknown();
}

/** TGI, server/text_generation_server/models/custom_modeling/flash_*_modeling.py. */
const TGI_WHOLE = names(
  "llama mistral mixtral qwen2 gemma gemma2 gemma3_text starcoder2 dbrx falcon cohere phi3 granite",
);
const TGI_PARTIAL = names("phi gpt_neox gptj");
const TGI_PAIRS = names("cohere gptj");

export function tgiLayout(file: RopeFile): Read {
  if (!TGI_WHOLE.has(file.modelType) && !TGI_PARTIAL.has(file.modelType)) return unknown();
  return is(TGI_PAIRS.has(file.modelType) ? "interleaved" : "half");
}

const WHOLE = {
  en: "the whole head rotates, whatever the fraction",
  zh: "无论比例如何，整个头都旋转",
};

export function tgiRotaryDim(file: RopeFile): Read {
  if (TGI_PARTIAL.has(file.modelType)) return is(file.param("rotary_dim"));
  if (!TGI_WHOLE.has(file.modelType)) return unknown();
  const head = file.param("head_dim");
  return is(head, head === file.param("rotary_dim") ? null : WHOLE);
}
