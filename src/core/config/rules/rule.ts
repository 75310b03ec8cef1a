import type { Localized } from "../../l10n/l10n.ts";
import { localize } from "../../l10n/l10n.ts";
import type { EncodingSpec, TextRange } from "../../spec.ts";
import type { StackFacts } from "../huggingface/readHuggingFace.ts";
import type { ConfigProblem, Fix, FixChange } from "../problems.ts";
import type { JsonFormat } from "../recognise.ts";
import type { Path } from "../text/json.ts";
import type { Section } from "../text/section.ts";

/** Other files in a model's folder, read only if a rule needs them. */
export interface Siblings {
  tokenizer(): Section | undefined;
  generation(): Section | undefined;
  readonly gguf: readonly GgufSibling[];
}

export interface GgufSibling {
  readonly name: string;
  readonly specs: readonly EncodingSpec[];
}

/** Input of a rule: the file as written, and what was read from it. */
export interface RuleFacts {
  readonly format: JsonFormat;
  readonly root: Section;
  readonly specs: readonly EncodingSpec[];
  /** Empty for formats other than `hf-config`. */
  readonly stacks: readonly StackFacts[];
  readonly siblings: Siblings;
}

/** A finding of a rule, at its location in the file. */
export interface RuleFinding {
  readonly message: string;
  readonly path: Path;
  readonly range: TextRange;
  readonly fix?: Fix;
  readonly choices?: readonly Fix[];
  /** false makes an error a warning: the encoding of this model type is not checked. */
  readonly checked?: boolean;
}

/**
 * One check of configurations. Severities follow transformers 5.18: error if it raises or computes something else than
 * written, warning if it warns or silently substitutes, info for background.
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
  check(facts: RuleFacts): readonly RuleFinding[];
}

/** A value or an object in the file. */
export interface ConfigLocation {
  readonly path?: Path;
  readonly range?: TextRange;
}

interface FixOption {
  readonly title: Localized;
  readonly changes: readonly FixChange[];
}

export interface FindingOptions {
  readonly args?: readonly (string | number)[];
  readonly fix?: FixOption;
  readonly choices?: readonly FixOption[];
  readonly checked?: boolean;
}

/** A finding at a location, or none if that is not in the file. {0}, {1} … in the message stand for `args`. */
export function findingAt(
  place: ConfigLocation | undefined,
  message: Localized,
  options: FindingOptions = {},
): RuleFinding[] {
  if (place?.path === undefined || place.range === undefined) return [];
  const { args = [], fix, choices, checked } = options;
  const localizeFix = ({ title, changes }: FixOption) => ({ title: fillTemplate(localize(title), args), changes });
  return [
    {
      message: fillTemplate(localize(message), args),
      path: place.path,
      range: place.range,
      ...(fix === undefined ? {} : { fix: localizeFix(fix) }),
      ...(choices === undefined ? {} : { choices: choices.map(localizeFix) }),
      ...(checked === undefined ? {} : { checked }),
    },
  ];
}

function fillTemplate(template: string, args: readonly (string | number)[]): string {
  return template.replace(/\{(\d)\}/g, (_, index: string) => String(args[Number(index)] ?? ""));
}

export const HUGGING_FACE: readonly JsonFormat[] = ["hf-config"];
