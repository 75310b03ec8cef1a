import { isRecord } from "../../../util/isRecord.ts";
import { isFiniteNumber } from "../../huggingface/attributes.ts";
import type { StackFacts } from "../../huggingface/readHuggingFace.ts";
import type { Section } from "../../text/section.ts";
import type { Facts, Finding, Place } from "../rule.ts";

/** One dictionary of RoPE parameters as it is written, with what it belongs to. */
export interface RopeBlock {
  readonly facts: StackFacts;
  readonly section: Section;
  /** Layer type that the dictionary is nested under. */
  readonly label: string | null;
  /** `rope_type`, else the legacy `type`, else "default". */
  readonly type: string;
  number(key: string): number | undefined;
}

/** Layer types that dictionaries are nested under. */
const LABEL = /(?:attention|hybrid(?:_sliding)?|main|compress)$/;

/** The dictionaries that transformers takes: a non-empty `rope_scaling`, else `rope_parameters`. */
export function ropeBlocks(facts: Facts): RopeBlock[] {
  return rotaryStacks(facts).flatMap((stack) => {
    const section = chosen(stack);
    if (section === undefined) return [];
    const labels = section.keys().filter((key) => LABEL.test(key) && isRecord(section.get(key)?.value));
    if (labels.length === 0) return [block(stack, section, null)];
    return labels.flatMap((label) => {
      const inner = section.section(label);
      return inner === undefined ? [] : [block(stack, inner, label)];
    });
  });
}

/** Stacks with rotary encoding, each section of the file once. */
export function rotaryStacks(facts: Facts): StackFacts[] {
  const seen = new Set<string>();
  return facts.stacks.filter(({ attributes, stack, specs }) => {
    if (attributes.section === undefined || stack.p?.constant === 1) return false;
    if (!specs.some(({ encoding }) => encoding === "rope" || encoding === "mrope")) return false;
    const key = attributes.section.path.join(" ");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function chosen({ attributes }: StackFacts): Section | undefined {
  const scaling = attributes.section?.section("rope_scaling");
  return scaling !== undefined && scaling.keys().length > 0 ? scaling : attributes.section?.section("rope_parameters");
}

function block(facts: StackFacts, section: Section, label: string | null): RopeBlock {
  return {
    facts,
    section,
    label,
    type: section.has("rope_type") ? String(section.get("rope_type")?.value) : (section.string("type") ?? "default"),
    number: (key) => {
      const value = section.get(key)?.value;
      return isFiniteNumber(value) ? value : undefined;
    },
  };
}

/** Place of a key, or of the whole dictionary where the key is missing. */
export function placeOf(section: Section, key?: string): Place {
  return (key === undefined ? undefined : section.get(key)) ?? { path: section.path, range: section.range() };
}

/** Findings of one kind of block: the common shape of the rules over RoPE dictionaries. */
export function overBlocks(check: (block: RopeBlock) => readonly Finding[]): (facts: Facts) => Finding[] {
  return (facts) =>
    ropeBlocks(facts).flatMap((block) => check(block).map((found) => ({ checked: isChecked(block.facts), ...found })));
}

/** The same for whole stacks. */
export function overRotary(check: (stack: StackFacts) => readonly Finding[]): (facts: Facts) => Finding[] {
  return (facts) =>
    rotaryStacks(facts).flatMap((stack) => check(stack).map((found) => ({ checked: isChecked(stack), ...found })));
}

/** All stacks, whatever their encoding. */
export function overStacks(check: (stack: StackFacts) => readonly Finding[]): (facts: Facts) => Finding[] {
  return (facts) =>
    facts.stacks.flatMap((stack) => check(stack).map((found) => ({ checked: isChecked(stack), ...found })));
}

function isChecked({ attributes }: StackFacts): boolean {
  return attributes.confidence === "checked";
}
