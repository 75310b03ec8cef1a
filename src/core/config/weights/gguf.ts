import type { GgufHeader } from "../../checkpoint/gguf.ts";
import type { EncodingSpec, TextRange } from "../../spec.ts";
import { isNumbers, type Sourced } from "../huggingface/attributes.ts";
import { SpecBuilder } from "../specBuilder.ts";
import { findGgufArchitecture, type GgufArchitecture } from "./ggufArchitectures.ts";

/** GGUF has no lines, so that all findings are at the start. */
const FILE_START: TextRange = { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };

/** Values of the small F32 tensors with frequencies, by tensor name. */
export type FrequencyData = ReadonlyMap<string, readonly number[]>;

/** Tensors whose values are needed. */
export const FREQUENCY_TENSORS = [
  "rope_freqs.weight",
  "rope_factors_long.weight",
  "rope_factors_short.weight",
] as const;

/** Reads a GGUF header as llama.cpp does (gguf-py constants, src/llama-model.cpp). */
export function readGgufSpecs(
  header: GgufHeader,
  data: FrequencyData,
): { modelType: string | null; specs: EncodingSpec[] } {
  const architecture = header.metadata.get("general.architecture");
  if (typeof architecture !== "string") return { modelType: null, specs: [] };
  return { modelType: architecture, specs: new GgufReader(header, architecture, data).specs() };
}

class GgufReader {
  readonly #header: GgufHeader;
  readonly #architecture: string;
  readonly #facts: GgufArchitecture;
  readonly #data: FrequencyData;

  constructor(header: GgufHeader, architecture: string, data: FrequencyData) {
    this.#header = header;
    this.#architecture = architecture;
    this.#facts = findGgufArchitecture(architecture);
    this.#data = data;
  }

  specs(): EncodingSpec[] {
    const table = this.#header.tensors.find(({ name }) => /^(?:token_)?position_embd\.weight$/.test(name));
    const alibi = this.#number("attention.max_alibi_bias");
    if ((alibi !== undefined && alibi.value > 0) || this.#hasFixedAlibi()) return this.#alibi(alibi);
    if (this.#number("attention.relative_buckets_count") !== undefined) return this.#t5Bias();
    if (table !== undefined) return this.#learnedTable(table.shape[1]);
    if (this.#facts.withoutRope !== true) return this.#rope();
    return [this.#sizes().build("none", "text", "all", "automatic")];
  }

  #hasFixedAlibi(): boolean {
    const { alibi } = this.#facts;
    return alibi === true || (alibi !== undefined && alibi.layers === this.#number("block_count")?.value);
  }

  #metadataValue(key: string): Sourced | undefined {
    const name = `${this.#architecture}.${key}`;
    const value = this.#header.metadata.get(name);
    return value === undefined ? undefined : { value, source: "config", path: [name], range: FILE_START };
  }

  #number(...keys: string[]): Sourced<number> | undefined {
    for (const key of keys) {
      const found = this.#metadataValue(key);
      if (typeof found?.value === "number" && Number.isFinite(found.value)) return { ...found, value: found.value };
    }
    return undefined;
  }

  #sizes(): SpecBuilder {
    const builder = new SpecBuilder();
    const heads = this.#number("attention.head_count");
    const width = this.#number("embedding_length");
    builder.set("num_heads", heads).set("num_layers", this.#number("block_count"));
    builder.set(
      "num_kv_heads",
      this.#number("attention.head_count_kv") ?? (heads && { value: heads.value, source: "derived" }),
    );
    const derived =
      heads !== undefined && width !== undefined && heads.value > 0 ? Math.floor(width.value / heads.value) : undefined;
    const written = this.#number("attention.key_length_mla", "attention.key_length");
    builder.set("head_dim", written ?? (derived === undefined ? undefined : { value: derived, source: "derived" }));
    builder.set("max_position_embeddings", this.#number("context_length"));
    return builder;
  }

  #alibi(bias: Sourced<number> | undefined): EncodingSpec[] {
    const builder = this.#sizes().set("alibi_bias_max", bias ?? { value: 8, source: "default" });
    return [builder.build("alibi", "text", "all", "automatic")];
  }

  #t5Bias(): EncodingSpec[] {
    const one = (bidirectional: boolean) =>
      this.#sizes()
        .set("num_buckets", this.#number("attention.relative_buckets_count"))
        .set("max_distance", { value: 128, source: "default" })
        .derive("bidirectional", bidirectional);
    const encoder = one(true).build("t5_bias", "encoder", "all", "automatic");
    if (this.#facts.encoderOnly === true) return [encoder];
    return [encoder, one(false).build("t5_bias", "decoder", "all", "automatic")];
  }

  #learnedTable(rows: number | undefined): EncodingSpec[] {
    const builder = this.#sizes();
    if (rows !== undefined) builder.derive("max_position_embeddings", rows).derive("usable_positions", rows);
    return [builder.build("learned_absolute", "text", "all", "automatic")];
  }

  #rope(): EncodingSpec[] {
    const base = this.#ropeBase();
    const window = this.#number("attention.sliding_window");
    const kinds = this.#layerKinds(base, window?.value ?? 0);
    if (kinds === undefined)
      return [
        this.#buildLayers(
          window && window.value > 0 && this.#facts.windowPeriod === undefined
            ? base.copy().set("sliding_window", window)
            : base,
          "all",
          true,
        ),
      ];
    const groups = new Map<string, number[]>();
    kinds.forEach((kind, i) => void groups.set(kind, [...(groups.get(kind) ?? []), i]));
    return [...groups].map(([kind, layers]) => {
      const slides = kind.includes("window");
      const builder = base.copy().set("sliding_window", slides ? window : undefined);
      if (slides) builder.set("rope_theta", this.#number("rope.freq_base_swa"));
      return this.#buildLayers(builder, groups.size === 1 ? "all" : layers, !kind.includes("nope"));
    });
  }

  #buildLayers(builder: SpecBuilder, layers: EncodingSpec["layers"], usesRope: boolean): EncodingSpec {
    if (usesRope)
      return builder.build(this.#facts.mropeSections === undefined ? "rope" : "mrope", "text", layers, "automatic");
    const plain = this.#sizes().set("sliding_window", { value: builder.get("sliding_window"), source: "config" });
    return plain.build("none", "text", layers, "automatic");
  }

  /** "window", "nope", both or neither for each layer; undefined if all are alike. */
  #layerKinds(base: SpecBuilder, window: number): readonly string[] | undefined {
    const count = base.get("num_layers");
    const step = this.#facts.ropeFreeLayers;
    const isWindow = this.#windowLayers(window);
    if (typeof count !== "number" || count > 1000 || (isWindow === undefined && typeof step !== "number"))
      return undefined;
    return Array.from({ length: count }, (_, i) => {
      const usesWindow = isWindow?.(i) === true;
      const nope =
        typeof step === "number" ? (i + 1) % step === 0 : step === "full" && isWindow !== undefined && !usesWindow;
      return `${usesWindow ? "window" : ""}${nope ? "nope" : ""}`;
    });
  }

  #windowLayers(window: number): ((i: number) => boolean) | undefined {
    if (window <= 0) return undefined;
    const pattern = this.#metadataValue("attention.sliding_window_pattern")?.value;
    if (Array.isArray(pattern)) return (i) => Boolean(pattern[i % pattern.length]);
    const every = typeof pattern === "number" ? pattern : this.#facts.windowPeriod;
    return every === undefined || every < 1 ? undefined : (i) => (i + 1) % every !== 0;
  }

  #ropeBase(): SpecBuilder {
    const builder = this.#sizes();
    const rotary = this.#number("rope.dimension_count");
    const head = builder.get("head_dim");
    builder.set("rope_theta", this.#number("rope.freq_base") ?? { value: 10_000, source: "default" });
    builder.derive("layout", this.#facts.layout ?? "half");
    if (rotary !== undefined && this.#facts.storesWholeKeyLength === true) builder.set("head_dim", rotary);
    builder.set("rotary_dim", rotary ?? (typeof head === "number" ? { value: head, source: "derived" } : undefined));
    const [turned, whole] = [builder.get("rotary_dim"), builder.get("head_dim")];
    if (typeof turned === "number" && typeof whole === "number" && whole > 0)
      builder.derive("partial_rotary_factor", turned / whole);
    this.#scaling(builder);
    const sections = this.#metadataValue("rope.dimension_sections");
    if (isNumbers(sections?.value))
      builder.set("mrope_section", { ...sections, value: sections.value.filter((part) => part > 0) });
    const style = this.#facts.mropeSections;
    if (style !== undefined) builder.derive("mrope_interleaved", style === "interleaved");
    return builder;
  }

  /**
   * Without `rope.scaling.type` scaling is linear; without a factor, or with 0, there is none. llama3 and longrope are
   * stored as tensors.
   */
  #scaling(builder: SpecBuilder): void {
    const type = this.#metadataValue("rope.scaling.type");
    const factor = this.#number("rope.scaling.factor", "rope.scale_linear");
    const scaled = factor !== undefined && factor.value !== 0 && factor.value !== 1;
    if (this.#hasTensor("rope_freqs.weight")) this.#bakedFrequencies(builder);
    else if (this.#hasTensor("rope_factors_long.weight") || type?.value === "longrope") this.#longrope(builder, factor);
    else if (factor === undefined || !scaled || type?.value === "none") {
      builder.set("rope_type", { value: "default", source: type === undefined ? "default" : "derived" });
    } else this.#linearOrYarn(builder, type, factor);
  }

  #linearOrYarn(builder: SpecBuilder, type: Sourced | undefined, factor: Sourced<number>): void {
    const source = type === undefined ? "default" : "config";
    const isYarn = type?.value === "yarn";
    builder.set("rope_type", { ...type, value: isYarn ? "yarn" : "linear", source }).set("factor", factor);
    if (isYarn) this.#yarn(builder);
  }

  #hasTensor(name: string): boolean {
    return this.#header.tensors.some((tensor) => tensor.name === name);
  }

  #originalLength(): Sourced | undefined {
    const longest = this.#number("context_length");
    return (
      this.#number("rope.scaling.original_context_length") ?? (longest && { value: longest.value, source: "default" })
    );
  }

  #yarn(builder: SpecBuilder): void {
    builder.set("original_max_position_embeddings", this.#originalLength());
    builder.set("beta_fast", this.#number("rope.scaling.yarn_beta_fast") ?? { value: 32, source: "default" });
    builder.set("beta_slow", this.#number("rope.scaling.yarn_beta_slow") ?? { value: 1, source: "default" });
    const multiplier = this.#number("rope.scaling.yarn_log_multiplier");
    if (multiplier !== undefined) builder.derive("mscale_all_dim", multiplier.value * 10);
  }

  /** The tensor has a divisor for each angle: Llama 3's scaling, computed by the conversion. */
  #bakedFrequencies(builder: SpecBuilder): void {
    const divisors = this.#data.get("rope_freqs.weight") ?? [];
    const [theta, rotary] = [builder.get("rope_theta"), builder.get("rotary_dim")];
    if (this.#facts.storesProportionalFrequencies === true) builder.derive("rope_type", "proportional");
    else builder.derive("rope_type", "llama3").derive("factor", divisors.length === 0 ? null : Math.max(...divisors));
    builder.set("original_max_position_embeddings", this.#number("rope.scaling.original_context_length"));
    if (typeof theta !== "number" || typeof rotary !== "number" || divisors.length !== rotary / 2) return;
    builder.derive(
      "inv_freq",
      divisors.map((divisor, k) => 1 / (divisor * theta ** ((2 * k) / rotary))),
    );
  }

  #longrope(builder: SpecBuilder, factor: Sourced<number> | undefined): void {
    builder.derive("rope_type", "longrope").set("original_max_position_embeddings", this.#originalLength());
    const [longest, original] = [
      builder.get("max_position_embeddings"),
      builder.get("original_max_position_embeddings"),
    ];
    const ratio =
      typeof longest === "number" && typeof original === "number" && original > 0 ? longest / original : undefined;
    builder.set("factor", factor ?? (ratio === undefined ? undefined : { value: ratio, source: "derived" }));
    builder.set("attention_factor", this.#number("rope.scaling.attn_factor"));
    for (const [param, name] of [
      ["long_factor", "rope_factors_long.weight"],
      ["short_factor", "rope_factors_short.weight"],
    ] as const) {
      const list = this.#data.get(name);
      if (list !== undefined) builder.derive(param, list);
    }
  }
}
