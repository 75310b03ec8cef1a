import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { ROPE_FORMULAS } from "../../../src/core/encodings/rope/formulas.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { Scaling, ScalingOutcome } from "../../../src/core/measure/scalings.ts";
import type { Params } from "../../../src/core/spec.ts";
import { changeParams } from "../../state/reducers.ts";
import { formatSignificant } from "../../ui/format.ts";
import { button } from "../../ui/toolkit.ts";
import type { ViewContext } from "../view.ts";

function scalingName(scaling: Scaling): string {
  const names: Readonly<Record<Scaling, string>> = {
    default: l10n.t("no scaling"),
    linear: "PI",
    ntk: "NTK",
    dynamic: l10n.t("dynamic NTK"),
    yarn: "YaRN",
    longrope: "LongRoPE",
    llama3: "Llama 3",
  };
  return names[scaling];
}

function scalingMeaning({ scaling, usesNtkDivisors }: ScalingOutcome): string {
  if (scaling === "default") return l10n.t("Unscaled: low-frequency pairs extrapolate to unseen angles.");
  const meaning = localize(ROPE_FORMULAS[scaling].meaning ?? { en: "", zh: "" });
  return usesNtkDivisors ? `${meaning} ${l10n.t("No search was run; the long factors are taken from NTK.")}` : meaning;
}

function divisorText(outcome: ScalingOutcome, end: 0 | -1): string {
  const divisor = outcome.set.pairs.at(end)?.divisor ?? 1;
  return Math.abs(divisor - 1) < 1e-9 ? l10n.t("unchanged") : `÷ ${formatSignificant(divisor, 3)}`;
}

/** Only the values that differ from the current ones, so that nothing else becomes a change of the user's. */
function changedOnly(changes: Params, params: Params): Params {
  const same = (name: string) => JSON.stringify(changes[name]) === JSON.stringify(params[name] ?? null);
  return Object.fromEntries(Object.entries(changes).filter(([name]) => !same(name)));
}

function useButton(
  { dispatch, resolved }: ViewContext,
  { scaling, changes }: ScalingOutcome,
  chosen: boolean,
): TemplateResult {
  const name = scalingName(scaling);
  return button({
    label: chosen ? l10n.t("Fit {0} to these lengths", name) : l10n.t("Use {0}", name),
    glyph: chosen ? l10n.t("Fit") : l10n.t("Use"),
    onClick: () => dispatch(changeParams(changedOnly(changes, resolved.params))),
  });
}

function methodRow(context: ViewContext, outcome: ScalingOutcome): TemplateResult {
  const { scaling, set, pairsWithUnseenAngles } = outcome;
  const chosen = context.resolved.params["rope_type"] === scaling;
  return html`<tr class=${chosen ? "chosen" : ""} aria-current=${chosen ? "true" : nothing}>
    <th scope="row">${scalingName(scaling)}</th>
    <td class="meaning">${scalingMeaning(outcome)}</td>
    <td class="number" data-name=${l10n.t("pairs with unseen angles")}>${pairsWithUnseenAngles} / ${set.pairs.length}</td>
    <td class="number" data-name=${l10n.t("fastest pair")}>${divisorText(outcome, 0)}</td>
    <td class="number" data-name=${l10n.t("slowest pair")}>${divisorText(outcome, -1)}</td>
    <td class="use">${chosen && scaling === "default" ? nothing : useButton(context, outcome, chosen)}</td>
  </tr>`;
}

/** The effect of each scaling at these lengths, with a button that applies it. */
export function methodsSection(
  context: ViewContext,
  outcomes: readonly ScalingOutcome[],
): TemplateResult | typeof nothing {
  if (outcomes.length === 0) return nothing;
  return html`<section class="methods" aria-label=${l10n.t("Scaling methods compared")}>
    <h3>${l10n.t("Scaling methods compared")}</h3>
    <table>
      <thead><tr>
        <th scope="col">${l10n.t("scaling")}</th><th scope="col">${l10n.t("effect")}</th>
        <th scope="col" class="number">${l10n.t("pairs with unseen angles")}</th>
        <th scope="col" class="number">${l10n.t("fastest pair")}</th><th scope="col" class="number">${l10n.t("slowest pair")}</th>
        <th></th>
      </tr></thead>
      <tbody>${outcomes.map((outcome) => methodRow(context, outcome))}</tbody>
    </table>
  </section>`;
}
