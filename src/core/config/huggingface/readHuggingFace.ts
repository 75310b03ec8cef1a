import * as l10n from "@vscode/l10n";
import { encodingById } from "../../encodings/index.ts";
import type { EncodingSpec } from "../../spec.ts";
import type { IgnoreKey } from "../positionKeys/ignoredKey.ts";
import type { ReportProblem } from "../problems.ts";
import { addRuns } from "../runs.ts";
import type { Section } from "../text/section.ts";
import { ConfigAttributes } from "./attributes.ts";
import { findBorrowedType } from "./borrowedNames.ts";
import type { EncoderDecoder } from "./commonParams.ts";
import { guessModelType } from "./guess.ts";
import { findModelType, type ModelType, modelTypeOfArchitecture, type StackType } from "./modelTypes.ts";
import { readNonRotarySpecs } from "./nonRotary.ts";
import { ReadingView, TRANSFORMERS_RUN } from "./readingView.ts";
import { readRotarySpecs } from "./rotary.ts";
import { findSubModels } from "./subModels.ts";
import { findUnnamedType } from "./unnamedTypes.ts";

/** One stack of a configuration and its encodings, as rules see it. */
export interface StackFacts {
  readonly attributes: ConfigAttributes;
  readonly stack: StackType;
  readonly specs: readonly EncodingSpec[];
}

/** Receives problems, stacks and keys without effect during reading. */
export interface ReadingSink {
  readonly report: ReportProblem;
  readonly collectStack: (facts: StackFacts) => void;
  readonly ignore: IgnoreKey;
}

/** Depth of followed references; real configs need three. */
const MAX_REFERENCE_DEPTH = 6;

/** What a reading gives. */
export interface HuggingFaceReading {
  readonly modelType: string | null;
  readonly specs: EncodingSpec[];
}

/**
 * Reads all encodings of a Hugging Face configuration, including its sub-configs: those that the file declares, with
 * what transformers 5.18 uses instead in `runs`. The stacks are those of transformers 5.18, which rules are about.
 */
export function readHuggingFace(section: Section, sink: ReadingSink): HuggingFaceReading {
  const view = new ReadingView(true);
  const stacks: StackFacts[] = [];
  const declared = readAs(view, section, { ...sink, collectStack: (facts) => void stacks.push(facts) });
  if (!view.mayDiffer) {
    for (const facts of stacks) sink.collectStack(facts);
    return declared;
  }
  const run = readAs(new ReadingView(false), section, { ...sink, report: () => {}, ignore: () => {} });
  return { ...declared, specs: addRuns(declared.specs, run.specs, TRANSFORMERS_RUN) };
}

function readAs(view: ReadingView, section: Section, sink: ReadingSink): HuggingFaceReading {
  const written = section.string("model_type");
  const named = written === undefined ? undefined : findModelType(written);
  const mayBorrow = written === undefined || named?.nameUsedByRemoteCode === true;
  const borrowed = mayBorrow ? findBorrowedType(section) : undefined;
  const isForeign = borrowed === undefined && named?.nameUsedByRemoteCode === true && hasCustomPositions(section);
  const known = isForeign ? undefined : (borrowed?.type ?? named);
  const byClass = known === undefined && !isForeign ? modelTypeOfArchitectures(section) : undefined;
  const unnamed = known === undefined && byClass === undefined ? findUnnamedType(section) : undefined;
  const type = known ?? (byClass === undefined ? unnamed?.type : findModelType(byClass));
  // An unknown name on a known class (kimi_k2 on DeepseekV3ForCausalLM) most likely is that class.
  const isSure = known !== undefined || written === undefined;
  const attributes = new ConfigAttributes({
    section,
    type: type === undefined ? guessModelType(section) : withOtherModels(type, section),
    typeName: known === undefined ? (byClass ?? unnamed?.name ?? written) : (borrowed?.name ?? written),
    confidence: type === undefined || !isSure ? "guess" : unnamed === undefined ? confidenceOf(type) : "automatic",
    report: sink.report,
    view,
  });
  const specs = mergeEqualSpecs(readTypeSpecs(attributes, undefined, sink, 0));
  return { modelType: written ?? borrowed?.name ?? byClass ?? null, specs };
}

/** Files of remote code may have models beside those of the row (a vision tower): each is read for itself. */
function withOtherModels(type: ModelType, section: Section): ModelType {
  if (type.remoteCode === undefined) return type;
  const keys = type.stacks.flatMap(({ key }) => key ?? []);
  const wheres = new Set(type.stacks.map(({ where }) => where));
  const others = findSubModels(section)
    .filter(({ key }) => !keys.some((own) => own === key || key.startsWith(`${own}.`) || own.startsWith(`${key}.`)))
    .map(({ key, where }): StackType => ({ key, where: wheres.has(where) ? key : where, reference: "*" }));
  return others.length === 0 ? type : { ...type, stacks: [...type.stacks, ...others] };
}

/** Remote code whose position encodings are not those of the class that its `model_type` names. */
function hasCustomPositions(section: Section): boolean {
  return section.has("auto_map") && /^(?:alibi|rotary|rope)$/.test(section.string("position_embedding_type") ?? "");
}

function modelTypeOfArchitectures(section: Section): string | undefined {
  const architectures = section.get("architectures")?.value;
  if (!Array.isArray(architectures)) return undefined;
  const names = architectures.map((name: unknown) =>
    typeof name === "string" ? modelTypeOfArchitecture(name) : undefined,
  );
  return names.find((name) => name !== undefined);
}

function confidenceOf(type: ModelType): "checked" | "automatic" {
  return type.unverified === true ? "automatic" : "checked";
}

/**
 * Reads one configuration object.
 * @param where the parent's name for it; undefined at the top
 */
function readTypeSpecs(
  attributes: ConfigAttributes,
  where: string | undefined,
  sink: ReadingSink,
  depth: number,
): EncodingSpec[] {
  const stacks = chooseStacks(attributes, sink.ignore);
  const specs = stacks.flatMap((stack) => {
    if (stack.reference !== undefined)
      return depth >= MAX_REFERENCE_DEPTH ? [] : readReferencedSpecs(attributes, stack, sink, depth);
    const own = subConfigAttributes(attributes, stack, sink.report);
    const found = readStackSpecs(own, stack).map((spec) => withReasons(spec, attributes, stack));
    sink.collectStack({ attributes: own, stack, specs: found });
    return found;
  });
  if (specs.length === 0) {
    // "none" is said only of classes: nothing is known of a guess without a clue, or of sub-configs that are not there.
    if (stacks.length > 0 || attributes.confidence === "guess") return [];
    return readStackSpecs(attributes, { where: attributes.type.stacks[0]?.where ?? "text", encoding: "none" }).map(
      (spec) => ({
        ...spec,
        where: where ?? spec.where,
      }),
    );
  }
  return where === undefined ? specs : nameByParent(specs, where);
}

/** The keys that decide for a stack are evidence of its encoding. */
function withReasons(spec: EncodingSpec, attributes: ConfigAttributes, { when }: StackType): EncodingSpec {
  const keys = when === undefined || when[0] === "sizeVariant" ? [] : when[0].split("|");
  const evidence = keys.flatMap((key) => {
    const { path, range } = attributes.fromFile(key) ?? {};
    return path === undefined || range === undefined ? [] : [{ param: "encoding", path, range }];
  });
  return evidence.length === 0 ? spec : { ...spec, evidence: [...spec.evidence, ...evidence] };
}

/** The stacks whose conditions hold. Keys of the others are looked at: beside other values, they would count. */
function chooseStacks(attributes: ConfigAttributes, ignore: IgnoreKey): readonly StackType[] {
  const chosen = attributes.type.stacks.filter((stack) => conditionHolds(attributes, stack));
  for (const { parameterKeys = {} } of attributes.type.stacks)
    for (const key of Object.values(parameterKeys)) attributes.fromFile(key);
  for (const key of attributes.type.unusedKeys ?? []) {
    const { path, range } = attributes.fromFile(key) ?? {};
    if (path !== undefined && range !== undefined)
      ignore({ path, range, reason: l10n.t("stored by the class; no code uses it") });
  }
  return chosen;
}

/** The sub-config of a stack that is described in the parent's entry of the table. */
function subConfigAttributes(attributes: ConfigAttributes, stack: StackType, report: ReportProblem): ConfigAttributes {
  const own = attributes.forStack(stack);
  if (stack.key === undefined) return own;
  return new ConfigAttributes({
    section: attributes.section?.section(stack.key),
    type: { stacks: [] },
    typeName: attributes.typeName,
    confidence: attributes.confidence,
    parentDefaults: stack.defaults ?? {},
    report,
    view: attributes.view,
  });
}

function readStackSpecs(attributes: ConfigAttributes, stack: StackType): EncodingSpec[] {
  const read = encodingById(stack.encoding ?? "none")?.rotation !== undefined ? readRotarySpecs : readNonRotarySpecs;
  if (stack.where !== "encoder+decoder") return read(attributes, stack, stack.where, encoderOrDecoder(stack.where));
  return [...read(attributes, stack, "encoder", "encoder"), ...read(attributes, stack, "decoder", "decoder")];
}

function encoderOrDecoder(where: string): EncoderDecoder {
  return where === "encoder" || where === "decoder" ? where : undefined;
}

/** Reads a sub-config by its own `model_type` if the table has it, else by the type that the parent's class uses. */
function readReferencedSpecs(
  attributes: ConfigAttributes,
  stack: StackType,
  sink: ReadingSink,
  depth: number,
): EncodingSpec[] {
  const section = subSection(attributes, stack);
  const named = section?.string("model_type");
  const followed =
    named !== undefined && named !== attributes.typeName ? findPart(findModelType(named), section, stack) : undefined;
  const reference = stack.reference === "*" ? undefined : findModelType(stack.reference ?? "");
  const unnamed = followed === undefined && reference === undefined ? findUnnamedType(section) : undefined;
  const type = followed ?? withRemoteCode(reference, attributes.type, stack) ?? unnamed?.type;
  if (type === undefined && section === undefined) return [];
  const found = type ?? guessModelType(section);
  const child = new ConfigAttributes({
    section,
    type: found,
    typeName: followed !== undefined ? named : stack.reference,
    // A model inside of one that is not known may not be the library's, whatever its name.
    confidence:
      type === undefined
        ? "guess"
        : unnamed === undefined && attributes.confidence !== "guess"
          ? confidenceOf(type)
          : "automatic",
    parentDefaults: followed !== undefined && named !== stack.reference ? {} : (stack.defaults ?? {}),
    report: sink.report,
    view: attributes.view,
  });
  return readTypeSpecs(child, stack.where, sink, depth + 1);
}

/**
 * The part of a composite that a sub-config describes under the composite's name: a vision_config of type "siglip" with
 * its own width is SigLIP's vision part, as `SiglipVisionConfig.from_pretrained` has it.
 */
function findPart(
  type: ModelType | undefined,
  section: Section | undefined,
  { where }: StackType,
): ModelType | undefined {
  const keys = type?.stacks.map(({ key }) => key) ?? [];
  const isPart = section?.has("hidden_size") === true && keys.every((key) => key !== undefined && !section.has(key));
  const part = isPart ? type?.stacks.find((stack) => stack.where === where) : undefined;
  return findModelType(part?.reference ?? "") ?? type;
}

/** Remote code that builds on a class, in the same file: the library does not read the file, nor refuse its keys. */
function withRemoteCode(
  reference: ModelType | undefined,
  { remoteCode }: ModelType,
  { key }: StackType,
): ModelType | undefined {
  if (reference === undefined || remoteCode === undefined || key !== undefined) return reference;
  const { ropeTypeAliases: _, hasRopeParameters: __, ...facts } = reference;
  return { ...facts, remoteCode, unverified: true };
}

function subSection(attributes: ConfigAttributes, stack: StackType): Section | undefined {
  if (stack.key === undefined) return attributes.section;
  const own = attributes.section?.section(stack.key);
  if (own !== undefined || attributes.type.flatTextConfig !== true) return own;
  return stack.where === "text" ? attributes.section : undefined;
}

/** A single stack takes the parent's name for it; several keep their own. */
function nameByParent(specs: readonly EncodingSpec[], where: string): EncodingSpec[] {
  const names = new Set(specs.map((spec) => spec.where));
  if (names.size === 1) return specs.map((spec) => ({ ...spec, where }));
  if ((where === "encoder" || where === "decoder") && names.has(where))
    return specs.filter((spec) => spec.where === where);
  return [...specs];
}

function conditionHolds(attributes: ConfigAttributes, stack: StackType): boolean {
  const [excluding, values = []] = stack.unless ?? [];
  if (excluding !== undefined && values.includes(attributes.get(excluding)?.value)) return false;
  if (stack.when === undefined) return true;
  const [keys, wanted] = stack.when;
  if (keys === "sizeVariant") return wanted === resolveSizeVariant(attributes);
  const flags = keys.split("|");
  if (typeof wanted === "boolean") return flags.some((key) => attributes.flag(key)) === wanted;
  return flags.some((key) => attributes.get(key)?.value === wanted);
}

function resolveSizeVariant(attributes: ConfigAttributes): "large" | "small" | undefined {
  const { section, type } = attributes;
  if (type.sizeVariants === undefined) return undefined;
  const { onlyInSmall, large, small, keysOfSmall } = type.sizeVariants;
  const hasAny = (sizes: Readonly<Record<string, number>>) =>
    Object.entries(sizes).some(([key, size]) => attributes.valueOrDefault(key)?.value === size);
  if (section?.has(onlyInSmall) === true) return "small";
  if (hasAny(large)) return "large";
  return hasAny(small) || keysOfSmall.some((key) => section?.has(key) === true) ? "small" : "large";
}

/** Removes specs with equal stack, encoding, layers and parameters. */
function mergeEqualSpecs(specs: readonly EncodingSpec[]): EncodingSpec[] {
  const unique = new Map<string, EncodingSpec>();
  for (const spec of specs) {
    const key = JSON.stringify([spec.where, spec.encoding, spec.layers, spec.params]);
    if (!unique.has(key)) unique.set(key, spec);
  }
  return withoutRedundantNone([...unique.values()]);
}

/** Removes `none` for all layers of a stack that has another encoding. */
function withoutRedundantNone(specs: readonly EncodingSpec[]): EncodingSpec[] {
  return specs.filter(
    (spec) =>
      spec.encoding !== "none" ||
      spec.layers !== "all" ||
      !specs.some((other) => other.where === spec.where && other.encoding !== "none"),
  );
}
