import { isRecord } from "../../../util/isRecord.ts";
import type { Section } from "../../text/section.ts";
import type { Attributes, Sourced } from "../attributes.ts";
import { byDefault, type Dictionary, setDefault } from "./ropeDictionary.ts";

/** What a class's own `convert_rope_params_to_dict` does; `s` in the table of model types. */
type Conversion = (attributes: Attributes, labels: readonly string[]) => Converted;

/** The dictionary of all layers, or one for each layer type. */
interface Converted {
  readonly flat?: Dictionary;
  readonly nested?: ReadonlyMap<string, Dictionary | null>;
}

function fromSection(section: Section | undefined): Dictionary {
  const dictionary: Dictionary = new Map();
  for (const key of section?.keys() ?? []) {
    const found = section?.get(key);
    if (found !== undefined) dictionary.set(key, { ...found, source: "config" });
  }
  return dictionary;
}

function fromDefaults(values: Readonly<Record<string, unknown>> | undefined): Dictionary {
  return new Map(Object.entries(values ?? {}).map(([name, value]) => [name, byDefault(value)]));
}

function scalingOf(attributes: Attributes): Dictionary {
  return fromSection(attributes.section?.section("rope_scaling"));
}

/** A non-empty `rope_scaling` replaces `rope_parameters` as a whole; then come those of the class. */
function chosenSection(attributes: Attributes): Section | undefined {
  const scaling = attributes.section?.section("rope_scaling");
  return scaling !== undefined && scaling.keys().length > 0 ? scaling : attributes.section?.section("rope_parameters");
}

/** Key or constant that gives the base outside the dictionaries. */
function outerTheta(attributes: Attributes): Sourced {
  const fallback = byDefault(attributes.type.t ?? 10_000);
  return attributes.valueOrDefault("rope_theta") ?? fallback;
}

function outerPartial(attributes: Attributes): Sourced | undefined {
  const own = attributes.valueOrDefault("partial_rotary_factor");
  if (own !== undefined) return own;
  return attributes.type.pd === undefined ? undefined : byDefault(attributes.type.pd);
}

function convert(
  attributes: Attributes,
  labels: readonly string[],
  theta: Sourced,
  partial: Sourced | undefined,
): Converted {
  return fromChosen(chosenSection(attributes), attributes, labels, theta, partial);
}

function fromChosen(
  section: Section | undefined,
  attributes: Attributes,
  labels: readonly string[],
  theta: Sourced,
  partial: Sourced | undefined,
): Converted {
  const complete = (dictionary: Dictionary): Dictionary => {
    setDefault(dictionary, "rope_theta", theta);
    setDefault(dictionary, "partial_rotary_factor", partial);
    return dictionary;
  };
  const nestedKeys = labels.filter((label) => section?.has(label) === true);
  if (section !== undefined && nestedKeys.length > 0) {
    const entries = nestedKeys.map((key): [string, Dictionary | null] => {
      const inner = section.section(key);
      return [key, inner === undefined ? null : complete(fromSection(inner))];
    });
    return { nested: new Map(entries) };
  }
  return { flat: complete(section === undefined ? fromDefaults(attributes.type.rp) : fromSection(section)) };
}

const generic: Conversion = (attributes, labels) =>
  convert(attributes, labels, outerTheta(attributes), outerPartial(attributes));

/** Both layer types of a class with a global and a local base; what is missing gets the class's default. */
function twoBases(
  attributes: Attributes,
  full: { theta: Sourced; merge: boolean },
  sliding: { theta: Sourced; merge: boolean },
): Converted {
  const written = attributes.section?.section("rope_parameters");
  const build = (label: string, { theta, merge }: { theta: Sourced; merge: boolean }): Dictionary => {
    // A class that starts from `{"rope_type": "default"}` never looks at a merged-in legacy `type`.
    const own = written?.section(label);
    const dictionary = own === undefined ? new Map([["rope_type", byDefault("default")]]) : fromSection(own);
    if (merge) for (const [key, found] of scalingOf(attributes)) dictionary.set(key, found);
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

const gemma3: Conversion = (attributes) =>
  twoBases(
    attributes,
    { theta: attributes.valueOrDefault("rope_theta") ?? byDefault(1_000_000), merge: true },
    { theta: attributes.valueOrDefault("rope_local_base_freq") ?? byDefault(10_000), merge: false },
  );

const modernbert: Conversion = (attributes) =>
  twoBases(
    attributes,
    { theta: attributes.valueOrDefault("global_rope_theta") ?? byDefault(160_000), merge: true },
    { theta: attributes.valueOrDefault("local_rope_theta") ?? byDefault(10_000), merge: true },
  );

/** The first reader takes `rope_theta` away, so that the sliding layers always have the class's default. */
const olmo3: Conversion = (attributes) => {
  const fallback = byDefault(attributes.type.t ?? 500_000);
  return twoBases(
    attributes,
    { theta: attributes.valueOrDefault("rope_theta") ?? fallback, merge: true },
    { theta: fallback, merge: false },
  );
};

/** No conversion of older forms: the nested dictionaries as written, else those of the class. */
const asWritten: Conversion = (attributes) => {
  const written = attributes.section?.section("rope_parameters");
  const nested = new Map<string, Dictionary | null>();
  for (const [label, values] of Object.entries(attributes.type.rp ?? {})) {
    const inner = written?.section(label);
    if (inner !== undefined) nested.set(label, fromSection(inner));
    else nested.set(label, fromDefaults(isRecord(values) ? values : undefined));
    setDefault(nested.get(label) ?? new Map(), "rope_theta", outerTheta(attributes));
  }
  return { nested };
};

/** `su` and `yarn` are other names of longrope here. */
const phi3: Conversion = (attributes, labels) => {
  const partial = attributes.valueOrDefault("partial_rotary_factor") ?? byDefault(1);
  const { flat = new Map() } = convert(
    attributes,
    labels,
    attributes.valueOrDefault("rope_theta") ?? byDefault(10_000),
    partial,
  );
  setDefault(flat, "rope_type", flat.get("type"));
  const type = flat.get("rope_type");
  if (type?.value === "su" || type?.value === "yarn") flat.set("rope_type", { ...type, value: "longrope" });
  return { flat };
};

/** `rope_theta` and `partial_rotary_factor` at the top are ignored; the old names count. */
const gptNeox: Conversion = (attributes, labels) =>
  convert(
    attributes,
    labels,
    attributes.valueOrDefault("rotary_emb_base") ?? byDefault(10_000),
    attributes.valueOrDefault("rotary_pct") ?? byDefault(attributes.type.pd ?? 1),
  );

/** `mrope` is `default` with sections. */
const qwen2Vl: Conversion = (attributes, labels) => {
  const { flat, nested } = convert(attributes, labels, outerTheta(attributes), undefined);
  if (flat === undefined) return nested === undefined ? {} : { nested };
  const type = flat.get("rope_type") ?? flat.get("type");
  if (type?.value === "mrope") flat.set("rope_type", { ...type, value: "default" });
  return { flat };
};

const minimaxM2: Conversion = (attributes, labels) => {
  const rotary = attributes.valueOrDefault("rotary_dim");
  const head = attributes.valueOrDefault("head_dim");
  const derived =
    rotary === undefined || head === undefined
      ? undefined
      : { value: rotary.value / head.value, source: "derived" as const };
  return convert(
    attributes,
    labels,
    outerTheta(attributes),
    attributes.valueOrDefault("partial_rotary_factor") ?? derived,
  );
};

const hunyuanVl: Conversion = (attributes, labels) => {
  const { flat, nested } = convert(attributes, labels, outerTheta(attributes), outerPartial(attributes));
  if (flat === undefined) return nested === undefined ? {} : { nested };
  const section = flat.get("xdrope_section");
  if (section !== undefined) setDefault(flat, "mrope_section", section);
  const type = flat.get("rope_type") ?? flat.get("type");
  if (type?.value === "xdrope") flat.set("rope_type", { ...type, value: "dynamic" });
  return { flat };
};

/** The class standardises before it reads the file's other keys: `rope_scaling` comes too late to count. */
const paramsOnly: Conversion = (attributes, labels) =>
  fromChosen(attributes.section?.section("rope_parameters"), attributes, labels, outerTheta(attributes), undefined);

const NEOMME_DEFAULTS: Readonly<Record<string, readonly [theta: number, partial: number]>> = {
  full_attention: [1_000_000, 0.25],
  sliding_attention: [10_000, 1],
};

const neomme: Conversion = (attributes, labels) => {
  const written = attributes.section?.section("rope_parameters");
  const nested = new Map<string, Dictionary>();
  for (const label of labels) {
    const [theta, partial] = NEOMME_DEFAULTS[label] ?? [10_000, 1];
    const dictionary = fromSection(written?.section(label));
    setDefault(dictionary, "rope_theta", attributes.valueOrDefault("rope_theta") ?? byDefault(theta));
    setDefault(dictionary, "partial_rotary_factor", byDefault(partial));
    nested.set(label, dictionary);
  }
  return { nested };
};

/** `rope_theta` and `partial_rotary_factors` may be lists, one value a layer; the first layer of a type counts. */
const step3p5: Conversion = (attributes, labels) => {
  const written = attributes.section?.section("rope_parameters");
  const nested = new Map<string, Dictionary>();
  for (const label of labels) {
    const own = written?.section(label);
    const dictionary = own === undefined ? new Map([["rope_type", byDefault("default")]]) : fromSection(own);
    const i = attributes.strings("layer_types")?.value.indexOf(label) ?? 0;
    setDefault(dictionary, "rope_theta", listed(attributes, "rope_theta", i) ?? byDefault(attributes.type.t ?? 10_000));
    setDefault(dictionary, "partial_rotary_factor", listed(attributes, "partial_rotary_factors", i));
    if (label === "full_attention") for (const [key, found] of scalingOf(attributes)) dictionary.set(key, found);
    nested.set(label, dictionary);
  }
  return { nested };
};

function listed(attributes: Attributes, name: string, i: number): Sourced | undefined {
  const found = attributes.fromFile(name);
  if (found === undefined || !Array.isArray(found.value)) return found;
  const value: unknown = found.value[Math.max(i, 0)];
  return value === undefined ? undefined : { ...found, value };
}

/** Two rotary modules: `main` for the window, `compress` for the compressed keys. */
const deepseekV4: Conversion = (attributes) => {
  const written = attributes.section?.section("rope_parameters") ?? attributes.section?.section("rope_scaling");
  const head = attributes.valueOrDefault("head_dim")?.value ?? 512;
  const rotary =
    attributes.fromFile("qk_rope_head_dim") === undefined ? undefined : attributes.valueOrDefault("qk_rope_head_dim");
  const partial: Sourced = attributes.valueOrDefault("partial_rotary_factor") ?? {
    value: (rotary?.value ?? 64) / head,
    source: rotary === undefined ? "default" : "derived",
  };
  const build = (label: string, theta: Sourced, inherited: Dictionary): Dictionary => {
    const inner = written?.section(label);
    const dictionary = inner === undefined ? inherited : fromSection(inner);
    setDefault(dictionary, "rope_theta", theta);
    setDefault(dictionary, "partial_rotary_factor", partial);
    return dictionary;
  };
  const isNested = written?.section("main") !== undefined;
  return {
    nested: new Map([
      ["main", build("main", outerTheta(attributes), new Map())],
      [
        "compress",
        build(
          "compress",
          attributes.valueOrDefault("compress_rope_theta") ?? byDefault(160_000),
          isNested ? new Map() : fromSection(written),
        ),
      ],
    ]),
  };
};

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  gemma3,
  modernbert,
  olmo3,
  as_written: asWritten,
  phi3,
  gpt_neox: gptNeox,
  qwen2_vl: qwen2Vl,
  minimax_m2: minimaxM2,
  hunyuan_vl_text: hunyuanVl,
  params_only: paramsOnly,
  neomme,
  step3p5,
  deepseek_v4: deepseekV4,
  // The class sets the fraction itself; only `rope_parameters` can say otherwise.
  bamba: (attributes, labels) => convert(attributes, labels, outerTheta(attributes), byDefault(0.5)),
  // The whole head of the latent attention is counted, of which `qk_rope_head_dim` rotates.
  mistral4: (attributes, labels) => convert(attributes, labels, outerTheta(attributes), undefined),
};

/** The first step of the standardisation, as this model's class does it. */
export function convertRope(attributes: Attributes, labels: readonly string[]): Converted {
  return (CONVERSIONS[attributes.type.s ?? ""] ?? generic)(attributes, labels);
}
