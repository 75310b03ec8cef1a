import * as l10n from "@vscode/l10n";
import { isRecord } from "../../util/isRecord.ts";
import type { Section } from "../text/section.ts";
import { type ConfigAttributes, isFiniteNumber, isNumbers, type Sourced } from "./attributes.ts";
import type { LayerRope } from "./modelTypes.ts";

/** RoPE parameters after transformers' standardisation, each with its source. */
type Dictionary = Map<string, Sourced>;

/**
 * `config.rope_parameters` in transformers 5.18 after loading and building the model (modeling_rope_utils.py,
 * RotaryEmbeddingConfigMixin, and the classes that override a step).
 */
export interface RopeParameters {
  /** The parameters of a layer; null if its layer type is null in the file, which means no RoPE. */
  forLayerType(layerType: string | undefined): RopeDictionary | null;
}

/** Typed access to RoPE parameters: a value of another type is reported at its location and counts as absent. */
export class RopeDictionary {
  readonly #attributes: ConfigAttributes;
  readonly #values: ReadonlyMap<string, Sourced>;

  constructor(attributes: ConfigAttributes, values: ReadonlyMap<string, Sourced> = new Map()) {
    this.#attributes = attributes;
    this.#values = values;
  }

  get(key: string): Sourced | undefined {
    return this.#values.get(key);
  }

  number(key: string): Sourced<number> | undefined {
    return this.#typed(key, isFiniteNumber, l10n.t("a finite number"));
  }

  numbers(key: string): Sourced<readonly number[]> | undefined {
    return this.#typed(key, isNumbers, l10n.t("a list of finite numbers"));
  }

  string(key: string): Sourced<string> | undefined {
    return this.#typed(key, (value) => typeof value === "string", l10n.t("a string"));
  }

  boolean(key: string): Sourced<boolean> | undefined {
    return this.#typed(key, (value) => typeof value === "boolean", l10n.t("true or false"));
  }

  #typed<T>(key: string, is: (value: unknown) => value is T, wanted: string): Sourced<T> | undefined {
    const found = this.#values.get(key);
    if (found === undefined || found.value === null) return undefined;
    const { value } = found;
    if (is(value)) return { ...found, value };
    this.#attributes.reportWrongType(found, wanted);
    return undefined;
  }
}

/**
 * Reads the RoPE parameters of a configuration.
 * @param layerTypes layer types of the model, which decide whether `rope_parameters` is nested
 */
export function readRopeParameters(attributes: ConfigAttributes, layerTypes: readonly string[]): RopeParameters {
  const { ropeByLayerType } = attributes.type;
  const nested =
    ropeByLayerType === undefined ? readNested(attributes, layerTypes) : readFixedLabels(attributes, ropeByLayerType);
  const standardise = (dictionary: Dictionary, isFlat: boolean) =>
    new RopeDictionary(attributes, standardiseDictionary(attributes, dictionary, isFlat));
  if (nested === undefined) {
    const section = chooseSection(attributes);
    const flat = section === undefined ? classDefaults(attributes.type.defaultRopeParameters) : valuesOf(section);
    const dictionary = standardise(flat, true);
    return { forLayerType: () => dictionary };
  }
  const dictionaries = new Map(
    [...nested].map(([label, values]) => [label, values === null ? null : standardise(values, false)]),
  );
  const first = [...dictionaries.values()].find((dictionary) => dictionary !== null) ?? new RopeDictionary(attributes);
  return {
    forLayerType: (layerType) => {
      const own = dictionaries.get(findLabel(ropeByLayerType, layerType));
      return own === undefined ? first : own;
    },
  };
}

function findLabel(labels: Readonly<Record<string, LayerRope>> = {}, layerType: string | undefined): string {
  const type = layerType ?? "";
  return Object.entries(labels).find(([, { layerTypes }]) => layerTypes?.includes(type))?.[0] ?? type;
}

/** A non-empty `rope_scaling` replaces all of `rope_parameters`; the class's defaults come last. */
function chooseSection({ section, type }: ConfigAttributes): Section | undefined {
  if (type.ropeSection !== undefined) return section?.section(type.ropeSection);
  const scaling = type.ignoresRopeScaling === true ? undefined : section?.section("rope_scaling");
  return scaling !== undefined && scaling.keys().length > 0 ? scaling : section?.section("rope_parameters");
}

/** The dictionaries under the model's layer types; undefined if the file has a single one for all layers. */
function readNested(
  attributes: ConfigAttributes,
  layerTypes: readonly string[],
): Map<string, Dictionary | null> | undefined {
  const section = chooseSection(attributes);
  const labels = layerTypes.filter((label) => section?.has(label) === true);
  if (section === undefined || labels.length === 0) return undefined;
  return new Map(
    labels.map((label) => {
      const inner = section.section(label);
      return [label, inner === undefined ? null : valuesOf(inner)];
    }),
  );
}

/** The dictionaries of a class that has them under fixed labels, whatever the model's layer types are. */
function readFixedLabels(
  attributes: ConfigAttributes,
  labels: Readonly<Record<string, LayerRope>>,
): Map<string, Dictionary> {
  const { section, type } = attributes;
  const takesFlat = Object.values(labels).some(({ takesFlatParameters }) => takesFlatParameters === true);
  const written = section?.section("rope_parameters") ?? (takesFlat ? section?.section("rope_scaling") : undefined);
  const isNested = Object.keys(labels).some((label) => written?.section(label) !== undefined);
  return new Map(
    Object.entries(labels).map(([label, rope]) => {
      const own = rope.takesFlatParameters === true && !isNested ? written : written?.section(label);
      const defaults = type.defaultRopeParameters?.[label];
      const dictionary =
        own === undefined ? classDefaults(isRecord(defaults) ? defaults : { rope_type: "default" }) : valuesOf(own);
      if (rope.mergesRopeScaling === true)
        for (const [key, found] of valuesOf(section?.section("rope_scaling"))) dictionary.set(key, found);
      setTopLevelValues(attributes, dictionary, label, rope);
      return [label, dictionary];
    }),
  );
}

/** The base and the fraction of a layer type where its dictionary has none. */
function setTopLevelValues(attributes: ConfigAttributes, dictionary: Dictionary, label: string, rope: LayerRope): void {
  const { theta = attributes.type.defaultTheta ?? 10_000, thetaKey, partialFactor, partialFactorKey } = rope;
  const read = (key: string | undefined) => {
    if (key === undefined) return undefined;
    return attributes.type.ropeListsPerLayer === true
      ? valueOfLayerType(attributes, key, label)
      : attributes.valueOrDefault(key);
  };
  setDefault(dictionary, "rope_theta", read(thetaKey) ?? defaultValue(theta));
  setDefault(dictionary, "partial_rotary_factor", read(partialFactorKey));
  if (partialFactor !== undefined) setDefault(dictionary, "partial_rotary_factor", defaultValue(partialFactor));
}

/** A value for all layers, or of a list with one per layer that of the first layer of a type. */
function valueOfLayerType(attributes: ConfigAttributes, key: string, label: string): Sourced | undefined {
  const found = attributes.fromFile(key);
  if (found === undefined || !Array.isArray(found.value)) return found;
  const layer = attributes.strings("layer_types")?.value.indexOf(label) ?? 0;
  const value: unknown = found.value[Math.max(layer, 0)];
  return value === undefined ? undefined : { ...found, value };
}

function standardiseDictionary(attributes: ConfigAttributes, dictionary: Dictionary, isFlat: boolean): Dictionary {
  const { type } = attributes;
  for (const [key, name] of Object.entries(type.ropeKeyAliases ?? {}))
    setDefault(dictionary, name, dictionary.get(key));
  setDefault(dictionary, "rope_type", dictionary.get("type") ?? defaultValue("default"));
  if (type.ropeByLayerType === undefined) {
    const theta = attributes.valueOrDefault(type.thetaKey ?? "rope_theta");
    preferWritten(attributes, dictionary, theta);
    setDefault(dictionary, "rope_theta", theta ?? defaultValue(type.defaultTheta ?? 10_000));
  }
  setDefault(dictionary, "partial_rotary_factor", readPartialFactor(attributes));
  // YaRN reads it from the outer dictionary, and these are inner ones.
  if (!isFlat) dictionary.delete("truncate");
  const written = dictionary.get("rope_type");
  const alias = type.ropeTypeAliases?.[String(written?.value)];
  if (alias !== undefined)
    dictionary.set("rope_type", { ...written, source: written?.source ?? "default", value: alias });
  if (type.defaultsToAxial === true && dictionary.get("rope_type")?.value === "default")
    dictionary.set("rope_type", defaultValue("axial"));
  setOriginalLength(attributes, dictionary, isFlat);
  return dictionary;
}

/**
 * A base that the file has at its top level, where the class begins with a dictionary that has one: transformers 5.18
 * keeps the class's. In version 4 the two were separate keys, and the file's counted.
 */
function preferWritten({ view }: ConfigAttributes, dictionary: Dictionary, theta: Sourced | undefined): void {
  if (theta?.source !== "config" || dictionary.get("rope_theta")?.source !== "default") return;
  view.noteDifference();
  if (view.isDeclared) dictionary.set("rope_theta", theta);
}

/** The fraction of a head that rotates, from outside the dictionaries. */
function readPartialFactor(attributes: ConfigAttributes): Sourced | undefined {
  const { partialFactorKey, partialFactorRatio, ignoresTopLevelPartialFactor, defaultPartialFactor } = attributes.type;
  const own =
    ignoresTopLevelPartialFactor === true
      ? undefined
      : attributes.valueOrDefault(partialFactorKey ?? "partial_rotary_factor");
  if (own !== undefined) return own;
  const [rotated, whole] = partialFactorRatio?.map((key) => attributes.valueOrDefault(key)?.value) ?? [];
  if (rotated !== undefined && whole !== undefined) return { value: rotated / whole, source: "derived" };
  return defaultPartialFactor === undefined ? undefined : defaultValue(defaultPartialFactor);
}

/** Types that stretch a training context need its length. "su" is the first name of LongRoPE, in remote code. */
const TYPES_WITH_ORIGINAL_LENGTH: readonly unknown[] = ["llama3", "yarn", "longrope", "su"];

function setOriginalLength(attributes: ConfigAttributes, dictionary: Dictionary, isFlat: boolean): void {
  if (!TYPES_WITH_ORIGINAL_LENGTH.includes(dictionary.get("rope_type")?.value)) return;
  const name = "original_max_position_embeddings";
  const top = attributes.get(name);
  if (isFlat && top !== undefined && top.value !== null) dictionary.set(name, top);
  const longest = attributes.valueOrDefault("max_position_embeddings");
  if (longest !== undefined) setDefault(dictionary, name, { value: longest.value, source: "default" });
}

function valuesOf(section: Section | undefined): Dictionary {
  const dictionary: Dictionary = new Map();
  for (const key of section?.keys() ?? []) {
    const found = section?.get(key);
    if (found !== undefined) dictionary.set(key, { ...found, source: "config" });
  }
  return dictionary;
}

function classDefaults(values: Readonly<Record<string, unknown>> | undefined): Dictionary {
  return new Map(Object.entries(values ?? {}).map(([name, value]) => [name, defaultValue(value)]));
}

function defaultValue(value: unknown): Sourced {
  return { value, source: "default" };
}

/** Python's `dict.setdefault`: existing values stay. */
function setDefault(dictionary: Dictionary, name: string, found: Sourced | undefined): void {
  if (found !== undefined && !dictionary.has(name)) dictionary.set(name, found);
}
