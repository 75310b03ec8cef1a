import type { JsonFormat } from "./recognise.ts";

/** All values of the command line's `format`. */
export type FileFormat =
  | JsonFormat
  | "gguf"
  | "safetensors"
  | "safetensors-index"
  | "neox-yaml"
  | "litgpt-yaml"
  | "axolotl-yaml"
  | "llamafactory-yaml"
  | "torchtune-yaml"
  | "megatron-yaml"
  | "llm-foundry-yaml"
  | "swin-yaml";
