/** `LlamaRotaryEmbedding`, `_rotateHalf`, `ALiBi` → `llama_rotary_embedding`, `rotate_half`, `alibi`. */
export function toSnakeCase(name: string): string {
  const cached = snakeCaseCache.get(name);
  if (cached !== undefined) return cached;
  const converted = name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/M[Rr]o[Pp][Ee]/g, "Mrope")
    .replace(/RoPE|(?<![A-Z])ROPE(?![A-Z])/g, "Rope")
    .replace(/NoPE/g, "Nope")
    .replace(/CoPE/g, "Cope")
    .replace(/YaRN|(?<![A-Z])YARN(?![A-Z])/g, "Yarn")
    .replace(/ALiBi|AliBi|(?<![A-Z])ALIBI(?![A-Z])/g, "Alibi")
    .replace(/XPos(?![a-z])|(?<![A-Za-z])xPos(?![a-z])|(?<![A-Z])[Xx]POS(?![A-Z])/g, "Xpos")
    .replace(/LLaMA/g, "Llama")
    .replace(/ViT/g, "Vit")
    .replace(/DeBERTa/g, "Deberta")
    .replace(/([a-z])(\d+D)(?![a-z])/g, "$1_$2")
    .replace(/(\d)D(?![a-z])/g, "$1d")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replace(/^_+|_+$/g, "");
  if (snakeCaseCache.size > 20_000) snakeCaseCache.clear();
  snakeCaseCache.set(name, converted);
  return converted;
}

/** Characters; names are matched by patterns that take quadratic time. */
const MAX_NAME_LENGTH = 200;

const snakeCaseCache = new Map<string, string>();
