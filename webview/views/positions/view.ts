import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { PositionScheme } from "../../../src/core/protocol/state.ts";
import { changePositions } from "../../state/changes.ts";
import { grouped } from "../../state/format.ts";
import { changeQueryLength, LONGEST } from "../../state/reducers.ts";
import { crosshairOf, viewportOf } from "../../state/viewport.ts";
import { numberField, textField } from "../../ui/fields.ts";
import { button, checkbox, dropdown } from "../../ui/toolkit.ts";
import { attentionSubject } from "../attentionSubject.ts";
import type { View, ViewContext } from "../view.ts";
import { defineIdStrip, type Strip } from "./idStrip.ts";
import { followsIds, type IdRow, idRows, keyIndexOf, parseLengths } from "./model.ts";

function axisName(axis: IdRow["axis"]): string {
  switch (axis) {
    case "id":
      return t("id");
    case "time":
      return t("time");
    case "row":
      return t("row");
    case "column":
      return t("column");
  }
}

/** M-RoPE numbers its tokens itself, from the picture's place. */
function ownIds({ drawable }: ViewContext): boolean {
  return drawable.encoding.id === "mrope";
}

function kindChoices(): { value: PositionScheme["kind"]; label: string }[] {
  return [
    { value: "consecutive", label: t("consecutive") },
    { value: "left_padding", label: t("left-padded") },
    { value: "packed", label: t("packed documents") },
  ];
}

function schemeFields({ page, dispatch }: ViewContext): TemplateResult | typeof nothing {
  const { kind, padding, fromMask, documents } = page.panel.positions;
  if (kind === "left_padding") {
    return html`<span class="tool"><span class="name">${t("padding tokens")}</span>${numberField({
      label: t("padding tokens"),
      value: padding,
      min: 0,
      max: LONGEST,
      onNumber: (tokens) => dispatch(changePositions({ padding: tokens })),
    })}</span>
    ${checkbox({ label: t("ids from the attention mask"), checked: fromMask, onChange: (on) => dispatch(changePositions({ fromMask: on })) })}`;
  }
  if (kind !== "packed") return nothing;
  const onText = (text: string) => {
    const lengths = parseLengths(text);
    if (lengths !== undefined) dispatch(changePositions({ documents: lengths }));
  };
  return html`<span class="tool"><span class="name">${t("document lengths")}</span>${textField({
    label: t("document lengths"),
    text: documents.join(", "),
    onText,
  })}</span>`;
}

function tools(context: ViewContext): TemplateResult {
  const { dispatch, page, drawable } = context;
  const { queryLength, keyLength } = drawable.scene;
  const decoding = queryLength < keyLength;
  const choose = (value: string) => {
    const choice = kindChoices().find((each) => each.value === value);
    if (choice !== undefined) dispatch(changePositions({ kind: choice.value }));
  };
  return html`<div class="chart-tools" role="group" aria-label=${t("Position ids")}>
    ${
      ownIds(context)
        ? nothing
        : html`<span class="tool"><span class="name">${t("tokens are")}</span>${dropdown({
            label: t("token numbering"),
            value: page.panel.positions.kind,
            choices: kindChoices(),
            onChange: choose,
          })}</span>
    ${schemeFields(context)}`
    }
    ${button({
      label: decoding ? t("All queries") : t("Decode one token"),
      title: decoding ? t("Same number of queries and keys") : t("One query after its cached keys"),
      onClick: () => dispatch(changeQueryLength(decoding ? keyLength : 1)),
    })}
  </div>`;
}

function stripOf({ page, drawable }: ViewContext): Strip {
  const { queryLength, keyLength } = drawable.scene;
  const extent = { rows: queryLength, columns: keyLength };
  const viewport = viewportOf(page.panel.viewport, extent);
  const ids = idRows(drawable, page.panel.positions);
  const at = crosshairOf(page.panel.crosshair, viewport, extent).column;
  const names = ids.rows.map(({ axis }) => axisName(axis));
  const documents = ids.document(keyLength - 1) + 1;
  const summary =
    documents > 1 ? t("{0} documents, each starting at id {1}", grouped(documents), drawable.scene.shift) : null;
  return { ids, names, summary, viewport, keys: keyLength, at };
}

/** What the ids are at the crosshair, and by how much they differ. */
function readout({ page, drawable }: ViewContext): string {
  const { queryLength, keyLength } = drawable.scene;
  const extent = { rows: queryLength, columns: keyLength };
  const viewport = viewportOf(page.panel.viewport, extent);
  const { row, column } = crosshairOf(page.panel.crosshair, viewport, extent);
  const { rows, kind } = idRows(drawable, page.panel.positions);
  const query = keyIndexOf(drawable, row);
  const list = (index: number) => rows.map(({ id }) => grouped(id(index))).join(", ");
  const difference = rows.map(({ id }) => grouped(id(query) - id(column))).join(", ");
  const parts = [
    t("query: token {0}, id {1}; key: token {2}, id {3}", grouped(query), list(query), grouped(column), list(column)),
    t("ids differ by {0}, tokens by {1}", difference, grouped(query - column)),
  ];
  if (kind(column) === "padding") parts.push(t("the key is padding and is masked"));
  return parts.join(" · ");
}

function schemeNote(scheme: PositionScheme): string {
  switch (scheme.kind) {
    case "consecutive":
      return t(
        "Each token's id is its index. With fewer queries than keys, the queries come last, after the cached keys.",
      );
    case "left_padding":
      return scheme.fromMask
        ? t(
            "Ids are cumsum(mask) − 1. Padding gets id 0 and is masked; the first real token also gets id 0, so a text has the same ids alone and in a batch.",
          )
        : t(
            "Ids are token indices, including padding, so the first real token gets a different id than without padding. Relative encodings are unaffected; absolute ones are not.",
          );
    case "packed":
      return t(
        "Ids restart at each document, and a query attends only to its own document, so packed and unpacked scores are the same.",
      );
  }
}

function encodingNote(context: ViewContext): string {
  const { drawable, page } = context;
  const title = localize(drawable.encoding.title);
  if (ownIds(context)) {
    return t(
      "Text tokens have three equal ids. Each image token has its frame, row and column; the text after the image continues at start + max(rows, columns). Set the image position on the left.",
    );
  }
  if (page.panel.positions.kind === "consecutive") return "";
  return followsIds(drawable)
    ? t("{0} uses these ids to compute the matrix.", title)
    : t(
        "{0} does not use ids: it counts distances between tokens in sequence order. Padding and packing change only the mask, not the distances within a text.",
        title,
      );
}

function above(context: ViewContext): TemplateResult {
  defineIdStrip();
  const strip = stripOf(context);
  const label = t("Position ids of {0} keys", grouped(strip.keys));
  return html`<div class="positions">
    ${tools(context)}
    <p class="chart-note">${ownIds(context) ? nothing : schemeNote(context.page.panel.positions)} ${encodingNote(context)}</p>
    <div role="img" aria-label=${label}><posenc-ids .strip=${strip}></posenc-ids></div>
  </div>`;
}

/** A row of position ids above the matrix that they make. */
export const positionsView: View = {
  id: "positions",
  title: () => t("Positions"),
  unavailable: ({ encoding, params }) => {
    const title = localize(encoding.title);
    if (encoding.id === "none") return t("{0} has no positions to number.", title);
    return encoding.grid?.(params) === undefined
      ? null
      : t(
          "In {0}, a token's position is its patch in the image, so padding and packing do not apply. See the Grid view.",
          title,
        );
  },
  subject: (drawable) => attentionSubject(drawable, t("logit"), { of: "logits", hidden: [] }),
  above,
  body: (context) =>
    html`<p class="chart-status" role="status" aria-label=${t("Position ids")}>${readout(context)}</p>`,
};
