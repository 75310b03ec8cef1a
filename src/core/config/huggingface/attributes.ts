import * as l10n from "@vscode/l10n";
import type { Confidence, TextRange, ValueSource } from "../../spec.ts";
import { type ConfigProblem, limitSeverity, type ReportProblem } from "../problems.ts";
import type { Path } from "../text/json.ts";
import type { LocatedValue, Section } from "../text/section.ts";
import { type ModelType, publishedRow, type StackType } from "./modelTypes.ts";
import { ReadingView } from "./readingView.ts";

/** A value and its source; `path` and `range` if it is in the file. */
export interface Sourced<T = unknown> {
  readonly value: T;
  readonly source: ValueSource;
  readonly path?: Path;
  readonly range?: TextRange;
}

export type MaybeNumber = Sourced<number> | Sourced<null> | undefined;

/**
 * A configuration as transformers has it after loading: the file's values under the class's names (`attribute_map`),
 * then defaults of the parent config, then defaults of the class.
 */
export class ConfigAttributes {
  readonly section: Section | undefined;
  readonly type: ModelType;
  readonly typeName: string | undefined;
  readonly confidence: Confidence;
  readonly view: ReadingView;
  readonly #parentDefaults: Readonly<Record<string, unknown>>;
  readonly #report: ReportProblem;

  /** @param options view: the declared one unless given */
  constructor(options: {
    section: Section | undefined;
    type: ModelType;
    typeName: string | undefined;
    confidence: Confidence;
    parentDefaults?: Readonly<Record<string, unknown>>;
    report: ReportProblem;
    view?: ReadingView;
  }) {
    this.section = options.section;
    this.view = options.view ?? new ReadingView(true);
    this.type = this.view.isDeclared ? publishedRow(options.type) : options.type;
    if (this.type.published !== undefined) this.view.noteDifference();
    this.typeName = options.typeName;
    this.confidence = options.confidence;
    this.#parentDefaults = options.parentDefaults ?? {};
    this.#report = options.report;
  }

  /** The same attributes, with an encoding's own defaults after the parent's. */
  forStack(stack: StackType): ConfigAttributes {
    if (stack.defaults === undefined) return this;
    const { section, type, typeName, confidence, view } = this;
    return new ConfigAttributes({
      section,
      type,
      typeName,
      confidence,
      view,
      parentDefaults: { ...stack.defaults, ...this.#parentDefaults },
      report: this.#report,
    });
  }

  /** The file's value, under the model's own key or transformers' common one. */
  fromFile(name: string): Sourced | undefined {
    const found = this.#at(this.type.attributeMap?.[name] ?? name) ?? this.section?.get(name);
    return found === undefined ? undefined : { ...found, source: "config" };
  }

  /** The value at a key, or at several joined by dots. */
  #at(key: string): LocatedValue | undefined {
    const dot = key.lastIndexOf(".");
    return this.section?.get(key) ?? this.section?.section(key.slice(0, Math.max(dot, 0)))?.get(key.slice(dot + 1));
  }

  get(name: string): Sourced | undefined {
    return this.fromFile(name) ?? this.#default(name);
  }

  #default(name: string): Sourced | undefined {
    const value =
      this.#parentDefaults[name] ??
      this.type.defaults?.[this.type.attributeMap?.[name] ?? name] ??
      this.type.defaults?.[name];
    return value === undefined ? undefined : { value, source: "default" };
  }

  /**
   * A number, or null if the file has null. A value of another type is reported and replaced by the default.
   * @param names tried in order: first in the file, then among the defaults
   */
  number(...names: string[]): MaybeNumber {
    return this.#number(names, (own) => this.reportWrongType(own, l10n.t("a finite number")));
  }

  #number(names: readonly string[], refuse: (own: Sourced) => void): MaybeNumber {
    for (const name of names) {
      const own = this.fromFile(name);
      if (own === undefined) continue;
      if (own.value === null) return { ...own, value: null };
      if (isFiniteNumber(own.value)) return { ...own, value: own.value };
      refuse(own);
    }
    for (const name of names) {
      const fallback = this.#default(name);
      if (isFiniteNumber(fallback?.value)) return { ...fallback, value: fallback.value };
    }
    return undefined;
  }

  /** Like `number`, but null counts as absent. */
  valueOrDefault(...names: string[]): Sourced<number> | undefined {
    const found = this.number(...names);
    return found === undefined || found.value === null ? undefined : found;
  }

  /** Like `valueOrDefault`, but lists and objects count as absent: some models have one size per stage. */
  scalarSize(...names: string[]): Sourced<number> | undefined {
    const found = this.#number(names, (own) => {
      if (typeof own.value !== "object") this.reportWrongType(own, l10n.t("a finite number"));
    });
    return found === undefined || found.value === null ? undefined : found;
  }

  numbers(name: string): Sourced<readonly number[]> | undefined {
    const found = this.get(name);
    if (found === undefined || !isNumbers(found.value)) return undefined;
    return { ...found, value: found.value };
  }

  strings(name: string): Sourced<readonly string[]> | undefined {
    const found = this.get(name);
    if (found === undefined || !isStrings(found.value)) return undefined;
    return { ...found, value: found.value };
  }

  flag(name: string): boolean {
    const value = this.get(name)?.value;
    return value !== undefined && value !== null && value !== false && value !== 0 && value !== "";
  }

  reportWrongType(found: Sourced, wanted: string): void {
    if (found.path === undefined || found.range === undefined) return;
    this.report({
      rule: "config/wrong-type",
      severity: "error",
      message: l10n.t("expected {0}, found {1}", wanted, formatForMessage(found.value)),
      path: found.path,
      range: found.range,
      ...unquoteFix(found.value, found.path),
    });
  }

  /** Reports required keys that are missing. Without effect for classes with defaults. */
  reportMissing(...keys: string[]): void {
    const { section } = this;
    if (section === undefined || this.type.defaults !== undefined) return;
    this.report({
      rule: "config/missing-value",
      severity: "error",
      message: l10n.t("missing: {0}", keys.join(", ")),
      path: section.path,
      range: section.range(),
    });
  }

  /** Errors become warnings unless the model type's encoding is checked; a finding about a guess is a note. */
  report(problem: ConfigProblem): void {
    this.#report({ ...problem, severity: limitSeverity(problem.severity, this.confidence) });
  }
}

/** Offers to remove the quotes around a number. */
function unquoteFix(value: unknown, path: Path): Pick<ConfigProblem, "fix"> {
  if (typeof value !== "string" || !/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) return {};
  return { fix: { title: l10n.t("Remove the quotes around {0}", value), changes: [{ path, value: Number(value) }] } };
}

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

export function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every(isFiniteNumber);
}

export function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Formats a value for a message, truncated; NaN appears as such although it is not JSON. */
export function formatForMessage(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "undefined");
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
