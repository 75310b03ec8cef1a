import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import { grouped, significant } from "../../state/format.ts";
import type { Drawable } from "../../state/resolvedEncoding.ts";
import type { ExtrapolationModel } from "./model.ts";

interface Reason {
  readonly claim: string;
  /** null: no number can be had. */
  readonly number: string | null;
  readonly note: string;
}

/** A difference as a share of the largest logit; below rounding it is none. */
function errorText(error: number | undefined): string | null {
  if (error === undefined) return null;
  return error === 0 ? "0" : significant(error, 2);
}

function percent(share: number): string {
  return `${significant(100 * share, 4)} %`;
}

function distanceReason({ seen, buckets, trained, used }: ExtrapolationModel, absolute: boolean): Reason {
  const claim = t("Longer sequences bring no new distances where the table is clipped or in buckets.");
  if (seen.rows !== null && buckets !== null) {
    const note = t(
      "Cells (i, j) whose row of the table was trained; from distance {0} on all share one. By distance alone it would be {1}.",
      grouped(buckets.last),
      percent(seen.distances),
    );
    return { claim, number: percent(seen.rows), note };
  }
  const shared = t("Cells (i, j) whose distance occurred in {0} tokens of training.", grouped(Math.min(trained, used)));
  const note = absolute
    ? `${shared} ${t("Cells whose two positions both occurred: {0}.", percent(seen.positions))}`
    : shared;
  return { claim, number: percent(seen.distances), note };
}

function domainNote({ encoding, params }: Drawable): string {
  const domain = encoding.domain(params);
  if (domain.kind === "any") {
    return encoding.local
      ? t("No number: its domain is every position, and any cell can be had alone.")
      : t("No number: its domain is every position, but a cell needs its whole row.");
  }
  const size = domain.kind === "table" ? t("It ends after {0} positions.", grouped(domain.size)) : "";
  return `${t("No number: its domain is limited.")} ${size} ${localize(domain.reason)}`;
}

function reasonsOf(drawable: Drawable, model: ExtrapolationModel): readonly Reason[] {
  const absolute = drawable.encoding.classification.kind === "absolute";
  const none = t("No room in the table to measure it.");
  return [
    {
      claim: t("A distance means the same everywhere."),
      number: errorText(model.shiftError),
      note:
        model.shiftError === undefined
          ? none
          : t("Largest change of a logit when both positions move, as a share of the largest logit."),
    },
    distanceReason(model, absolute),
    {
      claim: t("What was learned carries over to other contexts."),
      number: null,
      note: t("No number without a trained model."),
    },
    {
      claim: t("It can be computed for any pair, when it is needed."),
      number: null,
      note: domainNote(drawable),
    },
    {
      claim: t("Cutting, splicing and shifting keep the relations between tokens."),
      number: errorText(model.spliceError),
      note:
        model.spliceError === undefined
          ? none
          : t("Largest change of a logit among the tokens behind a cut of seven, as a share of the largest logit."),
    },
  ];
}

/** The five reasons that are given for relative encodings, measured on this one, and what they leave out. */
export function reasonsPart(drawable: Drawable, model: ExtrapolationModel): TemplateResult {
  return html`<section class="reasons" aria-label=${t("Five reasons given for relative encodings")}>
    <h3>${t("Five reasons given for relative encodings, measured on {0}", localize(drawable.encoding.title))}</h3>
    <ol>
      ${reasonsOf(drawable, model).map(
        ({ claim, number, note }) =>
          html`<li><span class="claim">${claim}</span> ${number === null ? nothing : html`<strong class="measured">${number}</strong>`} <span class="note">${note}</span></li>`,
      )}
    </ol>
    <p class="chart-note caveat">${t("What the reasons leave out: being relative is not enough. Plain RoPE fails past its trained length, at angles of its slow pairs that training never had, which is what PI, NTK and YaRN are for. Good extrapolation is wanted, not required. Of the absolute encodings, learned ones have none and sinusoidal ones a little.")}</p>
  </section>`;
}
