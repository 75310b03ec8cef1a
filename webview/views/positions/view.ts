import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { MAX_SEQUENCE_LENGTH } from "../../../src/core/protocol/state.ts";
import type { Numbering } from "../../../src/core/terms/numbering.ts";
import { effectiveCrosshair, effectiveViewport } from "../../matrix/viewport.ts";
import { changePositions, changeQueryLength } from "../../state/reducers.ts";
import { numberField, textField } from "../../ui/fields.ts";
import { groupDigits } from "../../ui/format.ts";
import { button, checkbox, dropdown } from "../../ui/toolkit.ts";
import { attentionMatrix } from "../attentionMatrix.ts";
import type { View, ViewContext } from "../view.ts";
import { buildIdRows, followsIds, type IdRow, parseLengths, queryKeyIndex } from "./idRows.ts";
import { defineIdStrip, type IdStrip } from "./idStrip.ts";
import "./positions.css";

function axisName(axis: IdRow["axis"]): string {
  switch (axis) {
    case "id":
      return l10n.t("id");
    case "time":
      return l10n.t("time");
    case "row":
      return l10n.t("row");
    case "column":
      return l10n.t("column");
  }
}

/** M-RoPE assigns its own ids from the picture's position. */
function assignsOwnIds({ resolved }: ViewContext): boolean {
  return resolved.encoding.positionAxes !== undefined;
}

function kindChoices(): { value: Numbering["kind"]; label: string }[] {
  return [
    { value: "consecutive", label: l10n.t("consecutive") },
    { value: "left_padding", label: l10n.t("left-padded") },
    { value: "packed", label: l10n.t("packed documents") },
  ];
}

function schemeFields({ page, dispatch }: ViewContext): TemplateResult | typeof nothing {
  const { kind, padding, fromMask, documents } = page.panel.positions;
  if (kind === "left_padding") {
    return html`<span class="tool"><span class="name">${l10n.t("padding tokens")}</span>${numberField({
      label: l10n.t("padding tokens"),
      value: padding,
      min: 0,
      max: MAX_SEQUENCE_LENGTH,
      onNumber: (tokens) => dispatch(changePositions({ padding: tokens })),
    })}</span>
    ${checkbox({ label: l10n.t("ids from the attention mask"), checked: fromMask, onChange: (on) => dispatch(changePositions({ fromMask: on })) })}`;
  }
  if (kind !== "packed") return nothing;
  const onText = (text: string) => {
    const lengths = parseLengths(text);
    if (lengths !== undefined) dispatch(changePositions({ documents: lengths }));
  };
  return html`<span class="tool"><span class="name">${l10n.t("document lengths")}</span>${textField({
    label: l10n.t("document lengths"),
    text: documents.join(", "),
    onText,
  })}</span>`;
}

function positionTools(context: ViewContext): TemplateResult {
  const { dispatch, page, resolved } = context;
  const { queryLength, keyLength } = resolved.scene;
  const decoding = queryLength < keyLength;
  const choose = (value: string) => {
    const choice = kindChoices().find((each) => each.value === value);
    if (choice !== undefined) dispatch(changePositions({ kind: choice.value }));
  };
  return html`<div class="chart-tools" role="group" aria-label=${l10n.t("Position ids")}>
    ${
      assignsOwnIds(context)
        ? nothing
        : html`<span class="tool"><span class="name">${l10n.t("tokens are")}</span>${dropdown({
            label: l10n.t("token numbering"),
            value: page.panel.positions.kind,
            choices: kindChoices(),
            onChange: choose,
          })}</span>
    ${schemeFields(context)}`
    }
    ${button({
      label: decoding ? l10n.t("All queries") : l10n.t("Decode one token"),
      title: decoding ? l10n.t("Same number of queries and keys") : l10n.t("One query after its cached keys"),
      onClick: () => dispatch(changeQueryLength(decoding ? keyLength : 1)),
    })}
  </div>`;
}

function buildIdStrip({ page, resolved }: ViewContext): IdStrip {
  const { queryLength, keyLength } = resolved.scene;
  const extent = { rows: queryLength, columns: keyLength };
  const viewport = effectiveViewport(page.panel.viewport, extent);
  const ids = buildIdRows(resolved, page.panel.positions);
  const crosshairKey = effectiveCrosshair(page.panel.crosshair, viewport, extent).column;
  const names = ids.rows.map(({ axis }) => axisName(axis));
  const documents = ids.document(keyLength - 1) + 1;
  const summary =
    documents > 1
      ? l10n.t("{0} documents, each starting at id {1}", groupDigits(documents), resolved.scene.shift)
      : null;
  return { ids, names, summary, viewport, keys: keyLength, crosshairKey };
}

/** The ids at the crosshair and their difference. */
function idReadout({ page, resolved }: ViewContext): string {
  const { queryLength, keyLength } = resolved.scene;
  const extent = { rows: queryLength, columns: keyLength };
  const viewport = effectiveViewport(page.panel.viewport, extent);
  const { row, column } = effectiveCrosshair(page.panel.crosshair, viewport, extent);
  const { rows, kind } = buildIdRows(resolved, page.panel.positions);
  const query = queryKeyIndex(resolved, row);
  const list = (index: number) => rows.map(({ id }) => groupDigits(id(index))).join(", ");
  const difference = rows.map(({ id }) => groupDigits(id(query) - id(column))).join(", ");
  const parts = [
    l10n.t(
      "query: token {0}, id {1}; key: token {2}, id {3}",
      groupDigits(query),
      list(query),
      groupDigits(column),
      list(column),
    ),
    l10n.t("ids differ by {0}, tokens by {1}", difference, groupDigits(query - column)),
  ];
  if (kind(column) === "padding") parts.push(l10n.t("the key is padding and is masked"));
  return parts.join(" · ");
}

function schemeNote(scheme: Numbering): string {
  switch (scheme.kind) {
    case "consecutive":
      return l10n.t(
        "Each token's id is its index. With fewer queries than keys, the queries come last, after the cached keys.",
      );
    case "left_padding":
      return scheme.fromMask
        ? l10n.t(
            "Ids are cumsum(mask) − 1. Padding gets id 0 and is masked; the first real token also gets id 0, so a text has the same ids alone and in a batch.",
          )
        : l10n.t(
            "Ids are token indices, including padding, so the first real token gets a different id than without padding. Relative encodings are unaffected; absolute ones are not.",
          );
    case "packed":
      return l10n.t(
        "Ids restart at each document, and a query attends only to its own document, so packed and unpacked scores are the same.",
      );
  }
}

function encodingNote(context: ViewContext): string {
  const { resolved, page } = context;
  const title = localize(resolved.encoding.name);
  if (assignsOwnIds(context)) {
    return l10n.t(
      "Text tokens have three equal ids. Each image token has its frame, row and column; the text after the image continues at start + max(rows, columns). Set the image position on the left.",
    );
  }
  if (page.panel.positions.kind === "consecutive") return "";
  return followsIds(resolved)
    ? l10n.t("{0} uses these ids to compute the matrix.", title)
    : l10n.t(
        "{0} does not use ids: it counts distances between tokens in sequence order. Padding and packing change only the mask, not the distances within a text.",
        title,
      );
}

function renderAbove(context: ViewContext): TemplateResult {
  defineIdStrip();
  const strip = buildIdStrip(context);
  const label = l10n.t("Position ids of {0} keys", groupDigits(strip.keys));
  return html`<div class="positions">
    ${positionTools(context)}
    <p class="chart-note">${assignsOwnIds(context) ? nothing : schemeNote(context.page.panel.positions)} ${encodingNote(context)}</p>
    <div role="img" aria-label=${label}><posenc-ids .strip=${strip}></posenc-ids></div>
  </div>`;
}

/** Shows position ids above the score matrix. */
export const positionsView: View = {
  id: "positions",
  title: () => l10n.t("Positions"),
  whyUnavailable: ({ encoding, params }) => {
    const title = localize(encoding.name);
    if (encoding.classification.kind === "none") return l10n.t("{0} has no positions to number.", title);
    return encoding.patchGrid?.(params) === undefined
      ? null
      : l10n.t(
          "In {0}, a token's position is its patch in the image, so padding and packing do not apply. See the Grid view.",
          title,
        );
  },
  resolveMatrix: (resolved) => attentionMatrix(resolved, l10n.t("logit"), { of: "logits", hidden: [] }),
  renderAbove,
  renderBody: (context) =>
    html`<p class="chart-status" role="status" aria-label=${l10n.t("Position ids")}>${idReadout(context)}</p>`,
};
