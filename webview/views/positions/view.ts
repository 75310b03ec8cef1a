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
    { value: "consecutive", label: t("one after the other") },
    { value: "left_padding", label: t("padded on the left") },
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
            label: t("how tokens are numbered"),
            value: page.panel.positions.kind,
            choices: kindChoices(),
            onChange: choose,
          })}</span>
    ${schemeFields(context)}`
    }
    ${button({
      label: decoding ? t("All queries") : t("Decode one token"),
      title: decoding ? t("As many queries as keys") : t("One query at the end of its cached keys"),
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
    documents > 1 ? t("{0} documents, each from id {1} on", grouped(documents), drawable.scene.shift) : null;
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
    t(
      "token {0} asks from id {1}, token {2} answers from id {3}",
      grouped(query),
      list(query),
      grouped(column),
      list(column),
    ),
    t("ids differ by {0}, tokens by {1}", difference, grouped(query - column)),
  ];
  if (kind(column) === "padding") parts.push(t("the key is padding: nobody sees it"));
  return parts.join(" · ");
}

function schemeNote(scheme: PositionScheme): string {
  switch (scheme.kind) {
    case "consecutive":
      return t(
        "Each token's id is its index. With fewer queries than keys the queries stand at the end, behind their cache.",
      );
    case "left_padding":
      return scheme.fromMask
        ? t(
            "Ids are cumsum(mask) − 1: padding has 0 and is hidden, and the first real token has 0 too, so that a text has the same ids alone and in a batch.",
          )
        : t(
            "Ids are the indices, padding or not: the first real token has another id than without padding. Relative encodings do not notice, absolute ones do.",
          );
    case "packed":
      return t(
        "Ids begin again at each document, and a query sees its own document alone: packed and unpacked give the same scores.",
      );
  }
}

function encodingNote(context: ViewContext): string {
  const { drawable, page } = context;
  const title = localize(drawable.encoding.title);
  if (ownIds(context)) {
    return t(
      "Text has three equal ids. Each token of the picture has its frame, row and column; the text behind goes on at start + max(rows, columns). Where the picture stands is set on the left.",
    );
  }
  if (page.panel.positions.kind === "consecutive") return "";
  return followsIds(drawable)
    ? t("{0} takes these ids: the matrix is made with them.", title)
    : t(
        "{0} takes no ids: it counts from token to token as they stand. Padding and packing move no distance within a text, and only the mask changes.",
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
          "In {0} a token's place is its patch in the image: there is neither padding nor packing to number. The Grid view shows the patches.",
          title,
        );
  },
  subject: (drawable) => attentionSubject(drawable, t("logit"), { of: "logits", hidden: [] }),
  above,
  body: (context) =>
    html`<p class="chart-status" role="status" aria-label=${t("Position ids")}>${readout(context)}</p>`,
};
