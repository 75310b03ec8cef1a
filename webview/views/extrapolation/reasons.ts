import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { ResolvedEncoding } from "../../state/resolvedEncoding.ts";
import { formatSignificant, groupDigits } from "../../ui/format.ts";
import type { ExtrapolationData } from "./computeExtrapolation.ts";

interface Reason {
  readonly claim: string;
  /** null if it cannot be measured. */
  readonly number: string | null;
  readonly note: string;
}

/** A difference as a share of the largest logit. */
function formatError(error: number | undefined): string | null {
  if (error === undefined) return null;
  return error === 0 ? "0" : formatSignificant(error, 2);
}

function percent(share: number): string {
  return `${formatSignificant(100 * share, 4)} %`;
}

function distanceReason(
  { seen, buckets, trainingContext, currentLength }: ExtrapolationData,
  absolute: boolean,
): Reason {
  const claim = l10n.t("With a clipped or bucketed table, longer sequences add no new distances.");
  if (seen.rows !== null && buckets !== null) {
    const note = l10n.t(
      "Share of cells (i, j) with a trained table row; all distances ≥ {0} share one row. By distance alone: {1}.",
      groupDigits(buckets.lastDistance),
      percent(seen.distances),
    );
    return { claim, number: percent(seen.rows), note };
  }
  const shared = l10n.t(
    "Share of cells (i, j) whose distance occurs in a training sequence of {0} tokens.",
    groupDigits(Math.min(trainingContext, currentLength)),
  );
  const note = absolute
    ? `${shared} ${l10n.t("Share of cells whose two positions both occur: {0}.", percent(seen.positions))}`
    : shared;
  return { claim, number: percent(seen.distances), note };
}

function domainNote({ encoding, params }: ResolvedEncoding): string {
  const domain = encoding.domain(params);
  if (domain.kind === "any") {
    return encoding.cellsAreIndependent
      ? l10n.t("n/a: defined at every position, and each cell can be computed on its own.")
      : l10n.t("n/a: defined at every position, but a cell depends on its whole row.");
  }
  const size = domain.kind === "table" ? l10n.t("Only {0} positions are defined.", groupDigits(domain.size)) : "";
  return `${l10n.t("n/a: defined for a limited range only.")} ${size} ${localize(domain.reason)}`;
}

function buildReasons(resolved: ResolvedEncoding, data: ExtrapolationData): readonly Reason[] {
  const absolute = resolved.encoding.classification.kind === "absolute";
  const notMeasured = l10n.t("The position table is too short for this measurement.");
  return [
    {
      claim: l10n.t("A distance has the same meaning everywhere."),
      number: formatError(data.shiftError),
      note:
        data.shiftError === undefined
          ? notMeasured
          : l10n.t("Largest logit change when both positions shift, relative to the largest logit."),
    },
    distanceReason(data, absolute),
    {
      claim: l10n.t("Learned patterns transfer to other contexts."),
      number: null,
      note: l10n.t("n/a: requires a trained model."),
    },
    {
      claim: l10n.t("It can be computed on the fly for any pair of positions."),
      number: null,
      note: domainNote(resolved),
    },
    {
      claim: l10n.t("Cutting, splicing and shifting preserve the relative positions of tokens."),
      number: formatError(data.spliceError),
      note:
        data.spliceError === undefined
          ? notMeasured
          : l10n.t("Largest logit change among the tokens after a cut of seven tokens, relative to the largest logit."),
    },
  ];
}

/** The five usual reasons for relative encodings, measured on this one, with their limits. */
export function reasonsSection(resolved: ResolvedEncoding, data: ExtrapolationData): TemplateResult {
  return html`<section class="reasons" aria-label=${l10n.t("Five arguments for relative encodings")}>
    <h3>${l10n.t("Five arguments for relative encodings, measured on {0}", localize(resolved.encoding.name))}</h3>
    <ol>
      ${buildReasons(resolved, data).map(
        ({ claim, number, note }) =>
          html`<li><span class="claim">${claim}</span> ${number === null ? nothing : html`<strong class="measured">${number}</strong>`} <span class="note">${note}</span></li>`,
      )}
    </ol>
    <p class="chart-note caveat">${l10n.t("What these arguments leave out: being relative is not enough. Beyond the training context, plain RoPE fails because its low-frequency pairs reach unseen angles; PI, NTK and YaRN address this. Good extrapolation is desirable, not required. Among absolute encodings, learned tables do not extrapolate at all, and sinusoidal ones only slightly.")}</p>
  </section>`;
}
