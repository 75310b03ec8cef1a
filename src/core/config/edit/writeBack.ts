import { t } from "@vscode/l10n";
import { type Edit, findNodeAtLocation, parseTree } from "jsonc-parser";
import type { Encoding, Parameter } from "../../encodings/encoding.ts";
import { encodingById } from "../../encodings/index.ts";
import { checkParams, knownParams } from "../../encodings/support/schema.ts";
import type { EncodingSpec, Evidence, Params, ParamValue } from "../../spec.ts";
import type { FileFormat } from "../formats.ts";
import type { FixChange } from "../problems.ts";
import { TYPE_KEYS } from "../rules/support/ropeKeys.ts";
import type { Path } from "../text/json.ts";
import { applyFix, replacement } from "./applyFix.ts";
import { setYamlValues } from "./setYamlValues.ts";

/** What writing parameters into a config does to its text. */
export interface WriteBack {
  /** One edit, offsets into the text; null where nothing changes. */
  readonly edit: Edit | null;
  /** Parameters that this file has no place for, and why. */
  readonly left: readonly { readonly param: string; readonly reason: string }[];
}

/** Keys of a dictionary of RoPE parameters; `rope_theta` and `partial_rotary_factor` stand there in the form of transformers 5 only. */
const IN_DICTIONARY: ReadonlySet<string> = new Set([
  "rope_type",
  "factor",
  "original_max_position_embeddings",
  "attention_factor",
  "beta_fast",
  "beta_slow",
  "mscale",
  "mscale_all_dim",
  "truncate",
  "short_factor",
  "long_factor",
  "low_freq_factor",
  "high_freq_factor",
]);
const BESIDE: ReadonlySet<string> = new Set(["rope_theta", "partial_rotary_factor"]);
/** Types of scaling that transformers reads from a file. */
const WRITTEN_TYPES: ReadonlySet<ParamValue> = new Set([
  "default",
  "linear",
  "dynamic",
  "yarn",
  "longrope",
  "llama3",
  "proportional",
]);

/**
 * The edit that makes a config say other parameters: values are changed where they stand, in the form that the file
 * has (transformers 4 or 5, nested or not); comments, order and indentation of the rest stay.
 * @param text without byte order mark
 * @param spec the encoding as it was read from this very text
 * @param wanted all parameters of the encoding as they are to be, under the names of its schema
 */
export function writeBack(text: string, format: FileFormat, spec: EncodingSpec, wanted: Params): WriteBack {
  const encoding = encodingById(spec.encoding);
  if (encoding === undefined) return { edit: null, left: [] };
  const base = checkParams(encoding, knownParams(encoding, spec.params)).params;
  const changed = encoding.parameters.filter(({ name }) => !same(base[name] ?? null, wanted[name] ?? null));
  if (format === "gguf" || format.startsWith("safetensors")) return refused(changed, t("checkpoints are read-only"));
  const writer = new Writer(text, format, spec, wanted);
  for (const parameter of encoding.parameters.filter(({ when }) => when?.(wanted) === false)) writer.drop(parameter);
  for (const parameter of changed.filter(({ when }) => when?.(wanted) !== false)) writer.set(parameter);
  const required = TYPE_KEYS[String(wanted["rope_type"])]?.required ?? [];
  if (changed.some(({ name }) => name === "rope_type"))
    for (const parameter of encoding.parameters.filter(({ name }) => required.includes(name)))
      writer.require(parameter);
  return writer.result(encoding);
}

function refused(changed: readonly Parameter[], reason: string): WriteBack {
  return { edit: null, left: changed.map(({ name }) => ({ param: name, reason })) };
}

function same(a: ParamValue, b: ParamValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

class Writer {
  readonly #text: string;
  readonly #format: FileFormat;
  readonly #spec: EncodingSpec;
  readonly #wanted: Params;
  readonly #changes: FixChange[] = [];
  readonly #left: { param: string; reason: string }[] = [];
  /** Keys that go into a dictionary which the file does not have yet. */
  readonly #fresh = new Map<string, ParamValue>();

  constructor(text: string, format: FileFormat, spec: EncodingSpec, wanted: Params) {
    this.#text = text;
    this.#format = format;
    this.#spec = spec;
    this.#wanted = wanted;
  }

  set(parameter: Parameter): void {
    const { name } = parameter;
    const value = this.#wanted[name] ?? null;
    if (name === "rope_type" && !WRITTEN_TYPES.has(value)) {
      const reason = t("type {0} does not exist in config files: set the equivalent base instead", String(value));
      this.#left.push({ param: name, reason });
      return;
    }
    const place = this.#placeOf(parameter);
    if (place !== undefined) this.#replace(name, place, value);
    else this.#insert(name, value);
  }

  /** transformers has no default for it where ours has one: it must stand in the file. */
  require(parameter: Parameter): void {
    const { name } = parameter;
    if (this.#placeOf(parameter) === undefined && !this.#fresh.has(name))
      this.#insert(name, this.#wanted[name] ?? null);
  }

  /** A key that the new type of scaling does not know goes. */
  drop(parameter: Parameter): void {
    const place = this.#placeOf(parameter);
    if (place !== undefined && IN_DICTIONARY.has(parameter.name)) this.#changes.push({ path: place.path });
  }

  result({ parameters }: Encoding): WriteBack {
    if (this.#isYaml()) return { edit: setYamlValues(this.#text, this.#changes), left: this.#left };
    const order = parameters.map(({ name }) => name);
    const fresh = [...this.#fresh].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const path = this.#dictionary();
    const dictionary =
      fresh.length === 0 ? [] : [{ path, value: Object.fromEntries(fresh) }, ...fresh.flatMap(inFloats(path))];
    const changed = applyFix(this.#text, { title: "", changes: [...this.#withoutScaling(), ...dictionary] });
    return { edit: changed === this.#text ? null : replacement(this.#text, changed), left: this.#left };
  }

  /** Without scaling, a file of transformers 4 has null for its dictionary. */
  #withoutScaling(): readonly FixChange[] {
    const path = this.#dictionary();
    const ended = this.#wanted["rope_type"] === "default" && this.#spec.params["rope_type"] !== "default";
    if (!ended || path.at(-1) !== "rope_scaling" || !this.#has(path)) return this.#changes;
    const outside = this.#changes.filter((change) => change.path.length <= path.length);
    return [...outside, { path, value: null }];
  }

  #isYaml(): boolean {
    return this.#format.endsWith("-yaml");
  }

  #placeOf({ name, aliases = [] }: Parameter): Evidence | undefined {
    return this.#spec.evidence.findLast(({ param }) => param === name || aliases.includes(param));
  }

  #replace(name: string, { path, param }: Evidence, value: ParamValue): void {
    const written = this.#valueAt(path);
    if (written !== undefined && !same(written, this.#spec.params[param] ?? null)) {
      this.#left.push({ param: name, reason: t("computed from {0}", path.join(".")) });
      return;
    }
    if (value === null && this.#isYaml()) this.#left.push({ param: name, reason: t("delete the key manually") });
    else if (value === null) this.#changes.push({ path });
    else this.#changes.push({ path, raw: spelling(name, value, this.#spellingAt(path)) });
  }

  #insert(name: string, value: ParamValue): void {
    if (value === null) return;
    const rope = this.#spec.encoding === "rope" && this.#format === "hf-config";
    const inside = rope && (IN_DICTIONARY.has(name) || (BESIDE.has(name) && this.#isNewForm()));
    if (inside && this.#isOthers()) {
      this.#left.push({ param: name, reason: t("{0} belongs to other layers", this.#dictionary().join(".")) });
    } else if (inside && !this.#has(this.#dictionary(), "object")) this.#fresh.set(name, value);
    else if (inside) this.#add([...this.#dictionary(), name], name, value);
    else if (rope && (BESIDE.has(name) || name === "max_position_embeddings"))
      this.#add([...this.#base(), name], name, value);
    else this.#left.push({ param: name, reason: t("determined by the model code, not by a key of this file") });
  }

  #add(path: Path, name: string, value: ParamValue): void {
    this.#changes.push({ path, value }, ...inFloats(path.slice(0, -1))([name, value]));
  }

  /** The object that the stack's own keys stand in. */
  #base(): Path {
    const structural = this.#spec.evidence.find(({ param }) =>
      ["num_heads", "num_layers", "num_kv_heads"].includes(param),
    );
    return structural?.path.slice(0, -1) ?? [];
  }

  #dictionary(): Path {
    const inside = this.#spec.evidence.find(({ path }) => path.some(isDictionary));
    if (inside !== undefined) return inside.path.slice(0, -1);
    const base = this.#base();
    const newer = [...base, "rope_parameters"];
    return this.#has(newer) ? newer : [...base, "rope_scaling"];
  }

  /** The file's scaling is one that this encoding reads nothing of: Gemma's local layers turn by their own base. */
  #isOthers(): boolean {
    const own = this.#spec.evidence.some(({ path }) => path.some(isDictionary));
    return !own && this.#has(this.#dictionary(), "object");
  }

  #isNewForm(): boolean {
    return this.#dictionary().includes("rope_parameters");
  }

  #node(path: Path) {
    const root = parseTree(this.#text);
    return root === undefined ? undefined : findNodeAtLocation(root, [...path]);
  }

  #has(path: Path, type?: string): boolean {
    const node = this.#node(path);
    return node !== undefined && (type === undefined || node.type === type);
  }

  #valueAt(path: Path): ParamValue | undefined {
    const node = this.#isYaml() ? undefined : this.#node(path);
    const value: unknown = node?.value;
    return typeof value === "number" || typeof value === "string" || typeof value === "boolean" ? value : undefined;
  }

  #spellingAt(path: Path): string | undefined {
    const node = this.#node(path);
    return node === undefined ? undefined : this.#text.slice(node.offset, node.offset + node.length);
  }
}

function isDictionary(key: string | number): boolean {
  return key === "rope_scaling" || key === "rope_parameters";
}

/** Where a new key is to be a float: transformers 4 warns of integers. */
const FLOATS: ReadonlySet<string> = new Set(["factor", "low_freq_factor", "high_freq_factor", "rope_theta"]);

/** What spells a key that was just added, where its value as JSON would not do. */
function inFloats(path: Path): (entry: readonly [string, ParamValue]) => FixChange[] {
  return ([name, value]) => {
    const raw = spelling(name, value, FLOATS.has(name) ? "1.0" : undefined);
    return raw === JSON.stringify(value) ? [] : [{ path: [...path, name], raw }];
  };
}

/** 8 stays 8.0 where the file writes floats so, and where transformers wants a float. */
function spelling(name: string, value: ParamValue, before: string | undefined): string {
  const float = name === "attention_factor" || (before !== undefined && /^-?\d+\.\d*$/.test(before));
  return float && Number.isInteger(value) ? `${JSON.stringify(value)}.0` : JSON.stringify(value);
}
