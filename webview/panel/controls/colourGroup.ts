import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { ColourScale, PanelState } from "../../../src/core/protocol/state.ts";
import type { Page } from "../../state/page.ts";
import type { Dispatch } from "../../state/reducers.ts";
import { changeColour, setField } from "../../state/reducers.ts";
import { numberField } from "../../ui/fields.ts";
import { settingLine } from "../../ui/settingLine.ts";
import { dropdown } from "../../ui/toolkit.ts";

/** Whether A and B share one colour domain. */
function sharedColoursLine({ sharedColours }: PanelState, dispatch: Dispatch): TemplateResult {
  const choices = [
    { value: "shared", label: l10n.t("shared") },
    { value: "own", label: l10n.t("separate") },
  ];
  const onChange = (value: string) => dispatch(setField("sharedColours", value === "shared"));
  const label = l10n.t("colours of A and B");
  return settingLine(label, dropdown({ label, value: sharedColours ? "shared" : "own", choices, onChange }));
}

/** Colour scale and domain. */
export function colourGroup({ panel, drawing }: Page, dispatch: Dispatch): TemplateResult {
  const { scale, domain } = panel.colour;
  const scales = [
    { value: "linear", label: l10n.t("linear") },
    { value: "log", label: l10n.t("logarithmic") },
    { value: "row", label: l10n.t("by row") },
    { value: "rowLog", label: l10n.t("by row, logarithmic") },
  ] as const satisfies { value: ColourScale; label: string }[];
  const setScale = (value: string) => {
    const chosen = scales.find((choice) => choice.value === value);
    if (chosen !== undefined) dispatch(changeColour({ scale: chosen.value }));
  };
  const auto = drawing.result?.domain ?? [0, 1];
  const setDomain = (value: string) =>
    dispatch(changeColour({ domain: value === "auto" ? null : [roundForField(auto[0]), roundForField(auto[1])] }));
  const modes = [
    { value: "auto", label: l10n.t("automatic") },
    { value: "manual", label: l10n.t("manual") },
  ];
  return html`<section class="group">
    <h2>${l10n.t("Colour")}</h2>
    ${settingLine(l10n.t("scale"), dropdown({ label: l10n.t("colour scale"), value: scale, choices: scales, onChange: setScale }))}
    ${settingLine(l10n.t("domain"), dropdown({ label: l10n.t("colour domain"), value: domain === null ? "auto" : "manual", choices: modes, onChange: setDomain }))}
    ${panel.compare === null ? nothing : sharedColoursLine(panel, dispatch)}
    ${domain === null ? nothing : domainFields([domain[0], domain[1]], dispatch)}
  </section>`;
}

function roundForField(value: number): number {
  return Number(value.toPrecision(6));
}

function domainFields([low, high]: readonly [number, number], dispatch: Dispatch): TemplateResult {
  const set = (end: 0 | 1, value: number) =>
    dispatch((panel) => {
      const domain: [number, number] = [...(panel.colour.domain ?? [low, high])];
      domain[end] = value;
      return changeColour({ domain })(panel);
    });
  const field = (label: string, value: number, end: 0 | 1) =>
    numberField({ label, value, integer: false, onNumber: (next) => set(end, next) });
  return html`${settingLine(l10n.t("from"), field(l10n.t("domain from"), low, 0))} ${settingLine(l10n.t("to"), field(l10n.t("domain to"), high, 1))}`;
}
