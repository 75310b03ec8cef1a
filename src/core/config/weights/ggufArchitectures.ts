import type { PairLayout } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";

/**
 * How llama.cpp rotates, by `general.architecture` (src/llama-model.cpp, llama_model_rope_type), which the file does
 * not contain. NORM rotates interleaved pairs, NEOX halves; M-RoPE has sections, IMROPE interleaves them.
 */
const INTERLEAVED_NAMES =
  "llama llada llama4 deci baichuan starcoder internlm2 minicpm xverse command-r cohere2 cohere2moe olmo arctic deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 muse-glimmer plm chatglm granite granitemoe granitehybrid granite-switch chameleon bailingmoe neo-bert smollm3 arcee ernie4_5 ernie4_5-moe mistral3 mistral4 eagle3 llama-embed maincoder glm-dsa nanbeige glm4";
const NON_ROTARY_NAMES =
  "clip gpt2 gptj mpt refact bloom mamba mamba2 jamba jina-bert-v2 t5 t5encoder jais rwkv6 rwkv6qwen2 rwkv7 arwkv7 wavtokenizer-dec nemotron_h nemotron_h_moe kimi-linear";
const MROPE_SECTION_STYLES: Readonly<Record<string, "chunked" | "interleaved">> = {
  qwen2vl: "chunked",
  paddleocr: "chunked",
  qwen3vl: "interleaved",
  qwen3vlmoe: "interleaved",
  qwen35: "interleaved",
  qwen35moe: "interleaved",
  qwen3tts: "interleaved",
};

const INTERLEAVED_ARCHITECTURES = new Set(INTERLEAVED_NAMES.split(" "));
const NON_ROTARY_ARCHITECTURES = new Set(NON_ROTARY_NAMES.split(" "));

export function usesRope(architecture: string): boolean {
  return !NON_ROTARY_ARCHITECTURES.has(architecture);
}

export function pairLayoutOf(architecture: string): PairLayout {
  return INTERLEAVED_ARCHITECTURES.has(architecture) ? "interleaved" : "half";
}

export function mropeStyleOf(architecture: string): "chunked" | "interleaved" | undefined {
  return ownValue(MROPE_SECTION_STYLES, architecture);
}

/** Architectures whose code always uses ALiBi, even if the file has no largest bias. */
export function hasFixedAlibi(architecture: string, layers: number | undefined): boolean {
  return architecture === "bloom" || architecture === "refact" || (architecture === "baichuan" && layers === 40);
}

/** Each n-th layer has full attention, if the file has a window but no pattern. */
const WINDOW_PERIODS: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  "gpt-oss": 2,
  cohere2: 4,
  olmo2: 4,
  exaone4: 4,
  afmoe: 4,
};

export function windowPeriodOf(architecture: string): number | undefined {
  return ownValue(WINDOW_PERIODS, architecture);
}

/** Layers without RoPE, fixed in llama.cpp's code: those with full attention, or each n-th. */
export function ropeFreeLayersOf(architecture: string): number | "full" | undefined {
  if (architecture === "smollm3" || architecture === "llama4") return 4;
  return ["cohere2", "exaone4", "afmoe"].includes(architecture) ? "full" : undefined;
}
