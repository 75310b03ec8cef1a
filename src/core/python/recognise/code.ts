import type { EncodingId, ParamValue } from "../../spec.ts";
import { Roles } from "../patterns/roles.ts";
import type { Binding, Module, Occurrence, Scope } from "../symbols/module.ts";
import type { Evaluator } from "../values/evaluate.ts";
import { snake } from "./names.ts";
import { type Features, Scan } from "./scan.ts";

/** @param level dots of the import */
export type Neighbour = (level: number, module: string) => Code | null;

/** Value of a parameter that code leaves open. */
export type Fallback = (encoding: EncodingId, param: string) => ParamValue | undefined;

/** What code that takes the members of pairs apart has in its text: chunk, x[::2], d // 2, reshape(…, 2), complex. */
const PARTS =
  /chunk|split|unbind|unstack|rearrange|::\s*2|\/\/?\s*2\b|>> ?1|half|complex|(?:reshape|view|unflatten)\((?:[^()]|\([^()]*\))*?[,(]\s*2\s*[,)\]]/;

// What is true of a stretch of code by itself stays so when other stretches are edited.
const namesIn = new WeakMap<Scope, string>();
const namesOfPart = new WeakMap<Module["parts"][number], readonly string[]>();
const parting = new WeakMap<Scope, boolean>();

function remembered<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}

function namesOf(occurrences: Iterable<Occurrence>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const occurrence of occurrences) names.add(snake(occurrence.name));
  return names;
}

function spaced(names: Iterable<string>): string {
  return ` ${[...new Set(names)].join(" ")} `;
}

/** A file as the recognisers see it: its model, the roles of its expressions, and what each scope contains. */
export class Code {
  readonly module: Module;
  /** The file that a relative import names, where the host has read it. */
  neighbour: Neighbour = () => null;
  /** Parameters of a config beside the file, by encoding. */
  fallback: Fallback = () => null;
  readonly roles: Roles;
  readonly evaluator: Evaluator;
  #turners: readonly { readonly scope: Scope; readonly features: Features }[] | undefined;
  readonly #known = new Map<Scope, Features>();
  #namesInFile: string | undefined;

  constructor(module: Module) {
    this.module = module;
    module.links.constant = (name) => this.#constant(name);
    this.roles = new Roles(module);
    this.evaluator = this.roles.evaluator;
  }

  features(scope: Scope): Features {
    const known = this.#known.get(scope);
    if (known !== undefined) return known;
    const found = new Scan(this.roles).scope(scope).result();
    this.#known.set(scope, found);
    return found;
  }

  /** Functions of the file that turn pairs, with what they do. Only those are looked at whose text may part a vector. */
  turning(): readonly { readonly scope: Scope; readonly features: Features }[] {
    const mayPart = ({ span }: Scope) => PARTS.test(this.module.text.slice(span.from, span.to));
    this.#turners ??= this.module.scopes
      .filter((scope) => scope.kind === "function" && remembered(parting, scope, () => mayPart(scope)))
      .map((scope) => ({ scope, features: this.features(scope) }))
      .filter(({ features }) => features.layouts.length > 0);
    return this.#turners;
  }

  /** All identifiers of a scope in snake case, each between spaces: what name rules are tried on. */
  names(scope: Scope): string {
    if (scope !== this.module.root)
      return remembered(namesIn, scope, () => spaced(namesOf(this.#occurrencesIn(scope))));
    this.#namesInFile ??= spaced(
      this.module.parts.flatMap((part) => remembered(namesOfPart, part, () => [...namesOf(part.occurrences)])),
    );
    return this.#namesInFile;
  }

  has(scope: Scope, pattern: RegExp): boolean {
    return pattern.test(this.names(scope));
  }

  /** Identifiers of a class or function. */
  *#occurrencesIn(scope: Scope): Iterable<Occurrence> {
    const occurrences = this.#occurrencesAround(scope.span.from);
    for (let index = indexAt(occurrences, scope.span.from); index < occurrences.length; index++) {
      const occurrence = occurrences[index];
      if (occurrence === undefined || occurrence.from >= scope.span.to) return;
      yield occurrence;
    }
  }

  /** Those of the part of the file that an offset is in. */
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
    const index = indexAt(occurrences, offset);
    // The end of an identifier belongs to it, unless another one starts there.
    for (const candidate of [occurrences[index], occurrences[index - 1]]) {
      if (candidate !== undefined && candidate.from <= offset && offset <= candidate.to) return candidate;
    }
    return null;
  }

  /** The class or function that a relatively imported name stands for in its own file: one hop, no further. */
  imported(name: string): { readonly code: Code; readonly scope: Scope } | null {
    const found = this.#source(name);
    if (found === null) return null;
    const scope = found.code.#exported(found.name)?.opens;
    return scope == null ? null : { code: found.code, scope };
  }

  #constant(name: string): { module: Module; binding: Binding } | null {
    const found = this.#source(name);
    if (found === null) return null;
    const binding = found.code.#exported(found.name);
    return binding === null ? null : { module: found.code.module, binding };
  }

  /** What another file gets under a name: the last definition, where no condition decides between several. */
  #exported(name: string): Binding | null {
    const bindings = this.module.root.bindings.get(name) ?? [];
    const last = bindings.at(-1);
    return last === undefined || (last.conditional && bindings.length > 1) ? null : last;
  }

  #source(alias: string): { readonly code: Code; readonly name: string } | null {
    for (const statement of this.module.imports) {
      const found = statement.level > 0 ? statement.names.find((candidate) => candidate.alias === alias) : undefined;
      const code = found === undefined ? null : this.neighbour(statement.level, statement.module ?? "");
      if (code !== null && found !== undefined) return { code, name: found.name };
    }
    return null;
  }

  /** The innermost scope at an offset. */
  scopeAt(offset: number): Scope {
    let at = this.module.root;
    for (;;) {
      const inner = at.children.find((child) => child.span.from <= offset && offset < child.span.to);
      if (inner === undefined) return at;
      at = inner;
    }
  }
}

/** First occurrence that ends after an offset. */
function indexAt(occurrences: readonly Occurrence[], offset: number): number {
  let low = 0;
  let high = occurrences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((occurrences[middle]?.to ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** From the innermost scope outwards, without the module. */
export function scopesAround(scope: Scope): readonly Scope[] {
  const found: Scope[] = [];
  for (let at: Scope | null = scope; at !== null && at.kind !== "module"; at = at.parent) found.push(at);
  return found;
}

/** The outermost class or function around a scope; the module itself for code outside of any. */
export function unitOf(scope: Scope): Scope {
  return scopesAround(scope).at(-1) ?? scope;
}
