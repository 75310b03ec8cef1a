import * as l10n from "@vscode/l10n";
import type { Encoding, Formula, TermEffect } from "../encodings/encoding.ts";
import { ENCODINGS } from "../encodings/index.ts";
import {
  EXPANSION_ROLES,
  type ExpansionRole,
  type ExpansionTerm,
  resolveExpansion,
} from "../encodings/support/expansion.ts";
import type { FormulaTerms } from "../formula/explainFormula.ts";
import { localize } from "../l10n/l10n.ts";
import type { HoverFact } from "./hoverMarkdown.ts";

/** What a formula's hover says of the four terms of (x + p)W_Q · (x + p)W_K. */

const ROLE_NAMES: Readonly<Record<ExpansionRole, () => string>> = {
  content_content: () => l10n.t("content · content"),
  content_position: () => l10n.t("content · position"),
  position_content: () => l10n.t("position · content"),
  position_position: () => l10n.t("position · position"),
};

const EFFECT_NAMES: Readonly<Record<TermEffect, () => string>> = {
  kept: () => l10n.t("kept"),
  changed: () => l10n.t("changed"),
  dropped: () => l10n.t("dropped"),
};

function resolveTerms(encoding: Pick<Encoding, "expansion" | "effect">): readonly ExpansionTerm[] {
  const present = EXPANSION_ROLES.filter((role) => encoding.effect[role] !== "dropped");
  return resolveExpansion(encoding, new Set(present));
}

/**
 * The expansion as the encoding has it, with the changed letters in bold; undefined if it keeps or drops all terms, as
 * absolute encodings and no encoding do.
 */
export function expansionFormula(encoding: Pick<Encoding, "id" | "expansion" | "effect">): Formula | undefined {
  const terms = resolveTerms(encoding);
  if (!terms.some((term) => term.effect === "changed")) return undefined;
  const shown = terms.filter((term) => term.effect !== "dropped").map((term) => term.formula);
  return {
    id: `terms_${encoding.id}`,
    tex: shown.length <= 2 ? shown.map(({ tex }) => tex).join(" + ") : alignTerms(shown),
    text: shown.map(({ text }) => text).join(" + "),
  };
}

/** Two terms a line. */
function alignTerms(terms: readonly Formula[]): string {
  const lines: string[] = [];
  for (let index = 0; index < terms.length; index += 2)
    lines.push(
      `&${index === 0 ? "" : "+ "}${terms
        .slice(index, index + 2)
        .map(({ tex }) => tex)
        .join(" + ")}`,
    );
  return `\\begin{aligned}${lines.join(" \\\\ ")}\\end{aligned}`;
}

/** The expansions of all encodings, for the compiler. */
export const EXPANSION_FORMULAS: readonly Formula[] = ENCODINGS.flatMap((encoding) => expansionFormula(encoding) ?? []);

/** Which terms an encoding keeps, changes and drops, and which one is under the cursor. */
export function termFacts(effect: Encoding["effect"], terms: FormulaTerms | undefined): readonly HoverFact[] {
  // A single term is a piece of a longer formula, and says nothing of the others.
  if (terms?.roles.length === 1) return terms.current === null ? [] : [currentFact(terms.current)];
  const rows = (["kept", "changed", "dropped"] as const).flatMap((wanted) => {
    const roles = EXPANSION_ROLES.filter((role) => effect[role] === wanted);
    return roles.length === 0
      ? []
      : [{ label: EFFECT_NAMES[wanted](), value: roles.map((role) => ROLE_NAMES[role]()).join(", ") }];
  });
  return [...(terms?.current == null ? [] : [currentFact(terms.current)]), ...rows];
}

/** Well-known encodings that show what else can become of a term. */
const COMPARED: readonly string[] = ["shaw", "transformer_xl", "t5_bias", "deberta", "alibi"];

function currentFact(role: ExpansionRole): HoverFact {
  const named = (wanted: TermEffect) =>
    ENCODINGS.filter(({ id, effect }) => COMPARED.includes(id) && effect[role] === wanted)
      .map(({ name }) => localize(name))
      .join(", ");
  const changed = named("changed");
  const dropped = named("dropped");
  const notes = [
    ...(changed === "" ? [] : [l10n.t("changed by {0}", changed)]),
    ...(dropped === "" ? [] : [l10n.t("dropped by {0}", dropped)]),
  ];
  return { label: l10n.t("under the cursor"), value: ROLE_NAMES[role](), note: notes.join("; ") };
}

/** The effect of a general form: the terms that the formula has. Vectors of distances change those with position. */
export function effectOfRoles({ roles }: FormulaTerms, isRelative: boolean): Encoding["effect"] {
  const present = isRelative ? "changed" : "kept";
  const effectOf = (role: ExpansionRole): TermEffect => (roles.includes(role) ? present : "dropped");
  return {
    content_content: roles.includes("content_content") ? "kept" : "dropped",
    content_position: effectOf("content_position"),
    position_content: effectOf("position_content"),
    position_position: effectOf("position_position"),
  };
}
