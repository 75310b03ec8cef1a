import { t } from "@vscode/l10n";
import { summarise } from "../../src/core/config/report/summarise.ts";
import type { Encoding } from "../../src/core/encodings/encoding.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { checkParams, knownParams } from "../../src/core/encodings/support/schema.ts";
import { type Miniature, miniature } from "../../src/core/export/miniature.ts";
import type { Language } from "../../src/core/l10n/l10n.ts";
import { type Measurement, measurements } from "../../src/core/measure/measurements.ts";
import type { SideShown, SideState, SideSubject } from "../../src/core/protocol/side.ts";
import type { EncodingSpec, Params } from "../../src/core/spec.ts";
import { describeProblem } from "../../src/core/util/errors.ts";
import type { Theme } from "../state/page.ts";

/** Everything that the page shows. Only `state` is kept. */
export interface SidePageState {
  /** null until the host has answered. */
  readonly shown: SideShown | null;
  readonly state: SideState;
  readonly language: Language;
  readonly theme: Theme;
}

/** The encoding that is shown, of those that the file has. */
export interface Part {
  readonly index: number;
  readonly spec: EncodingSpec;
  readonly encoding: Encoding;
  /** Complete: with the defaults of the encoding. */
  readonly params: Params;
  /** The rule that a value breaks: nothing can be drawn or measured. */
  readonly problem: string | null;
}

export function specsOf(subject: SideSubject): readonly EncodingSpec[] {
  return subject.kind === "config" ? subject.specs : [subject.spec];
}

/** @returns null for a file that names no encoding of the table */
export function partOf(subject: SideSubject, chosen: number): Part | null {
  const specs = specsOf(subject);
  const index = chosen in specs ? chosen : 0;
  const spec = specs[index];
  const encoding = spec === undefined ? undefined : encodingById(spec.encoding);
  if (spec === undefined || encoding === undefined) return null;
  const { params, problems } = checkParams(encoding, knownParams(encoding, spec.params));
  const broken = problems[0];
  return { index, spec, encoding, params, problem: broken === undefined ? null : describeProblem(broken) };
}

/** "text · 29 layers · window 1024": how the encodings of a file are told apart. */
export function partLabel({ where, layers, params: { sliding_window: window } }: EncodingSpec): string {
  return [
    where,
    ...(layers === "all"
      ? []
      : [layers.length === 1 ? t("layer {0}", layers[0] ?? 0) : t("{0} layers", layers.length)]),
    ...(typeof window === "number" ? [t("window {0}", window)] : []),
  ].join(" · ");
}

/** "RoPE · YaRN ×4 · θ 1e6": one encoding, whichever layers it is of. */
export function partTitle({ spec }: Part): string {
  return summarise([{ ...spec, layers: "all" }]);
}

/** Positions of the small picture. */
export const PICTURE_SIZE = 192;

/** What takes longer than a frame to compute. */
export interface Numbers {
  /** Encoding and values that they are of. */
  readonly key: string;
  readonly picture: Miniature | null;
  readonly measured: readonly Measurement[];
}

/** Equal keys have equal numbers; measurements carry words of a language. */
export function keyOf({ encoding, spec }: Part, language: Language): string {
  return JSON.stringify([encoding.id, spec.params, language]);
}

export function numbersOf(part: Part, language: Language): Numbers {
  const { encoding, params, spec, problem } = part;
  const key = keyOf(part, language);
  if (problem !== null) return { key, picture: null, measured: [] };
  const { sliding_window: window } = spec.params;
  const seen = typeof window === "number" && Number.isInteger(window) && window > 0 ? window : undefined;
  const picture = miniature(encoding, spec.params, PICTURE_SIZE, seen) ?? null;
  return { key, picture, measured: measurements(encoding, params) };
}
