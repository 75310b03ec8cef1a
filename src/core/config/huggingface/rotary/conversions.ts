import { isRecord } from "../../../util/isRecord.ts";
import type { Section } from "../../text/section.ts";
import type { ConfigAttributes, Sourced } from "../attributes.ts";
import { defaultValue, type MutableRopeParameters, setDefault } from "./ropeDictionary.ts";

/** A class's own `convert_rope_params_to_dict`; `ropeConversion` in the table of model types. */
type Conversion = (attributes: ConfigAttributes, labels: readonly string[]) => ConvertedRope;

/** One dictionary for all layers, or one per layer type. */
interface ConvertedRope {
  readonly flat?: MutableRopeParameters;
  readonly nested?: ReadonlyMap<string, MutableRopeParameters | null>;
}

function dictionaryFromSection(section: Section | undefined): MutableRopeParameters {
  const dictionary: MutableRopeParameters = new Map();
  for (const key of section?.keys() ?? []) {
    const found = section?.get(key);
    if (found !== undefined) dictionary.set(key, { ...found, source: "config" });
  }
  return dictionary;
}

function dictionaryFromDefaults(values: Readonly<Record<string, unknown>> | undefined): MutableRopeParameters {
  return new Map(Object.entries(values ?? {}).map(([name, value]) => [name, defaultValue(value)]));
}

function readRopeScaling(attributes: ConfigAttributes): MutableRopeParameters {
  return dictionaryFromSection(attributes.section?.section("rope_scaling"));
}

/** A non-empty `rope_scaling` replaces all of `rope_parameters`; the class's defaults come last. */
function chosenSection(attributes: ConfigAttributes): Section | undefined {
  const scaling = attributes.section?.section("rope_scaling");
  return scaling !== undefined && scaling.keys().length > 0 ? scaling : attributes.section?.section("rope_parameters");
}

/** The base outside the dictionaries: a top-level key, or the class's default. */
function topLevelTheta(attributes: ConfigAttributes): Sourced {
  const fallback = defaultValue(attributes.type.defaultTheta ?? 10_000);
  return attributes.valueOrDefault("rope_theta") ?? fallback;
}

function topLevelPartialFactor(attributes: ConfigAttributes): Sourced | undefined {
  const own = attributes.valueOrDefault("partial_rotary_factor");
  if (own !== undefined) return own;
  return attributes.type.defaultPartialFactor === undefined
    ? undefined
    : defaultValue(attributes.type.defaultPartialFactor);
}

function convertChosenSection(
  attributes: ConfigAttributes,
  labels: readonly string[],
  theta: Sourced,
  partial: Sourced | undefined,
): ConvertedRope {
  return convertSection(chosenSection(attributes), attributes, labels, theta, partial);
}

function convertSection(
  section: Section | undefined,
  attributes: ConfigAttributes,
  labels: readonly string[],
  theta: Sourced,
  partial: Sourced | undefined,
): ConvertedRope {
  const complete = (dictionary: MutableRopeParameters): MutableRopeParameters => {
    setDefault(dictionary, "rope_theta", theta);
    setDefault(dictionary, "partial_rotary_factor", partial);
    return dictionary;
  };
  const nestedKeys = labels.filter((label) => section?.has(label) === true);
  if (section !== undefined && nestedKeys.length > 0) {
    const entries = nestedKeys.map((key): [string, MutableRopeParameters | null] => {
      const inner = section.section(key);
      return [key, inner === undefined ? null : complete(dictionaryFromSection(inner))];
    });
    return { nested: new Map(entries) };
  }
  return {
    flat: complete(
      section === undefined
        ? dictionaryFromDefaults(attributes.type.defaultRopeParameters)
        : dictionaryFromSection(section),
    ),
  };
}

const convertGeneric: Conversion = (attributes, labels) =>
  convertChosenSection(attributes, labels, topLevelTheta(attributes), topLevelPartialFactor(attributes));

/** Dictionaries of a class with a global and a local base; missing values are the class's defaults. */
function convertTwoThetas(
  attributes: ConfigAttributes,
  full: { theta: Sourced; merge: boolean },
  sliding: { theta: Sourced; merge: boolean },
): ConvertedRope {
  const written = attributes.section?.section("rope_parameters");
  const build = (label: string, { theta, merge }: { theta: Sourced; merge: boolean }): MutableRopeParameters => {
    // These classes start with `{"rope_type": "default"}`, so that a merged legacy `type` has no effect.
    const own = written?.section(label);
    const dictionary =
      own === undefined ? new Map([["rope_type", defaultValue("default")]]) : dictionaryFromSection(own);
    if (merge) for (const [key, found] of readRopeScaling(attributes)) dictionary.set(key, found);
    setDefault(dictionary, "rope_theta", theta);
    return dictionary;
  };
  return {
    nested: new Map([
      ["full_attention", build("full_attention", full)],
      ["sliding_attention", build("sliding_attention", sliding)],
    ]),
  };
}

const convertGemma3: Conversion = (attributes) =>
  convertTwoThetas(
    attributes,
    { theta: attributes.valueOrDefault("rope_theta") ?? defaultValue(1_000_000), merge: true },
    { theta: attributes.valueOrDefault("rope_local_base_freq") ?? defaultValue(10_000), merge: false },
  );

const convertModernBert: Conversion = (attributes) =>
  convertTwoThetas(
    attributes,
    { theta: attributes.valueOrDefault("global_rope_theta") ?? defaultValue(160_000), merge: true },
    { theta: attributes.valueOrDefault("local_rope_theta") ?? defaultValue(10_000), merge: true },
  );

/**
 * The conversion of the full layers consumes `rope_theta`, so that the sliding layers always have the class's default.
 */
const convertOlmo3: Conversion = (attributes) => {
  const fallback = defaultValue(attributes.type.defaultTheta ?? 500_000);
  return convertTwoThetas(
    attributes,
    { theta: attributes.valueOrDefault("rope_theta") ?? fallback, merge: true },
    { theta: fallback, merge: false },
  );
};

/** Without conversion of older forms: the file's nested dictionaries, else those of the class. */
const keepAsWritten: Conversion = (attributes) => {
  const written = attributes.section?.section("rope_parameters");
  const nested = new Map<string, MutableRopeParameters | null>();
  for (const [label, values] of Object.entries(attributes.type.defaultRopeParameters ?? {})) {
    const inner = written?.section(label);
    if (inner !== undefined) nested.set(label, dictionaryFromSection(inner));
    else nested.set(label, dictionaryFromDefaults(isRecord(values) ? values : undefined));
    setDefault(nested.get(label) ?? new Map(), "rope_theta", topLevelTheta(attributes));
  }
  return { nested };
};

/** Here `su` and `yarn` are other names of longrope. */
const convertPhi3: Conversion = (attributes, labels) => {
  const partial = attributes.valueOrDefault("partial_rotary_factor") ?? defaultValue(1);
  const { flat = new Map() } = convertChosenSection(
    attributes,
    labels,
    attributes.valueOrDefault("rope_theta") ?? defaultValue(10_000),
    partial,
  );
  setDefault(flat, "rope_type", flat.get("type"));
  const type = flat.get("rope_type");
  if (type?.value === "su" || type?.value === "yarn") flat.set("rope_type", { ...type, value: "longrope" });
  return { flat };
};

/** Top-level `rope_theta` and `partial_rotary_factor` are ignored in favour of the old names. */
const convertGptNeox: Conversion = (attributes, labels) =>
  convertChosenSection(
    attributes,
    labels,
    attributes.valueOrDefault("rotary_emb_base") ?? defaultValue(10_000),
    attributes.valueOrDefault("rotary_pct") ?? defaultValue(attributes.type.defaultPartialFactor ?? 1),
  );

/** `mrope` means `default` with sections. */
const convertQwen2Vl: Conversion = (attributes, labels) => {
  const { flat, nested } = convertChosenSection(attributes, labels, topLevelTheta(attributes), undefined);
  if (flat === undefined) return nested === undefined ? {} : { nested };
  const type = flat.get("rope_type") ?? flat.get("type");
  if (type?.value === "mrope") flat.set("rope_type", { ...type, value: "default" });
  return { flat };
};

const convertMinimaxM2: Conversion = (attributes, labels) => {
  const rotary = attributes.valueOrDefault("rotary_dim");
  const head = attributes.valueOrDefault("head_dim");
  const derived =
    rotary === undefined || head === undefined
      ? undefined
      : { value: rotary.value / head.value, source: "derived" as const };
  return convertChosenSection(
    attributes,
    labels,
    topLevelTheta(attributes),
    attributes.valueOrDefault("partial_rotary_factor") ?? derived,
  );
};

const convertHunyuanVl: Conversion = (attributes, labels) => {
  const { flat, nested } = convertChosenSection(
    attributes,
    labels,
    topLevelTheta(attributes),
    topLevelPartialFactor(attributes),
  );
  if (flat === undefined) return nested === undefined ? {} : { nested };
  const section = flat.get("xdrope_section");
  if (section !== undefined) setDefault(flat, "mrope_section", section);
  const type = flat.get("rope_type") ?? flat.get("type");
  if (type?.value === "xdrope") flat.set("rope_type", { ...type, value: "dynamic" });
  return { flat };
};

/** The class standardises before it reads other keys, so that `rope_scaling` has no effect. */
const convertRopeParametersOnly: Conversion = (attributes, labels) =>
  convertSection(
    attributes.section?.section("rope_parameters"),
    attributes,
    labels,
    topLevelTheta(attributes),
    undefined,
  );

const NEOMME_DEFAULTS: Readonly<Record<string, readonly [theta: number, partial: number]>> = {
  full_attention: [1_000_000, 0.25],
  sliding_attention: [10_000, 1],
};

const convertNeomme: Conversion = (attributes, labels) => {
  const written = attributes.section?.section("rope_parameters");
  const nested = new Map<string, MutableRopeParameters>();
  for (const label of labels) {
    const [theta, partial] = NEOMME_DEFAULTS[label] ?? [10_000, 1];
    const dictionary = dictionaryFromSection(written?.section(label));
    setDefault(dictionary, "rope_theta", attributes.valueOrDefault("rope_theta") ?? defaultValue(theta));
    setDefault(dictionary, "partial_rotary_factor", defaultValue(partial));
    nested.set(label, dictionary);
  }
  return { nested };
};

/**
 * `rope_theta` and `partial_rotary_factors` may be lists with one value per layer; the first layer of each type counts.
 */
const convertStep3p5: Conversion = (attributes, labels) => {
  const written = attributes.section?.section("rope_parameters");
  const nested = new Map<string, MutableRopeParameters>();
  for (const label of labels) {
    const own = written?.section(label);
    const dictionary =
      own === undefined ? new Map([["rope_type", defaultValue("default")]]) : dictionaryFromSection(own);
    const i = attributes.strings("layer_types")?.value.indexOf(label) ?? 0;
    setDefault(
      dictionary,
      "rope_theta",
      valueOfLayer(attributes, "rope_theta", i) ?? defaultValue(attributes.type.defaultTheta ?? 10_000),
    );
    setDefault(dictionary, "partial_rotary_factor", valueOfLayer(attributes, "partial_rotary_factors", i));
    if (label === "full_attention") for (const [key, found] of readRopeScaling(attributes)) dictionary.set(key, found);
    nested.set(label, dictionary);
  }
  return { nested };
};

function valueOfLayer(attributes: ConfigAttributes, name: string, i: number): Sourced | undefined {
  const found = attributes.fromFile(name);
  if (found === undefined || !Array.isArray(found.value)) return found;
  const value: unknown = found.value[Math.max(i, 0)];
  return value === undefined ? undefined : { ...found, value };
}

/** Two rotary modules: `main` for the window layers, `compress` for the compressed keys. */
const convertDeepseekV4: Conversion = (attributes) => {
  const written = attributes.section?.section("rope_parameters") ?? attributes.section?.section("rope_scaling");
  const head = attributes.valueOrDefault("head_dim")?.value ?? 512;
  const rotary =
    attributes.fromFile("qk_rope_head_dim") === undefined ? undefined : attributes.valueOrDefault("qk_rope_head_dim");
  const partial: Sourced = attributes.valueOrDefault("partial_rotary_factor") ?? {
    value: (rotary?.value ?? 64) / head,
    source: rotary === undefined ? "default" : "derived",
  };
  const build = (label: string, theta: Sourced, inherited: MutableRopeParameters): MutableRopeParameters => {
    const inner = written?.section(label);
    const dictionary = inner === undefined ? inherited : dictionaryFromSection(inner);
    setDefault(dictionary, "rope_theta", theta);
    setDefault(dictionary, "partial_rotary_factor", partial);
    return dictionary;
  };
  const isNested = written?.section("main") !== undefined;
  return {
    nested: new Map([
      ["main", build("main", topLevelTheta(attributes), new Map())],
      [
        "compress",
        build(
          "compress",
          attributes.valueOrDefault("compress_rope_theta") ?? defaultValue(160_000),
          isNested ? new Map() : dictionaryFromSection(written),
        ),
      ],
    ]),
  };
};

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  gemma3: convertGemma3,
  modernbert: convertModernBert,
  olmo3: convertOlmo3,
  as_written: keepAsWritten,
  phi3: convertPhi3,
  gpt_neox: convertGptNeox,
  qwen2_vl: convertQwen2Vl,
  minimax_m2: convertMinimaxM2,
  hunyuan_vl_text: convertHunyuanVl,
  params_only: convertRopeParametersOnly,
  neomme: convertNeomme,
  step3p5: convertStep3p5,
  deepseek_v4: convertDeepseekV4,
  // The class sets the fraction itself; only `rope_parameters` can change it.
  bamba: (attributes, labels) => convertChosenSection(attributes, labels, topLevelTheta(attributes), defaultValue(0.5)),
  // The fraction counts the whole latent head, of which only `qk_rope_head_dim` dimensions rotate.
  mistral4: (attributes, labels) => convertChosenSection(attributes, labels, topLevelTheta(attributes), undefined),
};

/** The first step of transformers' standardisation, as this model's class overrides it. */
export function convertRope(attributes: ConfigAttributes, labels: readonly string[]): ConvertedRope {
  return (CONVERSIONS[attributes.type.ropeConversion ?? ""] ?? convertGeneric)(attributes, labels);
}
