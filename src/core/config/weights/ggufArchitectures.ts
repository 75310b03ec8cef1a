import type { Layout } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";

/**
 * How llama.cpp rotates, by `general.architecture` (src/llama-model.cpp, llama_model_rope_type): the file does not say.
 * NORM turns neighbours, NEOX halves; M-RoPE has sections, IMROPE interleaves them.
 */
const NORM =
  "llama llada llama4 deci baichuan starcoder internlm2 minicpm xverse command-r cohere2 cohere2moe olmo arctic deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 muse-glimmer plm chatglm granite granitemoe granitehybrid granite-switch chameleon bailingmoe neo-bert smollm3 arcee ernie4_5 ernie4_5-moe mistral3 mistral4 eagle3 llama-embed maincoder glm-dsa nanbeige glm4";
const NONE =
  "clip gpt2 gptj mpt refact bloom mamba mamba2 jamba jina-bert-v2 t5 t5encoder jais rwkv6 rwkv6qwen2 rwkv7 arwkv7 wavtokenizer-dec nemotron_h nemotron_h_moe kimi-linear";
const SECTIONS: Readonly<Record<string, "chunked" | "interleaved">> = {
  qwen2vl: "chunked",
  paddleocr: "chunked",
  qwen3vl: "interleaved",
  qwen3vlmoe: "interleaved",
  qwen35: "interleaved",
  qwen35moe: "interleaved",
  qwen3tts: "interleaved",
};

const norm = new Set(NORM.split(" "));
const none = new Set(NONE.split(" "));

export function rotates(architecture: string): boolean {
  return !none.has(architecture);
}

export function layoutOf(architecture: string): Layout {
  return norm.has(architecture) ? "interleaved" : "half";
}

export function sectionsOf(architecture: string): "chunked" | "interleaved" | undefined {
  return ownValue(SECTIONS, architecture);
}

/** Architectures whose ALiBi is in the code: the file may leave its largest bias out. */
export function fixedAlibi(architecture: string, layers: number | undefined): boolean {
  return architecture === "bloom" || architecture === "refact" || (architecture === "baichuan" && layers === 40);
}

/** Every n-th layer is a full one where the file has a window but no pattern. */
const WINDOW_PATTERNS: Readonly<Record<string, number>> = {
  gemma2: 2,
  gemma3: 6,
  "gpt-oss": 2,
  cohere2: 4,
  olmo2: 4,
  exaone4: 4,
  afmoe: 4,
};

export function windowPattern(architecture: string): number | undefined {
  return ownValue(WINDOW_PATTERNS, architecture);
}

/** Layers without RoPE, hard-coded in the runtime: full ones, or every n-th. */
export function nopeStep(architecture: string): number | "full" | undefined {
  if (architecture === "smollm3" || architecture === "llama4") return 4;
  return ["cohere2", "exaone4", "afmoe"].includes(architecture) ? "full" : undefined;
}
