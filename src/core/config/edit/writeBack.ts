import * as l10n from "@vscode/l10n";
import { type Edit, parseTree } from "jsonc-parser";
import type { Encoding, Parameter } from "../../encodings/encoding.ts";
import { encodingById } from "../../encodings/index.ts";
import { checkParams, pickKnownParams } from "../../encodings/support/schema.ts";
import type { EncodingSpec, Evidence, Params, ParamValue } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { type FileFormat, isFrameworkFormat } from "../formats.ts";
import type { FixChange } from "../problems.ts";
import { ROPE_TYPE_KEYS } from "../rules/support/ropeKeys.ts";
import { findNode } from "../text/findNode.ts";
import type { Path } from "../text/json.ts";
import { applyFix, minimalEdit } from "./applyFix.ts";
import { setFrameworkValues } from "./setFrameworkValues.ts";

/** Result of writing parameters back into a config. */
export interface WriteBackResult {
  /** One edit, offsets into the text; null where nothing changes. */
  readonly edit: Edit | null;
  /** Parameters that cannot be written to this file, with the reason. */
  readonly unwritable: readonly { readonly param: string; readonly reason: string }[];
}

/** Keys of a dictionary of RoPE parameters in either form; transformers 5 has two more there. */
const DICTIONARY_KEYS: ReadonlySet<string> = new Set([
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
const VERSION_5_DICTIONARY_KEYS: ReadonlySet<string> = new Set(["rope_theta", "partial_rotary_factor"]);
/** `rope_type`s that transformers reads from a file. */
const CONFIG_ROPE_TYPES: ReadonlySet<ParamValue> = new Set([
  "default",
  "linear",
  "dynamic",
  "yarn",
  "longrope",
  "llama3",
  "proportional",
]);

/**
 * Computes the edit that gives a config other parameters. Values change where they are, in the file's own form
 * (transformers 4 or 5, nested or not); comments, order and indentation of the rest stay.
 * @param text without byte order mark
 * @param spec the encoding as it was read from this text
 * @param wanted all parameters of the encoding, under the names of its schema
 */
export function computeWriteBack(
  text: string,
  format: FileFormat,
  spec: EncodingSpec,
  wanted: Params,
): WriteBackResult {
  const encoding = encodingById(spec.encoding);
  if (encoding === undefined) return { edit: null, unwritable: [] };
  const base = checkParams(encoding, pickKnownParams(encoding, spec.params)).params;
  const changed = encoding.parameters.filter(({ name }) => !same(base[name] ?? null, wanted[name] ?? null));
  if (format === "gguf" || format.startsWith("safetensors"))
    return refuseWriteBack(changed, l10n.t("checkpoints are read-only"));
  const writer = new ConfigWriter(text, format, spec, wanted);
  for (const parameter of encoding.parameters.filter(({ when }) => when?.(wanted) === false)) writer.drop(parameter);
  for (const parameter of changed.filter(({ when }) => when?.(wanted) !== false)) writer.set(parameter);
  const required = ownValue(ROPE_TYPE_KEYS, String(wanted["rope_type"]))?.required ?? [];
  if (changed.some(({ name }) => name === "rope_type"))
    for (const parameter of encoding.parameters.filter(({ name }) => required.includes(name))) writer.ensure(parameter);
  return writer.result(encoding);
}

function refuseWriteBack(changed: readonly Parameter[], reason: string): WriteBackResult {
  return { edit: null, unwritable: changed.map(({ name }) => ({ param: name, reason })) };
}

function same(a: ParamValue, b: ParamValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

class ConfigWriter {
  readonly #text: string;
  readonly #format: FileFormat;
  readonly #spec: EncodingSpec;
  readonly #wanted: Params;
  readonly #changes: FixChange[] = [];
  readonly #unwritable: { param: string; reason: string }[] = [];
  /** Keys of a dictionary that the file does not have yet. */
  readonly #newDictionaryKeys = new Map<string, ParamValue>();

  constructor(text: string, format: FileFormat, spec: EncodingSpec, wanted: Params) {
    this.#text = text;
    this.#format = format;
    this.#spec = spec;
    this.#wanted = wanted;
  }

  set(parameter: Parameter): void {
    const { name } = parameter;
    const value = this.#wanted[name] ?? null;
    if (name === "rope_type" && !CONFIG_ROPE_TYPES.has(value)) {
      const reason = l10n.t("type {0} does not exist in config files: set the equivalent base instead", String(value));
      this.#unwritable.push({ param: name, reason });
      return;
    }
    const place = this.#evidenceOf(parameter);
    if (place !== undefined) this.#replace(name, place, value);
    else this.#insert(name, value);
  }

  /** Writes a parameter even at our default: transformers has no default for it. */
  ensure(parameter: Parameter): void {
    const { name } = parameter;
    if (this.#evidenceOf(parameter) === undefined && !this.#newDictionaryKeys.has(name))
      this.#insert(name, this.#wanted[name] ?? null);
  }

  /** Removes a key that the new `rope_type` does not use. */
  drop(parameter: Parameter): void {
    const place = this.#evidenceOf(parameter);
    if (place !== undefined && DICTIONARY_KEYS.has(parameter.name)) this.#changes.push({ path: place.path });
  }

  result({ parameters }: Encoding): WriteBackResult {
    if (isFrameworkFormat(this.#format))
      return {
        edit: setFrameworkValues(this.#text, this.#format, this.#changes),
        unwritable: this.#unwritable,
      };
    const order = parameters.map(({ name }) => name);
    const fresh = [...this.#newDictionaryKeys].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const path = this.#dictionaryPath();
    const dictionary =
      fresh.length === 0 ? [] : [{ path, value: Object.fromEntries(fresh) }, ...fresh.flatMap(spellAddedKey(path))];
    const changed = applyFix(this.#text, { title: "", changes: [...this.#withoutScaling(), ...dictionary] });
    return { edit: changed === this.#text ? null : minimalEdit(this.#text, changed), unwritable: this.#unwritable };
  }

  /** A transformers 4 file without scaling has null for its dictionary. */
  #withoutScaling(): readonly FixChange[] {
    const path = this.#dictionaryPath();
    const ended = this.#wanted["rope_type"] === "default" && this.#spec.params["rope_type"] !== "default";
    if (!ended || path.at(-1) !== "rope_scaling" || !this.#has(path)) return this.#changes;
    const outside = this.#changes.filter((change) => change.path.length <= path.length);
    return [...outside, { path, value: null }];
  }

  #isFramework(): boolean {
    return isFrameworkFormat(this.#format);
  }

  #evidenceOf({ name, aliases = [] }: Parameter): Evidence | undefined {
    return this.#spec.evidence.findLast(({ param }) => param === name || aliases.includes(param));
  }

  #replace(name: string, { path, param }: Evidence, value: ParamValue): void {
    const written = this.#valueAt(path);
    if (written !== undefined && !same(written, this.#spec.params[param] ?? null)) {
      this.#unwritable.push({ param: name, reason: l10n.t("computed from {0}", path.join(".")) });
      return;
    }
    if (value === null && this.#isFramework())
      this.#unwritable.push({ param: name, reason: l10n.t("delete the key manually") });
    else if (value === null) this.#changes.push({ path });
    else this.#changes.push({ path, raw: spellValue(name, value, this.#spellingAt(path)) });
  }

  #insert(name: string, value: ParamValue): void {
    if (value === null) return;
    const rope = this.#spec.encoding === "rope" && this.#format === "hf-config";
    const inside =
      rope && (DICTIONARY_KEYS.has(name) || (VERSION_5_DICTIONARY_KEYS.has(name) && this.#usesRopeParameters()));
    if (inside && this.#belongsToOtherLayers()) {
      this.#unwritable.push({
        param: name,
        reason: l10n.t("{0} belongs to other layers", this.#dictionaryPath().join(".")),
      });
    } else if (inside && !this.#has(this.#dictionaryPath(), "object")) this.#newDictionaryKeys.set(name, value);
    else if (inside) this.#add([...this.#dictionaryPath(), name], name, value);
    else if (rope && (VERSION_5_DICTIONARY_KEYS.has(name) || name === "max_position_embeddings"))
      this.#add([...this.#stackPath(), name], name, value);
    else
      this.#unwritable.push({ param: name, reason: l10n.t("determined by the model code, not by a key of this file") });
  }

  #add(path: Path, name: string, value: ParamValue): void {
    this.#changes.push({ path, value }, ...spellAddedKey(path.slice(0, -1))([name, value]));
  }

  /** Path of the object that contains the stack's own keys. */
  #stackPath(): Path {
    const structural = this.#spec.evidence.find(({ param }) =>
      ["num_heads", "num_layers", "num_kv_heads"].includes(param),
    );
    return structural?.path.slice(0, -1) ?? [];
  }

  #dictionaryPath(): Path {
    const inside = this.#spec.evidence.find(({ path }) => path.some(isDictionary));
    if (inside !== undefined) return inside.path.slice(0, -1);
    const base = this.#stackPath();
    const newer = [...base, "rope_parameters"];
    return this.#has(newer) ? newer : [...base, "rope_scaling"];
  }

  /**
   * The file's dictionary belongs to other layers: this encoding reads nothing of it (Gemma's local layers have their
   * own base).
   */
  #belongsToOtherLayers(): boolean {
    const own = this.#spec.evidence.some(({ path }) => path.some(isDictionary));
    return !own && this.#has(this.#dictionaryPath(), "object");
  }

  #usesRopeParameters(): boolean {
    return this.#dictionaryPath().includes("rope_parameters");
  }

  #node(path: Path) {
    return findNode(parseTree(this.#text), path);
  }

  #has(path: Path, type?: string): boolean {
    const node = this.#node(path);
    return node !== undefined && (type === undefined || node.type === type);
  }

  #valueAt(path: Path): ParamValue | undefined {
    const node = this.#isFramework() ? undefined : this.#node(path);
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

/** New keys to write as floats: transformers 4 warns about integers. */
const FLOAT_KEYS: ReadonlySet<string> = new Set(["factor", "low_freq_factor", "high_freq_factor", "rope_theta"]);

/** Changes that correct the spelling of an added key, where plain JSON is not enough. */
function spellAddedKey(path: Path): (entry: readonly [string, ParamValue]) => FixChange[] {
  return ([name, value]) => {
    const raw = spellValue(name, value, FLOAT_KEYS.has(name) ? "1.0" : undefined);
    return raw === JSON.stringify(value) ? [] : [{ path: [...path, name], raw }];
  };
}

/** Keeps floats as floats: 8 becomes 8.0 if the file writes it so, or transformers expects a float. */
function spellValue(name: string, value: ParamValue, before: string | undefined): string {
  const float = name === "attention_factor" || (before !== undefined && /^-?\d+\.\d*$/.test(before));
  return float && Number.isInteger(value) ? `${JSON.stringify(value)}.0` : JSON.stringify(value);
}
