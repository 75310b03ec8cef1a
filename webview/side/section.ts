import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import type { SideCalls, SideState, SideToHost } from "../../src/core/protocol/side.ts";
import { errorMessage } from "../../src/core/util/errors.ts";
import type { ComputedNumbers, SelectedEncoding, SidePageState } from "./pageState.ts";

export type Send = (message: SideToHost) => void;

/** The run under the pointer or the keyboard focus. */
export interface PointedRun {
  readonly where: string;
  readonly run: number;
}

/** Input of the page's sections. */
export interface SectionContext {
  readonly page: SidePageState;
  readonly selected: SelectedEncoding;
  /** Results for the selected encoding, or stale ones of the previous; null at first. */
  readonly numbers: ComputedNumbers | null;
  readonly stale: boolean;
  readonly send: Send;
  readonly update: (change: (state: SideState) => SideState) => void;
  /** The run of layers under the pointer, and how to change it. */
  readonly pointedRun: PointedRun | null;
  readonly pointAtRun: (at: PointedRun | null) => void;
  readonly calls: SideCalls;
  /** Result of the last action. */
  readonly outcome: ActionOutcome | null;
  readonly report: (outcome: ActionOutcome | null) => void;
}

export interface ActionOutcome {
  readonly kind: "status" | "alert";
  readonly text: string;
}

/** What is built, or the reason why it cannot be: an error in one section leaves the others in place. */
export function sectionOrMessage<T>(build: () => T): T | TemplateResult {
  try {
    return build();
  } catch (error) {
    return failedSection(errorMessage(error));
  }
}

export function failedSection(reason: string): TemplateResult {
  return html`<p class="notice" role="alert">${l10n.t("This section cannot be shown: {0}", reason)}</p>`;
}
