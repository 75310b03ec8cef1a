import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import {
  formatPlan,
  PLAN_FORMATS,
  type PlanDestination,
  type PlanFormat,
  planFormatTitle,
} from "../../src/core/config/planner/planText.ts";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { ConfigSubject, PlanState } from "../../src/core/protocol/side.ts";
import { errorMessage } from "../../src/core/util/errors.ts";
import { groupDigits } from "../ui/format.ts";
import type { SelectedEncoding } from "./pageState.ts";
import {
  candidateChanges,
  computeCandidates,
  type PlanCandidate,
  type PlanCandidates,
  parseLength,
} from "./planCandidates.ts";
import type { SectionContext } from "./section.ts";
import { foldingSection, nativeButton } from "./widgets.ts";
import "./plan.css";

/** Name of the planner's section. */
export const PLAN_SECTION = "plan";

interface PlannerContext {
  readonly subject: ConfigSubject;
  readonly context: SectionContext;
  readonly planning: PlanCandidates;
  readonly candidate: PlanCandidate | undefined;
  change(change: Partial<PlanState>): void;
}

function lengthField(name: string, label: string, value: number, onValue: (value: number) => void): TemplateResult {
  const change = (event: Event) => {
    const input = event.currentTarget;
    if (!(input instanceof HTMLInputElement)) return;
    const length = parseLength(input.value);
    input.setAttribute("aria-invalid", String(length === null));
    if (length !== null) onValue(length);
  };
  return html`<label class="field"><span>${label}</span>
    <input name=${name} type="text" inputmode="numeric" spellcheck="false" title=${l10n.t("128k = {0}", groupDigits(131_072))}
      .value=${live(groupDigits(value))} @change=${change} /></label>`;
}

function contextFields({ planning, change }: PlannerContext): TemplateResult {
  const { trainingContext, targetContext } = planning;
  const multiplyButton = (factor: number) =>
    nativeButton({
      label: `×${factor}`,
      title: l10n.t("{0} tokens", groupDigits(trainingContext * factor)),
      onClick: () => change({ target: trainingContext * factor }),
    });
  return html`<div class="fields">
    ${lengthField("trained", l10n.t("training context"), trainingContext, (value) => change({ trained: value }))}
    ${lengthField("target", l10n.t("target context"), targetContext, (value) => change({ target: value }))}
    <span class="times">${[2, 4, 8].map(multiplyButton)}</span>
  </div>`;
}

function candidateOption(
  { plan, unseenPairs, set }: PlanCandidate,
  chosen: boolean,
  change: PlannerContext["change"],
): TemplateResult {
  return html`<label class="way"><input type="radio" name="method" .checked=${chosen}
      @change=${() => change({ method: plan.method })} />
    <span class="name">${plan.title}</span>
    <span class="unseen" title=${l10n.t("{0} of {1} pairs reach unseen angles", unseenPairs, set.pairs.length)}>${unseenPairs}</span>
  </label>`;
}

function methodChoice({ planning, candidate, change }: PlannerContext): TemplateResult {
  return html`<div class="ways" role="radiogroup" aria-label=${l10n.t("Method")}>
    <p class="heads" aria-hidden="true"><span>${l10n.t("method")}</span><span>${l10n.t("pairs with unseen angles")}</span></p>
    ${planning.candidates.map((one) => candidateOption(one, one === candidate, change))}
  </div>`;
}

function wavelengthPlot(
  { plan, set }: PlanCandidate,
  { trainingContext, targetContext }: PlanCandidates,
): TemplateResult {
  const label = `${plan.title}, ${l10n.t("Frequencies")}, ${l10n.t("{0} pairs", set.pairs.length)}`;
  return html`<posenc-wavelengths .content=${{ set, trained: trainingContext, target: targetContext, label, name: plan.title }}></posenc-wavelengths>`;
}

/** The sub-config that the encoding was read from, and whether other layers of its stack have a different encoding. */
function findPlanPlace({ specs }: ConfigSubject, { spec }: SelectedEncoding): PlanDestination {
  const [inside] = spec.evidence.find(({ path }) => String(path[0]).endsWith("_config"))?.path ?? [];
  const layered = specs.filter(({ where }) => where === spec.where).length > 1;
  return typeof inside === "string" ? { subConfig: inside, isLayered: layered } : { isLayered: layered };
}

/** The plan as a runtime expects it, with a button to copy it. */
function planTextPart({ subject, context, planning, change }: PlannerContext, { plan }: PlanCandidate): TemplateResult {
  const { format } = context.page.state.plan;
  const written = formatPlan(plan, format, planning.targetContext, findPlanPlace(subject, context.selected));
  const choose = (event: Event) => {
    const index = event.currentTarget instanceof HTMLSelectElement ? event.currentTarget.selectedIndex : 0;
    change({ format: PLAN_FORMATS[index] ?? format });
  };
  const option = (one: PlanFormat) => html`<option .selected=${one === format}>${planFormatTitle(one)}</option>`;
  return html`<select class="chooser" aria-label=${l10n.t("Output format")} @change=${choose}>${PLAN_FORMATS.map(option)}</select>
    ${
      "text" in written
        ? html`<pre tabindex="0" class=${written.text.includes("\n") ? "lines" : nothing} aria-label=${planFormatTitle(format)} lang="en">${written.text}</pre>`
        : html`<p class="aside">${written.unavailable}</p>`
    }
    <p class="buttons">
      ${"text" in written ? nativeButton({ label: l10n.t("Copy"), onClick: () => copyPlan(context, written.text) }) : nothing}
    </p>`;
}

function copyPlan({ calls, report }: SectionContext, text: string): void {
  calls.copyText({ text }).then(
    () => report({ kind: "status", text: l10n.t("Copied.") }),
    (error: unknown) => report({ kind: "alert", text: errorMessage(error) }),
  );
}

/**
 * Edits the document, where the user can undo it. The version that was planned for is sent along, so that a changed
 * file is not overwritten.
 */
function writePlan({ subject, context }: PlannerContext, { writtenParams }: PlanCandidate): void {
  const { calls, report, selected } = context;
  const { uri, version } = subject;
  calls.writeBack({ uri, index: selected.index, version, wanted: { ...writtenParams } }).then(
    ({ written, left }) => {
      const done = written
        ? l10n.t("Written to {0}. Use Undo to revert.", subject.title)
        : l10n.t("No change: the file already has these values.");
      const notWritten = left.map(({ param, reason }) => l10n.t("Not written: {0} ({1}).", param, reason));
      report({ kind: "status", text: [done, ...notWritten].join(" ") });
    },
    (error: unknown) => report({ kind: "alert", text: errorMessage(error) }),
  );
}

function openInPanel({ context: { send, selected } }: PlannerContext, candidate: PlanCandidate): void {
  send({ type: "openPanel", index: selected.index, planned: candidateChanges(candidate, selected) });
}

function outcomeMessage({ outcome: result }: SectionContext): TemplateResult {
  return html`<p class="outcome" role="status">${result?.kind === "status" ? result.text : nothing}</p>
    ${result?.kind === "alert" ? html`<p class="notice" role="alert">${result.text}</p>` : nothing}`;
}

/** Says that layers with a window gain nothing from a longer context. */
function windowNote({ spec: { params } }: SelectedEncoding): TemplateResult | typeof nothing {
  const { sliding_window: window } = params;
  if (typeof window !== "number") return nothing;
  return html`<p class="aside">${l10n.t("These layers attend to at most {0} previous tokens, so a longer context does not increase their rotation angles.", groupDigits(window))}</p>`;
}

function plannerBody(planner: PlannerContext): TemplateResult {
  const { planning, candidate, context, subject } = planner;
  const isCheckpoint = subject.version === 0;
  return html`<div class="plan">
    ${contextFields(planner)} ${windowNote(context.selected)}
    ${planning.problem === null ? methodChoice(planner) : html`<p class="notice" role="alert">${planning.problem}</p>`}
    ${
      candidate === undefined
        ? nothing
        : html`<p class="aside">${localize(candidate.plan.note)}</p>
          ${wavelengthPlot(candidate, planning)}
          <p class="buttons">
            ${isCheckpoint ? nothing : nativeButton({ label: l10n.t("Write to config"), look: "primary", onClick: () => writePlan(planner, candidate) })}
            ${nativeButton({ label: l10n.t("Compare in Panel"), title: l10n.t("Compare the plan with the current file"), onClick: () => openInPanel(planner, candidate) })}
          </p>
          ${outcomeMessage(context)} ${planTextPart(planner, candidate)}`
    }
  </div>`;
}

/** Plans parameters from the training context to a target context, to write into the file or to copy for a runtime. */
export function planSection(subject: ConfigSubject, context: SectionContext): TemplateResult {
  const { plan: state } = context.page.state;
  return foldingSection(PLAN_SECTION, l10n.t("Plan longer context"), context, () => {
    const planning = computeCandidates(context.selected, state);
    if (planning === null)
      return html`<p class="aside">${l10n.t("Plans require RoPE: this encoding has no base to change.")}</p>`;
    const candidate = planning.candidates.find(({ plan: { method } }) => method === state.method);
    const change: PlannerContext["change"] = (values) => {
      context.report(null);
      context.update((now) => ({ ...now, plan: { ...now.plan, ...values } }));
    };
    return plannerBody({ subject, context, planning, candidate, change });
  });
}
