import type { JsonFormat } from "./recognise.ts";

/** Files of training frameworks: YAML, JSON or TOML, as the framework writes them. */
export const FRAMEWORK_FORMATS = [
  "neox-yaml",
  "stripedhyena-yaml",
  "litgpt-yaml",
  "axolotl-yaml",
  "llamafactory-yaml",
  "torchtune-yaml",
  "megatron-yaml",
  "nemo-yaml",
  "llm-foundry-yaml",
  "olmo-yaml",
  "olmo-core",
  "nanotron-yaml",
  "torchtitan-toml",
  "maxtext-yaml",
  "levanter-yaml",
  "lingua-yaml",
  "open-lm",
  "audiocraft-yaml",
  "easylm",
  "wenet-yaml",
  "opennmt-yaml",
  "fairseq-yaml",
  "x-transformers",
  "swin-yaml",
] as const;

export type FrameworkFormat = (typeof FRAMEWORK_FORMATS)[number];

const NAMES: ReadonlySet<string> = new Set(FRAMEWORK_FORMATS);

export function isFrameworkFormat(format: FileFormat): format is FrameworkFormat {
  return NAMES.has(format);
}

/** All values of the command line's `format`. */
export type FileFormat = JsonFormat | "gguf" | "safetensors" | "safetensors-index" | FrameworkFormat;
