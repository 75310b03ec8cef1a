import type { JsonFormat } from "./recognise.ts";

/** Files of training frameworks: YAML, JSON or TOML, as the framework writes them. */
export type FrameworkFormat =
  | "neox-yaml"
  | "stripedhyena-yaml"
  | "litgpt-yaml"
  | "axolotl-yaml"
  | "llamafactory-yaml"
  | "torchtune-yaml"
  | "megatron-yaml"
  | "nemo-yaml"
  | "llm-foundry-yaml"
  | "olmo-yaml"
  | "swin-yaml";

/** All values of the command line's `format`. */
export type FileFormat = JsonFormat | "gguf" | "safetensors" | "safetensors-index" | FrameworkFormat;
