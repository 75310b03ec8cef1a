import { t } from "@vscode/l10n";
import type { Confidence, Range, Source } from "../../spec.ts";
import type { ConfigProblem } from "../problems.ts";
import type { Path } from "../text/json.ts";
import type { Section } from "../text/section.ts";
import type { ModelType, StackType } from "./modelTypes.ts";

/** A value with where it came from; `path` and `range` when it stands in the file. */
export interface Sourced<T = unknown> {
  readonly value: T;
  readonly source: Source;
  readonly path?: Path;
  readonly range?: Range;
}

export type MaybeNumber = Sourced<number> | Sourced<null> | undefined;

/**
 * A configuration object as transformers has it after loading: the file's values under the class's names
 * (`attribute_map`), over what the parent sets, over the defaults of the class.
 */
export class Attributes {
  readonly section: Section | undefined;
  readonly type: ModelType;
  readonly typeName: string | null;
  readonly confidence: Confidence;
  readonly #over: Readonly<Record<string, unknown>>;
  readonly #report: (problem: ConfigProblem) => void;

  constructor(options: {
    section: Section | undefined;
    type: ModelType;
    typeName: string | null;
    confidence: Confidence;
    over?: Readonly<Record<string, unknown>>;
    report: (problem: ConfigProblem) => void;
  }) {
    this.section = options.section;
    this.type = options.type;
    this.typeName = options.typeName;
    this.confidence = options.confidence;
    this.#over = options.over ?? {};
    this.#report = options.report;
  }

  /** The same object with an encoding's own defaults below the parent's. */
  forStack(stack: StackType): Attributes {
    if (stack.d === undefined) return this;
    const { section, type, typeName, confidence } = this;
    return new Attributes({
      section,
      type,
      typeName,
      confidence,
      over: { ...stack.d, ...this.#over },
      report: this.#report,
    });
  }

  /** What the file says, under the model's own key or transformers' common one. */
  fromFile(name: string): Sourced | undefined {
    const found = this.section?.get(this.type.m?.[name] ?? name) ?? this.section?.get(name);
    return found === undefined ? undefined : { ...found, source: "config" };
  }

  get(name: string): Sourced | undefined {
    return this.fromFile(name) ?? this.#default(name);
  }

  #default(name: string): Sourced | undefined {
    const value = this.#over[name] ?? this.type.f?.[this.type.m?.[name] ?? name] ?? this.type.f?.[name];
    return value === undefined ? undefined : { value, source: "default" };
  }

  /**
   * A number, or null where the file says null. A value of another kind is reported, and the default taken.
   * Several names: the first that the file has, else the first that has a default.
   */
  number(...names: string[]): MaybeNumber {
    return this.#number(names, (own) => this.wrongType(own, t("a finite number")));
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

  /** Like `number`, with null taken for absent. */
  valueOrDefault(...names: string[]): Sourced<number> | undefined {
    const found = this.number(...names);
    return found === undefined || found.value === null ? undefined : found;
  }

  /** Like `given`, for what some models have one of for each stage or part: lists and objects are passed over. */
  size(...names: string[]): Sourced<number> | undefined {
    const found = this.#number(names, (own) => {
      if (typeof own.value !== "object") this.wrongType(own, t("a finite number"));
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

  wrongType(found: Sourced, wanted: string): void {
    if (found.path === undefined || found.range === undefined) return;
    this.report({
      rule: "config/wrong-type",
      severity: "error",
      message: t("expected {0}, found {1}", wanted, shown(found.value)),
      path: found.path,
      range: found.range,
      ...numberFix(found.value, found.path),
    });
  }

  /** Says that keys which the encoding needs are not in the file, where no class has defaults for them. */
  missing(...keys: string[]): void {
    const { section } = this;
    if (section === undefined || this.type.f !== undefined) return;
    this.report({
      rule: "config/missing-value",
      severity: "error",
      message: t("missing: {0}", keys.join(", ")),
      path: section.path,
      range: section.range(),
    });
  }

  /** Errors are kept for model types whose encoding is checked; on others they are warnings. */
  report(problem: ConfigProblem): void {
    const severity = problem.severity === "error" && this.confidence !== "checked" ? "warning" : problem.severity;
    this.#report({ ...problem, severity });
  }
}

/** A number in quotes is meant as a number. */
function numberFix(value: unknown, path: Path): Pick<ConfigProblem, "fix"> {
  if (typeof value !== "string" || !/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value)) return {};
  return { fix: { title: t("Remove the quotes around {0}", value), changes: [{ path, value: Number(value) }] } };
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

/** A value as a message shows it, cut short; NaN is not JSON but is what stands there. */
export function shown(value: unknown): string {
  const text = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "undefined");
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
