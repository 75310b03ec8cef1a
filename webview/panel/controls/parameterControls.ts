import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Parameter } from "../../../src/core/encodings/encoding.ts";
import { fullTitle } from "../../../src/core/encodings/support/title.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { sourceName } from "../../../src/core/l10n/sourceName.ts";
import type { ParamValue } from "../../../src/core/spec.ts";
import type { ParameterControl } from "../../state/panelEncoding.ts";
import type { Dispatch } from "../../state/reducers.ts";
import { changeParam, resetParam } from "../../state/reducers.ts";
import { badge } from "../../ui/badge.ts";
import { problemText, slider, textField } from "../../ui/fields.ts";
import { fieldText, groupDigits, parseNumber } from "../../ui/format.ts";
import { button, checkbox, dropdown } from "../../ui/toolkit.ts";
import "../../ui/settingLine.css";

/** Parses typed text for a parameter. Text that cannot be parsed stays text, so that the schema reports it. */
export function parseTyped(parameter: Parameter, text: string): ParamValue {
  if (text.trim() === "" && parameter.optional === true) return null;
  if (parameter.kind === "numbers") return parseNumberList(text);
  return parseNumber(text) ?? text;
}

function parseNumberList(text: string): ParamValue {
  const items = text
    .replace(/^\s*\[|\]\s*$/g, "")
    .split(/[,;\s]+/)
    .filter((item) => item !== "");
  const numbers = items.map(parseNumber);
  return numbers.every((item): item is number => item !== undefined) ? numbers : text;
}

function valueControl({ parameter, value, problem }: ParameterControl, dispatch: Dispatch): TemplateResult {
  const set = (next: ParamValue) => dispatch(changeParam(parameter.name, next));
  switch (parameter.kind) {
    case "boolean":
      return checkbox({ label: parameter.name, checked: value === true, bare: true, onChange: set });
    case "choice": {
      const choices = (parameter.choices ?? []).map((choice) => ({
        value: choice.value,
        label: localize(fullTitle(choice)),
      }));
      return dropdown({ label: parameter.name, value: String(value), choices, onChange: set });
    }
    default: {
      const text = fieldText(value);
      return textField({
        label: parameter.name,
        text: typeof value === "number" ? groupDigits(text) : text,
        invalid: problem !== null,
        hint: parameter.optional === true ? l10n.t("not set") : "",
        onText: (typed) => set(parseTyped(parameter, typed)),
      });
    }
  }
}

function parameterSlider({ parameter, value }: ParameterControl, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (parameter.slider === undefined || typeof value !== "number") return nothing;
  const onValue = (next: number) => dispatch(changeParam(parameter.name, next));
  return slider({ ...parameter.slider, label: parameter.name, value, integer: parameter.kind === "integer", onValue });
}

function resetButton(
  { parameter, source, base, baseSource }: ParameterControl,
  dispatch: Dispatch,
): TemplateResult | typeof nothing {
  if (source !== "you") return nothing;
  const value = base === null ? l10n.t("not set") : fieldText(base);
  const label = l10n.t("Reset {0} to {1} ({2})", parameter.name, value, sourceName(baseSource));
  return button({ label, glyph: "↺", look: "icon", onClick: () => dispatch(resetParam(parameter.name)) });
}

function parameterControl(control: ParameterControl, dispatch: Dispatch): TemplateResult {
  const { parameter, source, problem } = control;
  const unit = parameter.unit === undefined ? nothing : html`<span class="unit">${localize(parameter.unit)}</span> `;
  const wide = parameter.kind === "choice" || parameter.kind === "numbers";
  return html`<div class=${`parameter ${wide ? "wide" : ""} ${source === "you" ? "changed" : ""}`} title=${localize(parameter.help)}>
    <div class="line">
      <span class="label"><span class="name" lang="en">${breakableName(parameter.name)}</span> ${unit}${badge(sourceName(source), source)} ${resetButton(control, dispatch)}</span>
      <span class="entry">${valueControl(control, dispatch)}</span>
    </div>
    ${parameterSlider(control, dispatch)} ${problemText(problem)}
  </div>`;
}

/** Lets a long name break after its underscores. */
export function breakableName(name: string): TemplateResult[] {
  return name.split(/(?<=_)/).map((part) => html`${part}<wbr />`);
}

function controlList(controls: readonly ParameterControl[], dispatch: Dispatch): unknown {
  return repeat(
    controls,
    ({ parameter }) => parameter.name,
    (control) => parameterControl(control, dispatch),
  );
}

/** Optional parameters without a value are hidden behind a disclosure. */
function isUnset({ parameter, source, value, problem }: ParameterControl): boolean {
  return parameter.optional === true && value === null && source !== "you" && problem === null;
}

/** One control for each parameter of the encoding's schema. */
export function parameterControls(controls: readonly ParameterControl[], dispatch: Dispatch): TemplateResult {
  const unset = controls.filter(isUnset);
  const set = controls.filter((control) => !isUnset(control));
  return html`${controlList(set, dispatch)}
  ${unset.length === 0 ? nothing : html`<details class="more"><summary>${l10n.t("{0} more, not set", unset.length)}</summary>${controlList(unset, dispatch)}</details>`}`;
}
