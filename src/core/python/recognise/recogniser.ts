import type { EncodingId, Layout } from "../../spec.ts";
import type { Frequencies } from "../patterns/role.ts";
import type { Occurrence, Scope } from "../symbols/module.ts";
import type { Code } from "./code.ts";

/** What of an encoding a piece of code is. Titles are in `subjects.ts`. */
export type Subject =
  | "encoding"
  | "inverse frequencies"
  | "angles"
  | "cos and sin"
  | "rotation"
  | "pair layout"
  | "scaling"
  | "base"
  | "rotated dimensions"
  | "table"
  | "slopes"
  | "bias"
  | "buckets"
  | "distances"
  | "relative table"
  | "relative index"
  | "relative shift"
  | "position projection"
  | "gate"
  | "convolution"
  | "sections";

/** Scaling types of the RoPE family, as `rope_type`. */
export type RopeType =
  | "default"
  | "linear"
  | "ntk"
  | "dynamic"
  | "yarn"
  | "longrope"
  | "llama3"
  | "proportional"
  | "axial";

/** What a recogniser says about a place in code. */
export interface Recognition {
  /** Id of the recogniser. */
  readonly recogniser: string;
  readonly encoding: EncodingId;
  readonly subject: Subject;
  /** The function, class or module whose parameters are read. */
  readonly scope: Scope;
  /** The file that `scope` is in, where that is not the one of the cursor. */
  readonly code?: Code;
  /** The frequencies that the value itself is made of, where it is. */
  readonly frequencies?: Frequencies;
  readonly ropeType?: RopeType | null;
  readonly layout?: Layout | null;
  /** `automatic`: from the structure of the code; `guess`: by names alone. */
  readonly confidence: "automatic" | "guess";
}

/** One way to see that an identifier denotes a position encoding. One object each, all in one table. */
export interface Recogniser {
  readonly id: string;
  readonly encoding: EncodingId;
  readonly subject: Subject;
  /** Identifiers, in snake case, that it is tried on. */
  readonly names: RegExp;
  /** Kinds of identifiers; absent: all. */
  readonly kinds?: readonly Occurrence["kind"][];
  /** What must hold beside the name. */
  readonly when?: (place: Place) => boolean;
  readonly ropeType?: RopeType;
  readonly layout?: Layout;
  /** Tried before the definition of a table's name is followed. */
  readonly beforeTables?: boolean;
}

/** Where a name stands. */
export interface Place {
  readonly code: Code;
  readonly occurrence: Occurrence;
  /** The identifier in snake case. */
  readonly name: string;
  /** The outermost class or function around it. */
  readonly unit: Scope;
  /** Identifiers of the whole file, of the unit and of the innermost function match a pattern. */
  readonly file: (pattern: RegExp) => boolean;
  readonly inUnit: (pattern: RegExp) => boolean;
  readonly inFunction: (pattern: RegExp) => boolean;
}
