/** `LlamaRotaryEmbedding`, `_rotateHalf`, `ALiBi` → `llama_rotary_embedding`, `rotate_half`, `alibi`. */
export function snake(name: string): string {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const made = name
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
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .replace(/^_+|_+$/g, "");
  if (cache.size > 20_000) cache.clear();
  cache.set(name, made);
  return made;
}

const cache = new Map<string, string>();
