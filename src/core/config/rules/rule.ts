import type { Localized } from "../../l10n/l10n.ts";
import { localize } from "../../l10n/l10n.ts";
import type { EncodingSpec, Range } from "../../spec.ts";
import type { StackFacts } from "../huggingface/readHuggingFace.ts";
import type { ConfigProblem, Fix, FixChange } from "../problems.ts";
import type { JsonFormat } from "../recognise.ts";
import type { Path } from "../text/json.ts";
import type { Section } from "../text/section.ts";

/** Other files of a model's folder, read only when a rule asks. */
export interface Siblings {
  tokenizer(): Section | undefined;
  generation(): Section | undefined;
  /** GGUF files of the folder, as they were read. */
  readonly gguf: readonly GgufSibling[];
}

export interface GgufSibling {
  readonly name: string;
  readonly specs: readonly EncodingSpec[];
}

/** What a rule may look at: the file as it stands, and what was made of it. */
export interface Facts {
  readonly format: JsonFormat;
  readonly root: Section;
  readonly specs: readonly EncodingSpec[];
  /** Empty for formats other than `hf-config`. */
  readonly stacks: readonly StackFacts[];
  readonly siblings: Siblings;
}

/** One thing that a rule has found, at its place in the file. */
export interface Finding {
  readonly message: string;
  readonly path: Path;
  readonly range: Range;
  readonly fix?: Fix;
  /** Where the rule's own severity is too much: encodings that are not checked. */
  readonly checked?: boolean;
}

/**
 * One check of configurations. Severities follow transformers 5.18: error where it raises or computes something else
 * than what is written, warning where it warns or silently substitutes, info for what is merely good to know.
 */
export interface Rule {
  /** `group/what-is-wrong`; also the name of its page and of its fixtures. */
  readonly id: string;
  readonly severity: ConfigProblem["severity"];
  readonly formats: readonly JsonFormat[];
  readonly title: Localized;
  readonly rationale: Localized;
  /** Issue, paper or source path behind the rule. */
  readonly reference: string;
  check(facts: Facts): readonly Finding[];
}

/** A place in the file: a value that was read, or an object. */
export interface Place {
  readonly path?: Path;
  readonly range?: Range;
}

export interface FindingOptions {
  readonly args?: readonly (string | number)[];
  readonly fix?: { readonly title: Localized; readonly changes: readonly FixChange[] };
  readonly checked?: boolean;
}

/** A finding at a place; none where the place is not in the file. {0}, {1} … in the message are the arguments. */
export function finding(place: Place | undefined, message: Localized, options: FindingOptions = {}): Finding[] {
  if (place?.path === undefined || place.range === undefined) return [];
  const { args = [], fix, checked } = options;
  return [
    {
      message: fill(localize(message), args),
      path: place.path,
      range: place.range,
      ...(fix === undefined ? {} : { fix: { title: fill(localize(fix.title), args), changes: fix.changes } }),
      ...(checked === undefined ? {} : { checked }),
    },
  ];
}

function fill(template: string, args: readonly (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)] ?? ""));
}

export const HUGGING_FACE: readonly JsonFormat[] = ["hf-config"];
