import * as l10n from "@vscode/l10n";
import { summarise } from "../../src/core/config/report/summarise.ts";
import type { Encoding } from "../../src/core/encodings/encoding.ts";
import { encodingById } from "../../src/core/encodings/index.ts";
import { checkParams, pickKnownParams } from "../../src/core/encodings/support/schema.ts";
import { computeMiniature, type Miniature } from "../../src/core/export/miniature.ts";
import type { Language } from "../../src/core/l10n/l10n.ts";
import { type Measurement, measureEncoding } from "../../src/core/measure/measurements.ts";
import type { SideDisplay, SideState, SideSubject } from "../../src/core/protocol/side.ts";
import type { EncodingSpec, Params } from "../../src/core/spec.ts";
import { describeProblem, errorMessage } from "../../src/core/util/errors.ts";
import type { Theme } from "../ui/theme.ts";

/** Everything the side page shows. Only `state` is saved. */
export interface SidePageState {
  /** null until the host has answered. */
  readonly shown: SideDisplay | null;
  readonly state: SideState;
  readonly language: Language;
  readonly theme: Theme;
}

/** The selected encoding of a file. */
export interface SelectedEncoding {
  readonly index: number;
  readonly spec: EncodingSpec;
  readonly encoding: Encoding;
  /** All parameters, including defaults. */
  readonly params: Params;
  /** The rule that a value violates; then nothing can be drawn or measured. */
  readonly problem: string | null;
}

export function listSpecs(subject: SideSubject): readonly EncodingSpec[] {
  return subject.kind === "config" ? subject.specs : [subject.spec];
}

/** @returns null if the encoding is unknown */
export function selectEncoding(subject: SideSubject, chosen: number): SelectedEncoding | null {
  const specs = listSpecs(subject);
  const index = chosen in specs ? chosen : 0;
  const spec = specs[index];
  const encoding = spec === undefined ? undefined : encodingById(spec.encoding);
  if (spec === undefined || encoding === undefined) return null;
  const { params, problems } = checkParams(encoding, pickKnownParams(encoding, spec.params));
  const firstProblem = problems[0];
  return { index, spec, encoding, params, problem: firstProblem === undefined ? null : describeProblem(firstProblem) };
}

/** Distinguishes the encodings of a file: "text · 29 layers · window 1024". */
export function encodingLabel({ where, layers, params: { sliding_window: window } }: EncodingSpec): string {
  return [
    where,
    ...(layers === "all"
      ? []
      : [layers.length === 1 ? l10n.t("layer {0}", layers[0] ?? 0) : l10n.t("{0} layers", layers.length)]),
    ...(typeof window === "number" ? [l10n.t("window {0}", window)] : []),
  ].join(" · ");
}

/** One encoding, without its layers: "RoPE · YaRN ×4 · θ 1e6". */
export function encodingTitle({ spec }: SelectedEncoding): string {
  return summarise([{ ...spec, layers: "all" }]);
}

/** Number of positions in the miniature. */
export const MINIATURE_SIZE = 192;

/** Results that take longer than a frame to compute. */
export interface ComputedNumbers {
  /** Identifies the encoding and its values. */
  readonly key: string;
  readonly picture: Miniature | null;
  readonly measurements: readonly Measurement[];
  /** Why there is neither, if the computation failed. */
  readonly failure?: string;
}

/** Identifies the numbers. Measurements contain text, so the language is part of the key. */
export function numbersKey({ encoding, spec }: SelectedEncoding, language: Language): string {
  return JSON.stringify([encoding.id, spec.params, language]);
}

export function computeNumbers(selected: SelectedEncoding, language: Language): ComputedNumbers {
  const key = numbersKey(selected, language);
  if (selected.problem !== null) return { key, picture: null, measurements: [] };
  try {
    return { key, ...computeResults(selected) };
  } catch (error) {
    return { key, picture: null, measurements: [], failure: errorMessage(error) };
  }
}

function computeResults({ encoding, params, spec }: SelectedEncoding): Omit<ComputedNumbers, "key"> {
  const { sliding_window: window } = spec.params;
  const windowSize = typeof window === "number" && Number.isInteger(window) && window > 0 ? window : undefined;
  const picture = computeMiniature(encoding, spec.params, MINIATURE_SIZE, windowSize) ?? null;
  return { picture, measurements: measureEncoding(encoding, params) };
}
