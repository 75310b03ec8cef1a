import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { live } from "lit-html/directives/live.js";
import {
  PLAN_FORMATS,
  type PlanFormat,
  type PlanPlace,
  planFormatTitle,
  planText,
} from "../../src/core/config/planner/planText.ts";
import { localize } from "../../src/core/l10n/l10n.ts";
import type { ConfigSubject, PlanState } from "../../src/core/protocol/side.ts";
import { grouped } from "../state/format.ts";
import type { Part } from "./model.ts";
import { button, folding } from "./parts.ts";
import { changesOf, type Planning, parseLength, planningOf, type Way } from "./planModel.ts";
import type { Sight } from "./sidePage.ts";

/** The section that the planner stands in. */
export const PLAN = "plan";

interface Planner {
  readonly subject: ConfigSubject;
  readonly sight: Sight;
  readonly planning: Planning;
  readonly way: Way | undefined;
  change(change: Partial<PlanState>): void;
}

function field(name: string, label: string, value: number, onValue: (value: number) => void): TemplateResult {
  const change = (event: Event) => {
    const input = event.currentTarget;
    if (!(input instanceof HTMLInputElement)) return;
    const length = parseLength(input.value);
    input.setAttribute("aria-invalid", String(length === null));
    if (length !== null) onValue(length);
  };
  return html`<label class="field"><span>${label}</span>
    <input name=${name} type="text" inputmode="numeric" spellcheck="false" title=${t("128k = {0}", grouped(131_072))}
      .value=${live(grouped(value))} @change=${change} /></label>`;
}

function lengths({ planning, change }: Planner): TemplateResult {
  const { trained, target } = planning;
  const times = (factor: number) =>
    button({
      label: `×${factor}`,
      title: t("{0} tokens", grouped(trained * factor)),
      onClick: () => change({ target: trained * factor }),
    });
  return html`<div class="fields">
    ${field("trained", t("training context"), trained, (value) => change({ trained: value }))}
    ${field("target", t("target context"), target, (value) => change({ target: value }))}
    <span class="times">${[2, 4, 8].map(times)}</span>
  </div>`;
}

function choice({ plan, unseen, set }: Way, chosen: boolean, change: Planner["change"]): TemplateResult {
  return html`<label class="way"><input type="radio" name="method" .checked=${chosen}
      @change=${() => change({ method: plan.method })} />
    <span class="name">${plan.title}</span>
    <span class="unseen" title=${t("{0} of {1} pairs reach unseen angles", unseen, set.pairs.length)}>${unseen}</span>
  </label>`;
}

function methods({ planning, way, change }: Planner): TemplateResult {
  return html`<div class="ways" role="radiogroup" aria-label=${t("Method")}>
    <p class="heads" aria-hidden="true"><span>${t("method")}</span><span>${t("pairs with unseen angles")}</span></p>
    ${planning.ways.map((one) => choice(one, one === way, change))}
  </div>`;
}

function plot({ plan, set }: Way, { trained, target }: Planning): TemplateResult {
  const label = `${plan.title}, ${t("Frequencies")}, ${t("{0} pairs", set.pairs.length)}`;
  return html`<posenc-wavelengths .content=${{ set, trained, target, label, name: plan.title }}></posenc-wavelengths>`;
}

/** The sub-config that the encoding was read from, and whether other layers of its stack have another. */
function placeOf({ specs }: ConfigSubject, { spec }: Part): PlanPlace {
  const [inside] = spec.evidence.find(({ path }) => String(path[0]).endsWith("_config"))?.path ?? [];
  const layered = specs.filter(({ where }) => where === spec.where).length > 1;
  return typeof inside === "string" ? { inside, layered } : { layered };
}

/** The plan in the words of a program, to copy. */
function words({ subject, sight, planning, change }: Planner, { plan }: Way): TemplateResult {
  const { format } = sight.page.state.plan;
  const said = planText(plan, format, planning.target, placeOf(subject, sight.part));
  const choose = (event: Event) => {
    const index = event.currentTarget instanceof HTMLSelectElement ? event.currentTarget.selectedIndex : 0;
    change({ format: PLAN_FORMATS[index] ?? format });
  };
  const option = (one: PlanFormat) => html`<option .selected=${one === format}>${planFormatTitle(one)}</option>`;
  return html`<select class="chooser" aria-label=${t("Output format")} @change=${choose}>${PLAN_FORMATS.map(option)}</select>
    ${
      "text" in said
        ? html`<pre tabindex="0" class=${said.text.includes("\n") ? "lines" : nothing} aria-label=${planFormatTitle(format)} lang="en">${said.text}</pre>`
        : html`<p class="aside">${said.unavailable}</p>`
    }
    <p class="buttons">
      ${"text" in said ? button({ label: t("Copy"), onClick: () => copy(sight, said.text) }) : nothing}
    </p>`;
}

function copy({ calls, report }: Sight, text: string): void {
  calls.copyText({ text }).then(
    () => report({ kind: "status", text: t("Copied.") }),
    (error: unknown) => report({ kind: "alert", text: messageOf(error) }),
  );
}

/** The document is edited, where it can be undone; the version that was planned from goes along. */
function write({ subject, sight }: Planner, { wanted }: Way): void {
  const { calls, report, part } = sight;
  const { uri, version } = subject;
  calls.writeBack({ uri, index: part.index, version, wanted: { ...wanted } }).then(
    ({ written, left }) => {
      const done = written
        ? t("Written to {0}. Use Undo to revert.", subject.title)
        : t("No change: the file already has these values.");
      const rest = left.map(({ param, reason }) => t("Not written: {0} ({1}).", param, reason));
      report({ kind: "status", text: [done, ...rest].join(" ") });
    },
    (error: unknown) => report({ kind: "alert", text: messageOf(error) }),
  );
}

function show({ sight: { send, part } }: Planner, way: Way): void {
  send({ type: "openPanel", index: part.index, planned: changesOf(way, part) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function outcome({ outcome: said }: Sight): TemplateResult {
  return html`<p class="outcome" role="status">${said?.kind === "status" ? said.text : nothing}</p>
    ${said?.kind === "alert" ? html`<p class="notice" role="alert">${said.text}</p>` : nothing}`;
}

/** A window hides what is far, however long the text. */
function windowNote({ spec: { params } }: Part): TemplateResult | typeof nothing {
  const { sliding_window: window } = params;
  if (typeof window !== "number") return nothing;
  return html`<p class="aside">${t("These layers attend to at most {0} previous tokens, so a longer context does not increase their rotation angles.", grouped(window))}</p>`;
}

function body(planner: Planner): TemplateResult {
  const { planning, way, sight, subject } = planner;
  const isCheckpoint = subject.version === 0;
  return html`<div class="plan">
    ${lengths(planner)} ${windowNote(sight.part)}
    ${planning.problem === null ? methods(planner) : html`<p class="notice" role="alert">${planning.problem}</p>`}
    ${
      way === undefined
        ? nothing
        : html`<p class="aside">${localize(way.plan.note)}</p>
          ${plot(way, planning)}
          <p class="buttons">
            ${isCheckpoint ? nothing : button({ label: t("Write to config"), look: "primary", onClick: () => write(planner, way) })}
            ${button({ label: t("Compare in Panel"), title: t("Compare the plan with the current file"), onClick: () => show(planner, way) })}
          </p>
          ${outcome(sight)} ${words(planner, way)}`
    }
  </div>`;
}

/** From a trained and a wanted context to parameters: in the file, or in the words of a program. */
export function plan(subject: ConfigSubject, sight: Sight): TemplateResult {
  const { plan: state } = sight.page.state;
  return folding(PLAN, t("Plan longer context"), sight, () => {
    const planning = planningOf(sight.part, state);
    if (planning === null)
      return html`<p class="aside">${t("Plans require RoPE: this encoding has no base to change.")}</p>`;
    const way = planning.ways.find(({ plan: { method } }) => method === state.method);
    const change: Planner["change"] = (values) => {
      sight.report(null);
      sight.update((now) => ({ ...now, plan: { ...now.plan, ...values } }));
    };
    return body({ subject, sight, planning, way, change });
  });
}
