import type * as vscode from "vscode";
import { codeHover } from "../../../core/hover/codeHover.ts";
import type { CodeSubject, SideFinding } from "../../../core/protocol/side.ts";
import { inCell, rangeInCell } from "../../../core/python/cells.ts";
import { codeDiagnostics } from "../../../core/python/diagnostics/index.ts";
import { type CodeExplanation, type CodeSite, codeSpecs } from "../../../core/python/explain.ts";
import { EXPLAINED_LANGUAGES } from "../../ids.ts";
import { notebookOf } from "../../platform/notebooks.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { explanationAt } from "../../stores/explanation.ts";
import { type CodePart, cellNamed, partOf, type RunningCode, runningCode } from "./codeParts.ts";
import { toFinding } from "./configSubject.ts";

/** A list that can still be read along. */
const MOST_SITES = 40;

/** Something at a cursor in it can be explained. */
export function isExplained({ languageId }: vscode.TextDocument): boolean {
  return EXPLAINED_LANGUAGES.some((language) => language === languageId);
}

interface Site {
  readonly part: CodePart;
  /** With the places of its own part. */
  readonly found: CodeSite;
}

/** The encoding under the cursor, else the nearest of the file or the notebook; undefined where there is none. */
export async function codeSubject(
  services: Services,
  document: vscode.TextDocument,
  position: vscode.Position,
  outdated: () => boolean,
): Promise<CodeSubject | undefined> {
  const offset = document.offsetAt(position);
  const here = isExplained(document) ? await explanationAt(document, offset, outdated) : null;
  if (outdated()) return undefined;
  const code = runningCode(document);
  const sites = code === undefined ? [] : sitesOf(code);
  const near = here === null ? await explainNearest(sites, document, position, outdated) : null;
  const found = here ?? near?.found;
  if (found === undefined || outdated()) return undefined;
  const { title, summary, formula, facts } = codeHover(found, { panel: () => null });
  const uri = notebookOf(document)?.uri ?? document.uri;
  return {
    kind: "code",
    uri: uri.toString(),
    title: uri.path.slice(uri.path.lastIndexOf("/") + 1),
    heading: title,
    summary,
    spec: found.spec,
    formula: formula === null ? null : { id: formula.id, text: formula.text },
    facts: [...facts],
    range: found.range,
    ...cellNamed(near?.part.document ?? document),
    at: here === null ? "nearest" : "cursor",
    sites: sites.slice(0, MOST_SITES).map(({ part, found: { name, title: what, range } }) => {
      return { name, title: what, range, ...cellNamed(part.document) };
    }),
    findings: code === undefined ? [] : await findingsOf(services, uri, code),
  };
}

function sitesOf(code: RunningCode): Site[] {
  return codeSpecs(code.python).flatMap((site) => {
    const part = partOf(code, site.range);
    return part === undefined ? [] : [{ part, found: inCell(site, part.line) }];
  });
}

/** The function or class that begins last before the cursor; before the first, that one. The own cell goes first. */
async function explainNearest(
  sites: readonly Site[],
  document: vscode.TextDocument,
  { line }: vscode.Position,
  outdated: () => boolean,
): Promise<{ part: CodePart; found: CodeExplanation } | null> {
  const number = cellNamed(document).cell?.number ?? 0;
  const cellOf = ({ part }: Site) => part.cell?.number ?? 0;
  const own = sites.filter((site) => cellOf(site) === number);
  const nearest =
    own.findLast(({ found: { range } }) => range.start.line <= line + 1) ??
    own[0] ??
    sites.findLast((site) => cellOf(site) < number) ??
    sites[0];
  if (nearest === undefined) return null;
  const { part, found } = nearest;
  // Asked for at its place, so that what stands in other files counts, as it does in the hover there.
  const at = part.document.offsetAt(toVscodeRange(found.range).start);
  return { part, found: (await explanationAt(part.document, at, outdated)) ?? found };
}

async function findingsOf({ rules }: Services, uri: vscode.Uri, code: RunningCode): Promise<SideFinding[]> {
  const problems = codeDiagnostics(code.python).map((problem) => ({ ...problem, path: [] }));
  return (await rules.of(uri, problems)).flatMap((problem) => {
    const part = partOf(code, problem.range);
    if (part === undefined) return [];
    return [
      { ...toFinding({ ...problem, range: rangeInCell(problem.range, part.line) }), ...cellNamed(part.document) },
    ];
  });
}
