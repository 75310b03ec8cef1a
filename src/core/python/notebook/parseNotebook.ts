import * as l10n from "@vscode/l10n";
import { type Node, parseTree } from "jsonc-parser";
import { measureJson } from "../../config/text/compactJson.ts";
import { Budget, BudgetError } from "../../util/budget.ts";
import { MAX_PYTHON_LENGTH } from "../document.ts";
import { type NotebookCell, parseCell } from "./cells.ts";

/** A place in a cell. */
export interface CellPlace {
  readonly cell: number;
  readonly offset: number;
}

/** The cells of a notebook, with maps between their texts and offsets in the raw JSON. */
export interface NotebookCode {
  readonly cells: readonly NotebookCell[];
  /** The Markdown cells. */
  readonly prose: CellTexts;
  /** The cell at an offset of the raw JSON, and the offset in its text; null outside of code cells. */
  locate(rawOffset: number): CellPlace | null;
}

/** The texts of the cells of one kind. */
export interface CellTexts {
  readonly texts: readonly string[];
  locate(rawOffset: number): CellPlace | null;
  /** The offset in the raw JSON of a place in a cell. */
  rawOffset(place: CellPlace): number;
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
  const { nodes, cutAt } = measureJson(json, MAX_DEPTH);
  budget.spendNodes(nodes);
  const root = cutAt === undefined ? parseTree(json) : undefined;
  const code = readTexts(json, findCells(root, "code"));
  const cells = code.texts.map(parseCell);
  return { cells, locate: code.locate, prose: readTexts(json, findCells(root, "markdown")) };
}

/** @throws BudgetError for too many or too long cells */
function readTexts(json: string, cells: readonly Node[][]): CellTexts {
  if (cells.length > MAX_CELLS) throw new BudgetError(l10n.t("not read: more than {0} cells", MAX_CELLS));
  const length = cells.reduce((sum, lines) => sum + lines.reduce((own, line) => own + line.length, 0), 0);
  if (length > MAX_PYTHON_LENGTH)
    throw new BudgetError(l10n.t("not read: more than {0} characters", MAX_PYTHON_LENGTH.toLocaleString("en")));
  const strings: SourceString[] = [];
  const texts = cells.map((lines, cell) => {
    let text = "";
    for (const line of lines) {
      strings.push({ cell, rawFrom: line.offset + 1, rawTo: line.offset + line.length - 1, from: text.length });
      text += String(line.value);
    }
    return text;
  });
  return {
    texts,
    locate: (rawOffset) => locate(json, strings, rawOffset),
    rawOffset: (place) => findRawOffset(json, strings, place),
  };
}

/** The strings of each cell of a kind, in order. */
function findCells(root: Node | undefined, kind: "code" | "markdown"): Node[][] {
  const cells = root === undefined ? undefined : propertyValue(root, "cells");
  return (cells?.children ?? [])
    .filter((cell) => propertyValue(cell, "cell_type")?.value === kind)
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

function locate(json: string, strings: readonly SourceString[], offset: number): CellPlace | null {
  const string = strings.find((candidate) => candidate.rawFrom <= offset && offset < candidate.rawTo);
  if (string === undefined) return null;
  const escapes = json.slice(string.rawFrom, offset).match(ESCAPE) ?? [];
  const shortened = escapes.reduce((sum, sequence) => sum + sequence.length - 1, 0);
  return { cell: string.cell, offset: string.from + (offset - string.rawFrom) - shortened };
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/g;

function findRawOffset(json: string, strings: readonly SourceString[], { cell, offset }: CellPlace): number {
  const string = strings.filter((candidate) => candidate.cell === cell && candidate.from <= offset).at(-1);
  if (string === undefined) return 0;
  let raw = string.rawFrom;
  for (let left = offset - string.from; left > 0 && raw < string.rawTo; left--)
    raw += json.charAt(raw) !== "\\" ? 1 : json.charAt(raw + 1) === "u" ? 6 : 2;
  return raw;
}
