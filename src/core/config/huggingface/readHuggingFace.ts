import type { EncodingSpec } from "../../spec.ts";
import type { ConfigProblem } from "../problems.ts";
import type { Section } from "../text/section.ts";
import { Attributes } from "./attributes.ts";
import type { Side } from "./commonParams.ts";
import { guessType } from "./guess.ts";
import { findModelType, type ModelType, type StackType, typeOfArchitecture } from "./modelTypes.ts";
import { otherSpecs } from "./nonRotary.ts";
import { rotarySpecs } from "./rotary/rotary.ts";

type Report = (problem: ConfigProblem) => void;

/** One stack of a configuration as it was read: what rules look at. */
export interface StackFacts {
  readonly attributes: Attributes;
  readonly stack: StackType;
  readonly specs: readonly EncodingSpec[];
}

/** Takes what is said and seen while reading. */
export interface Listener {
  readonly report: Report;
  readonly collect: (facts: StackFacts) => void;
}

/** A parent's file holds the language model's keys at its top (v4 form of these types). */
const FLAT_TEXT: ReadonlySet<string> = new Set(["qwen2_vl", "qwen2_5_vl", "paddleocr_vl", "hunyuan_vl", "fuyu"]);

/** References are followed this deep; real configs need three. */
const MAX_DEPTH = 6;

const ROTARY: ReadonlySet<string> = new Set(["rope", "mrope", "axial_rope"]);

/** All encodings of a Hugging Face configuration, its sub-configurations included. */
export function configSpecs(section: Section, listener: Listener): { modelType: string | null; specs: EncodingSpec[] } {
  const written = section.string("model_type");
  const known = written === undefined || hasOwnPositions(section) ? undefined : findModelType(written);
  const byClass = known === undefined && !hasOwnPositions(section) ? architectureType(section) : undefined;
  const modelType = written ?? byClass ?? null;
  const type = known ?? (byClass === undefined ? undefined : findModelType(byClass));
  // A name that nobody knows on a known class (kimi_k2 on DeepseekV3ForCausalLM) is that class, most likely.
  const isSure = known !== undefined || written === undefined;
  const attributes = new Attributes({
    section,
    type: type ?? guessType(section),
    typeName: known === undefined ? (byClass ?? modelType) : modelType,
    confidence: type === undefined || !isSure ? "guess" : confidenceOf(type),
    report: listener.report,
  });
  return { modelType, specs: merged(typeSpecs(attributes, null, listener, 0)) };
}

/** BERT's and RoBERTa's names on code that comes with the checkpoint and has other positions (Jina's embeddings). */
function hasOwnPositions(section: Section): boolean {
  if (!section.has("auto_map") || !/^(?:bert|roberta|xlm-roberta)$/.test(section.string("model_type") ?? ""))
    return false;
  return /^(?:alibi|rotary|rope)$/.test(section.string("position_embedding_type") ?? "");
}

function architectureType(section: Section): string | undefined {
  const architectures = section.get("architectures")?.value;
  if (!Array.isArray(architectures)) return undefined;
  const names = architectures.map((name: unknown) => (typeof name === "string" ? typeOfArchitecture(name) : undefined));
  return names.find((name) => name !== undefined);
}

function confidenceOf(type: ModelType): "checked" | "automatic" {
  return type.u === 1 ? "automatic" : "checked";
}

/** Specs of one configuration object. `where` is what the parent calls it. */
function typeSpecs(attributes: Attributes, where: string | null, listener: Listener, depth: number): EncodingSpec[] {
  const stacks = attributes.type.e.filter((stack) => holds(attributes, stack));
  const specs = stacks.flatMap((stack) => {
    if (stack.r !== undefined) return depth >= MAX_DEPTH ? [] : referenceSpecs(attributes, stack, listener, depth);
    const own = inSubConfig(attributes, stack, listener.report);
    const found = stackSpecs(own, stack);
    listener.collect({ attributes: own, stack, specs: found });
    return found;
  });
  if (specs.length === 0)
    return stackSpecs(attributes, { w: attributes.type.e[0]?.w ?? "text", i: "none" }).map((spec) => ({
      ...spec,
      where: where ?? spec.where,
    }));
  return where === null ? specs : renamed(specs, where);
}

/** Stacks that are written in the parent's table but stand in a sub-config of the file. */
function inSubConfig(attributes: Attributes, stack: StackType, report: Report): Attributes {
  const own = attributes.forStack(stack);
  if (stack.k === undefined) return own;
  return new Attributes({
    section: attributes.section?.section(stack.k),
    type: { e: [] },
    typeName: attributes.typeName,
    confidence: attributes.confidence,
    over: stack.d ?? {},
    report,
  });
}

function stackSpecs(attributes: Attributes, stack: StackType): EncodingSpec[] {
  const read = ROTARY.has(stack.i ?? "none") ? rotarySpecs : otherSpecs;
  if (stack.w !== "encoder+decoder") return read(attributes, stack, stack.w, sideOf(stack.w));
  return [...read(attributes, stack, "encoder", "encoder"), ...read(attributes, stack, "decoder", "decoder")];
}

function sideOf(where: string): Side {
  return where === "encoder" || where === "decoder" ? where : null;
}

/** A sub-config: its own `model_type` where the table knows it, else the one that the parent's class takes. */
function referenceSpecs(attributes: Attributes, stack: StackType, listener: Listener, depth: number): EncodingSpec[] {
  const section = subSection(attributes, stack);
  const named = section?.string("model_type");
  const followed = named !== undefined && named !== attributes.typeName ? findModelType(named) : undefined;
  const reference = stack.r === "*" ? undefined : findModelType(stack.r ?? "");
  const type = followed ?? reference;
  if (type === undefined && section === undefined) return [];
  const found = type ?? guessType(section);
  const child = new Attributes({
    section,
    type: found,
    typeName: (followed !== undefined ? named : stack.r) ?? null,
    confidence: type === undefined ? "guess" : confidenceOf(type),
    over: followed !== undefined && named !== stack.r ? {} : (stack.d ?? {}),
    report: listener.report,
  });
  return typeSpecs(child, stack.w, listener, depth + 1);
}

function subSection(attributes: Attributes, stack: StackType): Section | undefined {
  if (stack.k === undefined) return attributes.section;
  const own = attributes.section?.section(stack.k);
  if (own !== undefined || !FLAT_TEXT.has(attributes.typeName ?? "")) return own;
  return stack.w === "text" ? attributes.section : undefined;
}

/** A single stack takes the parent's name for it; several keep theirs. */
function renamed(specs: readonly EncodingSpec[], where: string): EncodingSpec[] {
  const names = new Set(specs.map((spec) => spec.where));
  if (names.size === 1) return specs.map((spec) => ({ ...spec, where }));
  if ((where === "encoder" || where === "decoder") && names.has(where))
    return specs.filter((spec) => spec.where === where);
  return [...specs];
}

function holds(attributes: Attributes, stack: StackType): boolean {
  if (stack.x === undefined) return true;
  const [keys, wanted] = stack.x;
  if (keys === "baichuan") return (wanted === "alibi") === isBaichuan13(attributes);
  const flags = keys.split("|");
  if (typeof wanted === "boolean") return flags.some((key) => attributes.flag(key)) === wanted;
  return flags.some((key) => attributes.get(key)?.value === wanted);
}

/** Baichuan has one model type for two encodings: the 13B models use ALiBi and say `model_max_length`. */
function isBaichuan13(attributes: Attributes): boolean {
  const { section } = attributes;
  if (section?.has("rope_theta") === true) return false;
  const width = attributes.valueOrDefault("hidden_size")?.value;
  return (
    width === 5120 ||
    attributes.valueOrDefault("num_hidden_layers")?.value === 40 ||
    (width !== 4096 && section?.has("max_position_embeddings") !== true)
  );
}

/** One entry for each distinct (where, encoding, parameters). */
function merged(specs: readonly EncodingSpec[]): EncodingSpec[] {
  const unique = new Map<string, EncodingSpec>();
  for (const spec of specs) {
    const key = JSON.stringify([spec.where, spec.encoding, spec.layers, spec.params]);
    if (!unique.has(key)) unique.set(key, spec);
  }
  return withoutIdle([...unique.values()]);
}

/** A stack has `none` for all layers only if nothing else of it has positions. */
function withoutIdle(specs: readonly EncodingSpec[]): EncodingSpec[] {
  return specs.filter(
    (spec) =>
      spec.encoding !== "none" ||
      spec.layers !== "all" ||
      !specs.some((other) => other.where === spec.where && other.encoding !== "none"),
  );
}
