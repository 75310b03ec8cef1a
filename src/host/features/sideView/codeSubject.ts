import type * as vscode from "vscode";
import { buildCodeHover } from "../../../core/hover/codeHover.ts";
import type { CodeSubject, SideFinding } from "../../../core/protocol/side.ts";
import { findCodeDiagnostics } from "../../../core/python/diagnostics/index.ts";
import { type CodeExplanation, type EncodingSite, findEncodingSites } from "../../../core/python/explain.ts";
import { explanationInCell, rangeInCell } from "../../../core/python/notebook/cells.ts";
import { EXPLAINED_LANGUAGES } from "../../ids.ts";
import { fileName } from "../../platform/fileName.ts";
import { findNotebook } from "../../platform/notebooks.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import type { CodeExplainer } from "../../stores/codeExplainer.ts";
import { toSideFinding } from "./configSubject.ts";
import { cellReference, type ProgramPart, type PythonProgram, parseProgram, partContaining } from "./pythonProgram.ts";

/** Keeps the list readable. */
const MAX_SITES = 40;

/** True if code or formulas in it can be explained. */
export function isExplainable({ languageId }: vscode.TextDocument): boolean {
  return EXPLAINED_LANGUAGES.some((language) => language === languageId);
}

interface PlacedSite {
  readonly part: ProgramPart;
  /** With ranges relative to its part. */
  readonly site: EncodingSite;
}

/** The encoding at the cursor, else the nearest one in the file or notebook; undefined if there is none. */
export async function readCodeSubject(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  isOutdated: () => boolean,
): Promise<CodeSubject | undefined> {
  const offset = document.offsetAt(position);
  const explainer = await services.explainer();
  const atCursor = isExplainable(document) ? await explainer.explainAt(document, offset, isOutdated) : null;
  if (isOutdated()) return undefined;
  const program = parseProgram(explainer.documents, document);
  const sites = program === undefined ? [] : findSites(program);
  const nearest = atCursor === null ? await explainNearest(explainer, sites, document, position, isOutdated) : null;
  const explanation = atCursor ?? nearest?.explanation;
  if (explanation === undefined || isOutdated()) return undefined;
  const { title, summary, formula, facts } = buildCodeHover(explanation, { panel: () => null });
  const uri = findNotebook(document)?.uri ?? document.uri;
  return {
    kind: "code",
    uri: uri.toString(),
    title: fileName(uri),
    heading: title,
    summary,
    spec: explanation.spec,
    formula: formula === null ? null : { id: formula.id, text: formula.text },
    facts: [...facts],
    range: explanation.range,
    ...cellReference(nearest?.part.document ?? document),
    at: atCursor === null ? "nearest" : "cursor",
    sites: sites.slice(0, MAX_SITES).map(({ part, site: { name, title: what, range } }) => {
      return { name, title: what, range, ...cellReference(part.document) };
    }),
    findings: program === undefined ? [] : await findCodeFindings(services, uri, program),
  };
}

function findSites(program: PythonProgram): PlacedSite[] {
  return findEncodingSites(program.python).flatMap((site) => {
    const part = partContaining(program, site.range);
    return part === undefined ? [] : [{ part, site: explanationInCell(site, part.firstLine) }];
  });
}

/**
 * The last function or class that starts before the cursor, else the first one. The cursor's own cell takes precedence.
 */
async function explainNearest(
  explainer: CodeExplainer,
  sites: readonly PlacedSite[],
  document: vscode.TextDocument,
  { line }: vscode.Position,
  isOutdated: () => boolean,
): Promise<{ part: ProgramPart; explanation: CodeExplanation } | null> {
  const number = cellReference(document).cell?.number ?? 0;
  const cellNumber = ({ part }: PlacedSite) => part.cell?.number ?? 0;
  const sameCell = sites.filter((site) => cellNumber(site) === number);
  const nearest =
    sameCell.findLast(({ site: { range } }) => range.start.line <= line + 1) ??
    sameCell[0] ??
    sites.findLast((site) => cellNumber(site) < number) ??
    sites[0];
  if (nearest === undefined) return null;
  const { part, site } = nearest;
  // Explained at its own position, so that imports and config count as they do in the hover.
  const offset = part.document.offsetAt(toVscodeRange(site.range).start);
  return { part, explanation: (await explainer.explainAt(part.document, offset, isOutdated)) ?? site };
}

async function findCodeFindings({ rules }: Services, uri: vscode.Uri, program: PythonProgram): Promise<SideFinding[]> {
  const problems = findCodeDiagnostics(program.python).map((problem) => ({ ...problem, path: [] }));
  return (await rules.applySeverities(uri, problems)).flatMap((problem) => {
    const part = partContaining(program, problem.range);
    if (part === undefined) return [];
    return [
      {
        ...toSideFinding({ ...problem, range: rangeInCell(problem.range, part.firstLine) }),
        ...cellReference(part.document),
      },
    ];
  });
}
