import type { EncodingPart, TermEffect } from "../../encodings/encoding.ts";
import type { RopeScaling } from "../../python/recognise/recognition.ts";
import type { EncodingId, ParamValue } from "../../spec.ts";
import type { Expr, Span } from "../parse/tree.ts";

/** One of the four terms of (x + p)W_Q · (x + p)W_K. */
export type TermRole = "content_content" | "content_position" | "position_content" | "position_position";

/** A term of the formula, and its place in the four-term expansion. */
export interface TermPlace extends Span {
  readonly role: TermRole;
}

/** A number that the formula gives a parameter. */
export interface ReadValue extends Span {
  readonly param: string;
  readonly value: ParamValue;
}

/** A formula that is a position encoding. */
export interface FormulaMatch {
  readonly recogniser: string;
  /** Also the general forms `absolute_expansion` and `relative_general`. */
  readonly encoding: EncodingId;
  readonly part: EncodingPart;
  readonly ropeType: RopeScaling | null;
  readonly values: readonly ReadValue[];
  /** The terms of a formula of scores. */
  readonly terms: readonly TermPlace[];
  /** Which terms the formula has, for general forms. */
  readonly effect: Readonly<Partial<Record<TermRole, TermEffect>>>;
}

/** What recognisers are given. */
export interface FormulaFacts {
  readonly statements: readonly Expr[];
  /** The sides of all relations, and statements without one. */
  readonly sides: readonly Expr[];
  readonly relations: readonly { readonly left: Expr; readonly right: Expr }[];
  /** The document speaks of attention or positions; ambiguous short formulas need that. */
  readonly isAboutPositions: boolean;
  /** The document speaks of rotary encodings more than of sinusoids. */
  readonly prefersRotary: boolean;
}

/** A row of the table of recognisers. */
export interface FormulaRecogniser {
  readonly id: string;
  readonly recognise: (facts: FormulaFacts) => (Partial<FormulaMatch> & Pick<FormulaMatch, "encoding" | "part">) | null;
}
