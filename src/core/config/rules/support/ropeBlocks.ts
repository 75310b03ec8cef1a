import { encodingById } from "../../../encodings/index.ts";
import { isRecord } from "../../../util/isRecord.ts";
import { isFiniteNumber } from "../../huggingface/attributes.ts";
import type { ModelType } from "../../huggingface/modelTypes.ts";
import type { StackFacts } from "../../huggingface/readHuggingFace.ts";
import type { Section } from "../../text/section.ts";
import type { ConfigLocation, RuleFacts, RuleFinding } from "../rule.ts";

/** One dictionary of RoPE parameters as written, with its stack. */
export interface RopeBlock {
  readonly facts: StackFacts;
  readonly section: Section;
  /** Layer type that the dictionary is nested under. */
  readonly label: string | undefined;
  /** `rope_type`, else the legacy `type`, else "default". */
  readonly type: string;
  number(key: string): number | undefined;
}

/** Layer types that may be labels of nested dictionaries. */
const LAYER_TYPE_LABEL = /(?:attention|hybrid(?:_sliding)?|main|compress)$/;

/** Finds the dictionaries that transformers uses: a non-empty `rope_scaling`, else `rope_parameters`. */
export function findRopeBlocks(facts: RuleFacts): RopeBlock[] {
  return findRotaryStacks(facts).flatMap((stack) => {
    const section = chosenDictionary(stack);
    if (section === undefined) return [];
    const labels = section.keys().filter((key) => LAYER_TYPE_LABEL.test(key) && isRecord(section.get(key)?.value));
    if (labels.length === 0) return [createRopeBlock(stack, section, undefined)];
    return labels.flatMap((label) => {
      const inner = section.section(label);
      return inner === undefined ? [] : [createRopeBlock(stack, inner, label)];
    });
  });
}

/** Finds stacks with RoPE, each section of the file once. */
export function findRotaryStacks(facts: RuleFacts): StackFacts[] {
  const seen = new Set<string>();
  return facts.stacks.filter(({ attributes, stack, specs }) => {
    if (attributes.section === undefined || stack.constantTheta === true) return false;
    if (!specs.some(({ encoding }) => encodingById(encoding)?.rotation?.scalable === true)) return false;
    const key = attributes.section.path.join(" ");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function chosenDictionary({ attributes }: StackFacts): Section | undefined {
  const scaling = attributes.section?.section("rope_scaling");
  return scaling !== undefined && scaling.keys().length > 0 ? scaling : attributes.section?.section("rope_parameters");
}

function createRopeBlock(facts: StackFacts, section: Section, label: string | undefined): RopeBlock {
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

/** Whether a class reads only nested dictionaries in `rope_parameters`. */
export function ignoresFlatParameters({ ropeByLayerType }: ModelType): boolean {
  return (
    ropeByLayerType !== undefined &&
    !Object.values(ropeByLayerType).some(({ takesFlatParameters }) => takesFlatParameters === true)
  );
}

/** Location of a key, or of the whole dictionary if the key is missing. */
export function locationOf(section: Section, key?: string): ConfigLocation {
  return (key === undefined ? undefined : section.get(key)) ?? { path: section.path, range: section.range() };
}

/** Checks each RoPE dictionary of a file. Errors become warnings for unchecked model types. */
export function checkEachBlock(
  check: (block: RopeBlock) => readonly RuleFinding[],
): (facts: RuleFacts) => RuleFinding[] {
  return (facts) =>
    findRopeBlocks(facts).flatMap((block) =>
      check(block).map((found) => ({ checked: isChecked(block.facts), ...found })),
    );
}

/** Checks each stack with RoPE. */
export function checkEachRotaryStack(
  check: (stack: StackFacts) => readonly RuleFinding[],
): (facts: RuleFacts) => RuleFinding[] {
  return (facts) =>
    findRotaryStacks(facts).flatMap((stack) => check(stack).map((found) => ({ checked: isChecked(stack), ...found })));
}

/** Checks each stack, whatever its encoding. */
export function checkEachStack(
  check: (stack: StackFacts) => readonly RuleFinding[],
): (facts: RuleFacts) => RuleFinding[] {
  return (facts) =>
    facts.stacks.flatMap((stack) => check(stack).map((found) => ({ checked: isChecked(stack), ...found })));
}

function isChecked({ attributes }: StackFacts): boolean {
  return attributes.confidence === "checked";
}
