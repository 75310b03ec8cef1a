import { t } from "@vscode/l10n";
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
    { value: "shared", label: t("shared") },
    { value: "own", label: t("separate") },
  ];
  const onChange = (value: string) => dispatch(setField("sharedColours", value === "shared"));
  const label = t("colours of A and B");
  return settingLine(label, dropdown({ label, value: sharedColours ? "shared" : "own", choices, onChange }));
}

/** Colour scale and domain. */
export function colourGroup({ panel, drawing }: Page, dispatch: Dispatch): TemplateResult {
  const { scale, domain } = panel.colour;
  const scales = [
    { value: "linear", label: t("linear") },
    { value: "log", label: t("logarithmic") },
    { value: "row", label: t("by row") },
    { value: "rowLog", label: t("by row, logarithmic") },
  ] as const satisfies { value: ColourScale; label: string }[];
  const setScale = (value: string) => {
    const chosen = scales.find((choice) => choice.value === value);
    if (chosen !== undefined) dispatch(changeColour({ scale: chosen.value }));
  };
  const auto = drawing.result?.domain ?? [0, 1];
  const setDomain = (value: string) =>
    dispatch(changeColour({ domain: value === "auto" ? null : [roundForField(auto[0]), roundForField(auto[1])] }));
  const modes = [
    { value: "auto", label: t("automatic") },
    { value: "manual", label: t("manual") },
  ];
  return html`<section class="group">
    <h2>${t("Colour")}</h2>
    ${settingLine(t("scale"), dropdown({ label: t("colour scale"), value: scale, choices: scales, onChange: setScale }))}
    ${settingLine(t("domain"), dropdown({ label: t("colour domain"), value: domain === null ? "auto" : "manual", choices: modes, onChange: setDomain }))}
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
  return html`${settingLine(t("from"), field(t("domain from"), low, 0))} ${settingLine(t("to"), field(t("domain to"), high, 1))}`;
}
