import type { ParamValue } from "../../spec.ts";

/** More layers are not a model's. */
const MAX_LAYERS = 10_000;

/**
 * Layers without RoPE: every n-th one, or those that a list or a pattern (`([0]*3+[1])*2`) marks.
 * @param without the mark of a layer without RoPE, 1 for Megatron's `no_rope_freq`
 * @returns 0-based indices
 */
export function findNopeLayers(value: unknown, count: ParamValue, without: 0 | 1): readonly number[] {
  if (typeof count !== "number" || count > MAX_LAYERS) return [];
  const marks = typeof value === "string" ? parsePattern(value) : value;
  const layers = Array.from({ length: Math.max(0, Math.floor(count)) }, (_, layer) => layer);
  if (typeof marks === "number") return marks > 0 ? layers.filter((layer) => (layer + 1) % marks === 0) : [];
  return Array.isArray(marks) ? layers.filter((layer) => marks[layer] === without) : [];
}

/** A number, or sums and products of lists of 0 and 1; undefined if the text is anything else. */
function parsePattern(text: string): number | readonly number[] | undefined {
  const compact = text.replace(/\s/g, "");
  if (/^\d{1,5}$/.test(compact)) return Number(compact);
  const parser = new PatternParser(compact);
  const marks = parser.sum(0);
  return marks !== undefined && parser.isAtEnd() ? marks : undefined;
}

class PatternParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  sum(depth: number): readonly number[] | undefined {
    const total: number[] = [];
    do {
      const part = this.#product(depth);
      if (part === undefined || total.length + part.length > MAX_LAYERS) return undefined;
      total.push(...part);
    } while (this.#take("+"));
    return total;
  }

  #product(depth: number): readonly number[] | undefined {
    let marks = this.#item(depth);
    while (marks !== undefined && this.#take("*")) {
      const times = Number(this.#match(/^\d{1,5}/) ?? Number.NaN);
      const part: readonly number[] = marks;
      marks = times * part.length <= MAX_LAYERS ? Array.from({ length: times }, () => part).flat() : undefined;
    }
    return marks;
  }

  #item(depth: number): readonly number[] | undefined {
    if (depth > 10) return undefined;
    if (this.#take("(")) {
      const inner = this.sum(depth + 1);
      return this.#take(")") ? inner : undefined;
    }
    const list = this.#match(/^\[[01](?:,[01])*,?\]/);
    return list?.match(/[01]/g)?.map(Number);
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    const [found] = pattern.exec(this.#text.slice(this.#at)) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }
}
