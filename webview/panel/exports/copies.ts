import { t } from "@vscode/l10n";
import { pythonCode } from "../../../src/core/export/code/program.ts";
import type { Library } from "../../../src/core/export/code/python.ts";
import type { CodeRequest } from "../../../src/core/export/code/request.ts";
import { type GoldenCell, goldenSnippet } from "../../../src/core/export/golden.ts";
import { portableState } from "../../../src/core/protocol/link.ts";
import type { Slices } from "../../engine/timeSlicing.ts";
import { comparedModel } from "../../state/comparison.ts";
import { rowsStatistics } from "../../state/normaliser.ts";
import { type Cell, crosshairOf, viewportOf } from "../../state/viewport.ts";
import type { MenuItem } from "../../ui/menu.ts";
import { type Subject, subjectValues } from "../../views/subject.ts";
import { drawableOf, type Shown } from "./exportContext.ts";
import type { Exporter } from "./exporter.ts";
import { visibleCellRange } from "./visibleCells.ts";

/** The texts of the Copy menu. */
export function copyGroups(exporter: Exporter, shown: Shown | null): readonly (readonly MenuItem[])[] {
  return [
    [exporter.pictureItem(), linkItem(exporter, shown)],
    [latexItem(exporter, shown), ...codeItems(exporter, shown), goldenItem(exporter, shown)],
  ];
}

function nothingDrawn(): string {
  return t("Nothing is drawn.");
}

function noMatrix(shown: Shown | null): string | null {
  if (shown === null) return nothingDrawn();
  return shown.subject === null ? t("Choose a view with a matrix: Table, Scores, Attention, Bias or Terms.") : null;
}

/** The same panel elsewhere. Both configs' values go along, their files do not. */
function linkItem(exporter: Exporter, shown: Shown | null): MenuItem {
  const label = t("Link");
  const hint = t("Opens this view in another editor with Posenc");
  return exporter.textItem(label, hint, shown === null ? nothingDrawn() : null, ({ page, model }) =>
    exporter.linkTo(portableState(page.panel, model.spec, comparedModel(page)?.spec ?? null)),
  );
}

function latexItem(exporter: Exporter, shown: Shown | null): MenuItem {
  const tex = ({ drawable }: Shown) => drawable.encoding.formula(drawable.params).tex;
  return exporter.textItem(t("LaTeX"), t("Formula for these parameters"), shown === null ? nothingDrawn() : null, tex);
}

/** The request for what is shown; null for pictures that no code is for. */
export function codeRequest(shown: Shown): CodeRequest | null {
  const { subject, page } = shown;
  const drawable = subject === null || subject.minus !== undefined ? null : drawableOf(shown, subject);
  if (subject === null || drawable === null) return null;
  const { source } = subject;
  const show = source.kind === "attention" ? source.show : ({ of: "table" } as const);
  const { encoding, params, scene, attention, recipe } = drawable;
  const { content } = recipe.scene;
  return {
    encoding,
    params,
    scene,
    attention,
    content,
    show,
    ...visibleCellRange(subject, viewportOf(page.panel.viewport, subject.extent)),
  };
}

function codeItem(exporter: Exporter, shown: Shown | null, library: Library, label: string): MenuItem {
  const codeOf = (now: Shown) => {
    const request = codeRequest(now);
    if (request === null) return { reason: t("Code export does not support differences.") };
    try {
      return pythonCode(request, library);
    } catch (error) {
      return { reason: error instanceof Error ? error.message : String(error) };
    }
  };
  const none = noMatrix(shown);
  const made = none !== null || shown === null ? null : codeOf(shown);
  const reason = made !== null && "reason" in made ? made.reason : none;
  return exporter.textItem(label, t("Reproduces this matrix exactly, in float64"), reason, (now) => {
    const code = codeOf(now);
    if ("reason" in code) throw new Error(code.reason);
    return code.code;
  });
}

function codeItems(exporter: Exporter, shown: Shown | null): MenuItem[] {
  return [codeItem(exporter, shown, "numpy", t("NumPy code")), codeItem(exporter, shown, "torch", t("PyTorch code"))];
}

function goldenItem(exporter: Exporter, shown: Shown | null): MenuItem {
  return exporter.textItem(
    t("Unit test"),
    t("Unit test with reference values (Python)"),
    noMatrix(shown),
    async (now, slices) => (now.subject === null ? "" : goldenText(now, now.subject, slices)),
  );
}

/** Rows and columns at the ends, in the middle and at the crosshair. */
function goldenPlaces({ page }: Shown, subject: Subject): Cell[] {
  const viewport = viewportOf(page.panel.viewport, subject.extent);
  const { rows, columns } = visibleCellRange(subject, viewport);
  const crosshair = crosshairOf(page.panel.crosshair, viewport, subject.extent);
  const spread = ({ from, to }: { from: number; to: number }) => [from, Math.floor((from + to) / 2), to - 1];
  const places = [
    ...spread(rows).flatMap((row) => spread(columns).map((column) => ({ row, column }))),
    ...spread(rows).map((row) => ({ row, column: Math.min(row, columns.to - 1) })),
    crosshair,
  ];
  return [...new Map(places.map((cell) => [`${cell.row} ${cell.column}`, cell])).values()];
}

/** A cell in float64; a masked weight is 0, a masked logit no number that a test could hold. */
async function cellValue(subject: Subject, { row, column }: Cell, slices: Slices): Promise<number> {
  const { source } = subject;
  const normalised = subject.normalised && source.kind === "attention";
  const statistics = normalised ? await rowsStatistics(source, row, 1, slices) : [];
  const value = subjectValues(subject, [row], [column], statistics)[0] ?? Number.NaN;
  return normalised && Number.isNaN(value) ? 0 : value;
}

async function goldenText(shown: Shown, subject: Subject, slices: Slices): Promise<string> {
  const cells: GoldenCell[] = [];
  for (const cell of goldenPlaces(shown, subject)) {
    const value = await cellValue(subject, cell, slices);
    if (Number.isFinite(value)) cells.push({ ...cell, value });
  }
  const { encoding, params, scene, recipe } = drawableOf(shown, subject) ?? shown.drawable;
  const { content } = shown.page.panel;
  const { causal, window, chunk, keepFirst } = recipe.mask;
  const mask = { causal: causal === true, window: window ?? null, chunk: chunk ?? null, keep_first: keepFirst ?? null };
  const { queryLength, keyLength, shift, head } = scene;
  return goldenSnippet({
    title: `${encoding.title.en}: ${shown.page.panel.view}`,
    params,
    setting: {
      query_length: queryLength,
      key_length: keyLength,
      shift,
      head,
      ...mask,
      content: typeof content === "string" ? content : JSON.stringify(content),
    },
    cells,
  });
}
