import type * as vscode from "vscode";
import { codeHover } from "../../../core/hover/codeHover.ts";
import type { CodeSubject, SideFinding } from "../../../core/protocol/side.ts";
import { codeDiagnostics } from "../../../core/python/diagnostics/index.ts";
import { type CodeExplanation, type CodeSite, codeSpecs } from "../../../core/python/explain.ts";
import { explanationAt } from "../../platform/explanation.ts";
import { pythonDocument } from "../../platform/pythonDocuments.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import type { Services } from "../../services.ts";
import { toFinding } from "./configSubject.ts";

/** A list that can still be read along. */
const MOST_SITES = 40;

/** The encoding under the cursor, else the nearest of the file; undefined where there is none. */
export async function codeSubject(
  services: Services,
  document: vscode.TextDocument,
  offset: number,
  outdated: () => boolean,
): Promise<CodeSubject | undefined> {
  const here = await explanationAt(document, offset, outdated);
  if (outdated()) return undefined;
  const sites = document.languageId === "python" ? codeSpecs(pythonDocument(document)) : [];
  const found = here ?? (await explainNearest(document, sites, offset, outdated));
  if (found === null || outdated()) return undefined;
  const { title, summary, formula, facts } = codeHover(found, { panel: () => null });
  return {
    kind: "code",
    uri: document.uri.toString(),
    title: fileName(document.uri),
    heading: title,
    summary,
    spec: found.spec,
    formula: formula === null ? null : { id: formula.id, text: formula.text },
    facts: [...facts],
    range: found.range,
    at: here === null ? "nearest" : "cursor",
    sites: sites.slice(0, MOST_SITES).map(({ name, title: what, range }) => ({ name, title: what, range })),
    findings: await findingsOf(services, document),
  };
}

/** The function or class that begins last before the cursor; before the first, that one. */
async function explainNearest(
  document: vscode.TextDocument,
  sites: readonly CodeSite[],
  offset: number,
  outdated: () => boolean,
): Promise<CodeExplanation | null> {
  const { line } = document.positionAt(offset);
  const nearest = sites.findLast(({ range }) => range.start.line <= line + 1) ?? sites[0];
  if (nearest === undefined) return null;
  // Asked for at its place, so that what stands in other files counts, as it does in the hover there.
  const at = document.offsetAt(toVscodeRange(nearest.range).start);
  return (await explanationAt(document, at, outdated)) ?? nearest;
}

async function findingsOf({ rules }: Services, document: vscode.TextDocument): Promise<SideFinding[]> {
  if (document.languageId !== "python") return [];
  const found = codeDiagnostics(pythonDocument(document)).map((problem) => ({ ...problem, path: [] }));
  return (await rules.of(document.uri, found)).map(toFinding);
}

/** A cell is named by its notebook. */
function fileName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
