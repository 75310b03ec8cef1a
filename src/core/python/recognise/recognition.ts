import type { EncodingPart } from "../../encodings/encoding.ts";
import type { EncodingId, PairLayout } from "../../spec.ts";
import type { FrequencyRole } from "../patterns/valueRole.ts";
import type { Occurrence, Scope } from "../symbols/module.ts";
import type { AnalysedCode } from "./analysedCode.ts";

/** RoPE scaling types, as values of `rope_type`. */
export type RopeScaling =
  | "default"
  | "linear"
  | "ntk"
  | "dynamic"
  | "yarn"
  | "longrope"
  | "llama3"
  | "proportional"
  | "axial";

/** The encoding that a recogniser found in code. */
export interface Recognition {
  readonly recogniser: string;
  readonly encoding: EncodingId;
  readonly part: EncodingPart;
  /** The function, class or module whose parameters are read. */
  readonly scope: Scope;
  /** The file of `scope`, if it is not the cursor's. */
  readonly importedCode?: AnalysedCode;
  /** The frequencies that the value was computed from, if any. */
  readonly frequencies?: FrequencyRole;
  readonly ropeType?: RopeScaling | null;
  readonly layout?: PairLayout | null;
  /** `automatic`: by the structure of the code; `guess`: by names alone. */
  readonly confidence: "automatic" | "guess";
}

/** Recognises an encoding by the name of an identifier. All are listed in one table. */
export interface NameRecogniser {
  readonly id: string;
  readonly encoding: EncodingId;
  readonly part: EncodingPart;
  /** Identifiers in snake case that it applies to. */
  readonly names: RegExp;
  /** Kinds of identifiers; all if absent. */
  readonly kinds?: readonly Occurrence["kind"][];
  /** Additional condition on the surrounding code. */
  readonly when?: (place: NameContext) => boolean;
  readonly ropeType?: RopeScaling;
  readonly layout?: PairLayout;
  /** Tried before the definition of a table is followed. */
  readonly beforeTables?: boolean;
}

/** An identifier with its surrounding code. */
export interface NameContext {
  readonly code: AnalysedCode;
  readonly occurrence: Occurrence;
  /** The identifier in snake case. */
  readonly name: string;
  /** The outermost class or function around it. */
  readonly definition: Scope;
  /** True if an identifier of the whole file, of the definition, or of the innermost function matches. */
  readonly fileHas: (pattern: RegExp) => boolean;
  readonly definitionHas: (pattern: RegExp) => boolean;
  readonly functionHas: (pattern: RegExp) => boolean;
}
