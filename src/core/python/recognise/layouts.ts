import type { PairLayout } from "../../spec.ts";
import type { ScopedExpression } from "../patterns/valueRole.ts";
import { resolveCallable, type Scope } from "../symbols/module.ts";
import { type AnalysedCode, enclosingScopes, outermostDefinition } from "./analysedCode.ts";
import type { Features } from "./features.ts";

/** The pair layout, and the expression that it was read from. */
export interface LayoutSource {
  readonly layout: PairLayout;
  readonly from: ScopedExpression | null;
}

/**
 * Layout of the rotation in the scope, or else of the rotations that the nearest code around both uses. Null if the
 * code does not decide it.
 */
export function findLayout(code: AnalysedCode, scope: Scope): LayoutSource | null {
  for (const around of enclosingScopes(scope)) {
    const { layouts, isLayoutOpen } = code.features(around);
    if (isLayoutOpen) return null;
    if (layouts.length > 0) return agreedLayout(layouts);
  }
  const links = linksByCode.get(code) ?? new RotationLinks(code);
  linksByCode.set(code, links);
  const linked = links.layoutsFor(outermostDefinition(scope));
  if (linked !== null) return agreedLayout(linked);
  return layoutOfAngles(code, scope) ?? agreedLayout(links.layoutsOfHelperFile(outermostDefinition(scope)));
}

/** The layout of angles that occur twice, or of complex numbers. */
function layoutOfAngles(code: AnalysedCode, scope: Scope): LayoutSource | null {
  const doubled = enclosingScopes(scope)
    .map((around) => code.features(resolveCallable(code.module, around)).doubled ?? code.features(around).doubled)
    .find((layout) => layout !== null);
  if (doubled != null) return { layout: doubled, from: null };
  const cis = enclosingScopes(scope).some((around) => code.features(around).waves.has("cis"));
  return cis ? { layout: "interleaved", from: null } : null;
}

function agreedLayout(layouts: Features["layouts"]): LayoutSource | null {
  const first = layouts[0];
  return first !== undefined && layouts.every((other) => other.layout === first.layout) ? first : null;
}

type Layouts = Features["layouts"];

const linksByCode = new WeakMap<AnalysedCode, RotationLinks>();

/** Which rotations of a file belong to which of its top-level definitions, by who mentions whom. */
class RotationLinks {
  readonly #code: AnalysedCode;
  readonly #known = new Map<Scope, Layouts | null>();
  #rotations:
    | readonly {
        readonly definition: Scope;
        readonly layouts: Layouts;
        readonly isOpen: boolean;
        readonly isHelper: boolean;
      }[]
    | undefined;

  constructor(code: AnalysedCode) {
    this.#code = code;
  }

  layoutsFor(definition: Scope): Layouts | null {
    const known = this.#known.get(definition);
    if (known !== undefined) return known;
    const found = this.#rotationsOfFile().length === 0 ? null : this.#findLayouts(definition);
    this.#known.set(definition, found);
    return found;
  }

  /** The rotations that a definition uses, or else those that its users use, and so on. */
  #findLayouts(definition: Scope): Layouts | null {
    const all = this.#code.module.root.children;
    if (definition.kind === "module") return this.#layoutsOf(all);
    const seen = new Set<Scope>();
    let level: readonly Scope[] = [definition];
    while (level.length > 0) {
      for (const at of level) seen.add(at);
      const found = this.#layoutsOf(this.#usedBy(level));
      if (found !== null) return found;
      level = this.#usersOf(level).filter((at) => !seen.has(at));
    }
    return null;
  }

  /** Layouts of all rotations of the file, for a definition that only other files use; else none. */
  layoutsOfHelperFile(definition: Scope): Layouts {
    const isUsed = this.#usersOf([definition]).some((user) => user !== definition);
    return isUsed ? [] : (this.#layoutsOf(this.#code.module.root.children) ?? []);
  }

  /** Definitions that mention one of these. */
  #usersOf(definitions: readonly Scope[]): readonly Scope[] {
    return this.#code.module.root.children.filter((candidate) => {
      const identifiers = this.#code.identifiers(candidate);
      return definitions.some(({ name }) => identifiers.has(name));
    });
  }

  /** These definitions and all that they mention, directly or through others. */
  #usedBy(definitions: readonly Scope[]): ReadonlySet<Scope> {
    const found = new Set(definitions);
    for (const definition of found) {
      for (const name of this.#code.identifiers(definition)) {
        const used = this.#code.module.root.bindings.get(name)?.at(-1)?.definedScope;
        if (used != null) found.add(used);
      }
    }
    return found;
  }

  #rotationsOfFile() {
    const scopes = new Set(this.#code.rotaryScopes().map(({ scope }) => scope));
    this.#rotations ??= this.#code.rotaryScopes().map(({ scope, features }) => {
      const callers = this.#code.module.calls.get(scope.name).flatMap((site) => enclosingScopes(site.scope));
      const isHelper = callers.some((caller) => caller !== scope && scopes.has(caller));
      return {
        definition: outermostDefinition(scope),
        layouts: features.layouts,
        isOpen: features.isLayoutOpen,
        isHelper,
      };
    });
    return this.#rotations;
  }

  /** Layouts of the rotations in these definitions, without the helpers of other rotations; null if there are none. */
  #layoutsOf(definitions: Iterable<Scope>): Layouts | null {
    const within = new Set(definitions);
    const rotations = this.#rotationsOfFile().filter(({ definition }) => within.has(definition));
    const main = rotations.filter(({ isHelper }) => !isHelper);
    const used = main.length === 0 ? rotations : main;
    if (used.some(({ isOpen }) => isOpen)) return [];
    return used.length === 0 ? null : used.flatMap(({ layouts }) => layouts);
  }
}
