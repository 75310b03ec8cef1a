import * as l10n from "@vscode/l10n";
import { type Node, parseTree } from "jsonc-parser";
import { measureJson } from "../../config/text/compactJson.ts";
import { Budget, BudgetError } from "../../util/budget.ts";
import { MAX_PYTHON_LENGTH } from "../document.ts";
import { type NotebookCell, parseCell } from "./cells.ts";

/** The code cells of a notebook, with a map from offsets in the raw JSON. */
export interface NotebookCode {
  readonly cells: readonly NotebookCell[];
  /** The cell at an offset of the raw JSON, and the offset in its text; null outside of code cells. */
  locate(rawOffset: number): { readonly cell: number; readonly offset: number } | null;
}

/** One string of a cell's source. */
interface SourceString {
  readonly cell: number;
  /** First character after the opening quote, in the raw JSON. */
  readonly rawFrom: number;
  readonly rawTo: number;
  readonly from: number;
}

/** Cells of one notebook, and levels of its JSON. */
const MAX_CELLS = 2000;
const MAX_DEPTH = 100;

/**
 * Reads the code cells of a notebook; invalid JSON gives no cells.
 * @throws BudgetError for a notebook with too many values or cells
 */
export function parseNotebook(json: string, budget = new Budget()): NotebookCode {
  const strings: SourceString[] = [];
  const { nodes, cutAt } = measureJson(json, MAX_DEPTH);
  budget.spendNodes(nodes);
  const codeCells = cutAt === undefined ? findCodeCells(json) : [];
  if (codeCells.length > MAX_CELLS) throw new BudgetError(l10n.t("not read: more than {0} cells", MAX_CELLS));
  const length = codeCells.reduce((sum, strings) => sum + strings.reduce((own, line) => own + line.length, 0), 0);
  if (length > MAX_PYTHON_LENGTH)
    throw new BudgetError(l10n.t("not read: more than {0} characters", MAX_PYTHON_LENGTH.toLocaleString("en")));
  const cells = codeCells.map((lines, cell) => {
    let text = "";
    for (const line of lines) {
      strings.push({ cell, rawFrom: line.offset + 1, rawTo: line.offset + line.length - 1, from: text.length });
      text += String(line.value);
    }
    return parseCell(text);
  });
  return { cells, locate: (rawOffset) => locate(json, strings, rawOffset) };
}

/** The strings of each code cell, in order. */
function findCodeCells(json: string): Node[][] {
  const root = parseTree(json);
  const cells = root === undefined ? undefined : propertyValue(root, "cells");
  return (cells?.children ?? [])
    .filter((cell) => propertyValue(cell, "cell_type")?.value === "code")
    .map((cell) => {
      const source = propertyValue(cell, "source");
      if (source?.type === "string") return [source];
      return (source?.children ?? []).filter((child) => child.type === "string");
    });
}

function propertyValue(node: Node, key: string): Node | undefined {
  if (node.type !== "object") return undefined;
  return node.children?.find((property) => property.children?.[0]?.value === key)?.children?.[1];
}

function locate(
  json: string,
  strings: readonly SourceString[],
  offset: number,
): { cell: number; offset: number } | null {
  const string = strings.find((candidate) => candidate.rawFrom <= offset && offset < candidate.rawTo);
  if (string === undefined) return null;
  const escapes = json.slice(string.rawFrom, offset).match(/\\(?:u[0-9a-fA-F]{4}|.)/g) ?? [];
  const shortened = escapes.reduce((sum, sequence) => sum + sequence.length - 1, 0);
  return { cell: string.cell, offset: string.from + (offset - string.rawFrom) - shortened };
}
