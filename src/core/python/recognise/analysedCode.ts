import type { EncodingId, ParamValue } from "../../spec.ts";
import { RoleResolver } from "../patterns/roleResolver.ts";
import {
  findExport,
  importedNames,
  type Module,
  type ModuleContext,
  type Occurrence,
  type Scope,
} from "../symbols/module.ts";
import type { Evaluator } from "../values/evaluator.ts";
import { FeatureCollector, type Features } from "./features.ts";
import { toSnakeCase } from "./snakeCase.ts";

/** What other files contribute to the analysis of a file. An analysis is cached for as long as its context stays. */
export interface AnalysisContext extends ModuleContext {
  readonly importedModule: (level: number, module: string) => AnalysedCode | null;
  /** Value from the config in the same folder for a parameter that the code leaves open. */
  readonly configValue: (encoding: EncodingId, param: string) => ParamValue | undefined;
}

export const NO_CONTEXT: AnalysisContext = {
  importedModule: () => null,
  configValue: () => undefined,
  cellStart: 0,
};

/** Any code that splits vectors into pairs matches this: chunk, x[::2], d // 2, reshape(…, 2), complex. */
const SPLITTING_CODE =
  /chunk|split|unbind|unstack|rearrange|::\s*2|\/\/?\s*2\b|>> ?1|half|complex|(?:reshape|view|unflatten)\((?:[^()]|\([^()]*\))*?[,(]\s*2\s*[,)\]]/;

// Cached per scope and per part: edits elsewhere do not change these.
const namesByScope = new WeakMap<Scope, string>();
const namesByPart = new WeakMap<Module["parts"][number], readonly string[]>();
const identifiersByScope = new WeakMap<Scope, ReadonlySet<string>>();
const maySplitByScope = new WeakMap<Scope, boolean>();

function cached<Key extends object, Value>(cache: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const value = cache.get(key) ?? make();
  cache.set(key, value);
  return value;
}

function collectNames(occurrences: Iterable<Occurrence>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const occurrence of occurrences) names.add(toSnakeCase(occurrence.name));
  return names;
}

function joinWithSpaces(names: Iterable<string>): string {
  return ` ${[...new Set(names)].join(" ")} `;
}

/**
 * Everything that the recognisers know about a file: its symbols, the roles of its expressions, and the features of its
 * scopes.
 */
export class AnalysedCode {
  readonly module: Module;
  readonly context: AnalysisContext;
  readonly roles: RoleResolver;
  readonly evaluator: Evaluator;
  #rotaryScopes: readonly { readonly scope: Scope; readonly features: Features }[] | undefined;
  readonly #featuresByScope = new Map<Scope, Features>();
  #namesInFile: string | undefined;
  /** Thousands of definitions ask the same of their file. */
  readonly #nameMatches = new Map<string, boolean>();

  /** @param module built with the same context */
  constructor(module: Module, context: AnalysisContext) {
    this.module = module;
    this.context = context;
    this.roles = new RoleResolver(module);
    this.evaluator = this.roles.evaluator;
  }

  features(scope: Scope): Features {
    const cachedFeatures = this.#featuresByScope.get(scope);
    if (cachedFeatures !== undefined) return cachedFeatures;
    const features = new FeatureCollector(this.roles).collect(scope).result();
    this.#featuresByScope.set(scope, features);
    return features;
  }

  /** Functions that rotate pairs, with their features. Only functions whose text may split a vector are analysed. */
  rotaryScopes(): readonly { readonly scope: Scope; readonly features: Features }[] {
    const maySplit = ({ span }: Scope) => SPLITTING_CODE.test(this.module.text.slice(span.from, span.to));
    this.#rotaryScopes ??= this.module.scopes
      .filter((scope) => scope.kind === "function" && cached(maySplitByScope, scope, () => maySplit(scope)))
      .map((scope) => ({ scope, features: this.features(scope) }))
      .filter(({ features }) => features.layouts.length > 0 || features.isLayoutOpen);
    return this.#rotaryScopes;
  }

  /** All identifiers of a scope in snake case, separated by spaces, for the name patterns. */
  joinedNames(scope: Scope): string {
    if (scope !== this.module.root)
      return cached(namesByScope, scope, () => joinWithSpaces(collectNames(this.#occurrencesIn(scope))));
    this.#namesInFile ??= joinWithSpaces(
      this.module.parts.flatMap((part) => cached(namesByPart, part, () => [...collectNames(part.occurrences)])),
    );
    return this.#namesInFile;
  }

  /** All identifiers of a class or function, as written. */
  identifiers(scope: Scope): ReadonlySet<string> {
    return cached(
      identifiersByScope,
      scope,
      () => new Set(Array.from(this.#occurrencesIn(scope), (occurrence) => occurrence.name)),
    );
  }

  namesMatch(scope: Scope, pattern: RegExp): boolean {
    const key = `${scope.span.from} ${scope.span.to} ${pattern}`;
    const known = this.#nameMatches.get(key);
    if (known !== undefined) return known;
    const matches = pattern.test(this.joinedNames(scope));
    this.#nameMatches.set(key, matches);
    return matches;
  }

  /** Identifiers of a class or function. */
  *#occurrencesIn(scope: Scope): Iterable<Occurrence> {
    const occurrences = this.#occurrencesAround(scope.span.from);
    for (let index = firstEndingAfter(occurrences, scope.span.from); index < occurrences.length; index++) {
      const occurrence = occurrences[index];
      if (occurrence === undefined || occurrence.from >= scope.span.to) return;
      yield occurrence;
    }
  }

  /** Identifiers of the module part that contains an offset. */
  #occurrencesAround(offset: number): readonly Occurrence[] {
    const { parts } = this.module;
    let low = 0;
    let high = parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((parts[middle]?.from ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return parts[low]?.occurrences ?? [];
  }

  occurrenceAt(offset: number): Occurrence | null {
    const occurrences = this.#occurrencesAround(offset);
    const index = firstEndingAfter(occurrences, offset);
    // The end of an identifier belongs to it, unless another one starts there.
    for (const candidate of [occurrences[index], occurrences[index - 1]]) {
      if (candidate !== undefined && candidate.from <= offset && offset <= candidate.to) return candidate;
    }
    return null;
  }

  /** The name in the definition of a class or function. */
  definitionOf(scope: Scope): Occurrence | null {
    const found = scope.definition === null ? null : this.occurrenceAt(scope.definition.nameFrom);
    return found?.definedScope === scope ? found : null;
  }

  /** The definition of a relatively imported class or function. Imports of that file are not followed. */
  resolveImport(name: string): { readonly code: AnalysedCode; readonly scope: Scope } | null {
    for (const { level, module, name: exportName } of importedNames(this.module, name)) {
      const code = this.context.importedModule(level, module);
      if (code === null) continue;
      const scope = findExport(code.module, exportName)?.definedScope;
      return scope == null ? null : { code, scope };
    }
    return null;
  }

  /** The innermost scope at an offset. */
  scopeAt(offset: number): Scope {
    let scope = this.module.root;
    for (;;) {
      const inner = scope.children.find((child) => child.span.from <= offset && offset < child.span.to);
      if (inner === undefined) return scope;
      scope = inner;
    }
  }
}

/** First occurrence that ends after an offset. */
function firstEndingAfter(occurrences: readonly Occurrence[], offset: number): number {
  let low = 0;
  let high = occurrences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((occurrences[middle]?.to ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The scopes around, from the innermost outwards, without the module. */
export function enclosingScopes(scope: Scope): readonly Scope[] {
  const scopes: Scope[] = [];
  for (let at: Scope | null = scope; at !== null && at.kind !== "module"; at = at.parent) scopes.push(at);
  return scopes;
}

/** The outermost class or function around a scope; the module itself for other code. */
export function outermostDefinition(scope: Scope): Scope {
  return enclosingScopes(scope).at(-1) ?? scope;
}
