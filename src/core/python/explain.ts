import { t } from "@vscode/l10n";
import { encodingById } from "../encodings/index.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingId, EncodingSpec, Evidence, Layout, Params, Range, Source } from "../spec.ts";
import type { PythonDocument } from "./document.ts";
import { type Expr, partsOf, type Span } from "./parse/ast.ts";
import { isTransparent } from "./patterns/calls.ts";
import type { Role } from "./patterns/role.ts";
import type { Code } from "./recognise/code.ts";
import { layoutOf } from "./recognise/family.ts";
import { ROTARY } from "./recognise/paramKinds.ts";
import { layoutFlags, type ReadParam, readParams } from "./recognise/read.ts";
import type { Recognition, RopeType, Subject } from "./recognise/recogniser.ts";
import { resolve } from "./recognise/resolve.ts";
import { saysNothing } from "./recognise/stopWords.ts";
import { byRole } from "./recognise/structural.ts";
import { subjectTitle } from "./recognise/subjects.ts";
import type { Occurrence, Scope } from "./symbols/module.ts";
import { placeNote } from "./values/value.ts";

/** What code at a place says about a position encoding. */
export interface CodeExplanation {
  readonly spec: EncodingSpec;
  /** "RoPE — inverse frequencies", in the current language. */
  readonly title: string;
  readonly subject: Subject;
  readonly ropeType: RopeType | null;
  readonly layout: Layout | null;
  /** The code that shows the layout: "line 24: x[..., d//2:]". */
  readonly layoutEvidence: string | null;
  /** The identifier or expression under the cursor. */
  readonly range: Range;
  readonly values: readonly ReadParam[];
  /** Which recogniser answered; for logs and tests. */
  readonly recogniser: string;
}

export interface ExplainOptions {
  /** The file that a relative import names, if it has been read; asked for one hop only. */
  readonly neighbour?: (level: number, module: string) => PythonDocument | null;
  /** Encodings of the config beside the file: what code leaves open is taken from there. */
  readonly configSpecs?: readonly EncodingSpec[];
  /** Where the cell that is asked about starts, in a document of a notebook's cells; those before it are earlier ones. */
  readonly from?: number;
  /** Asked between steps; true ends the work with null. */
  readonly cancelled?: () => boolean;
}

/**
 * The position encoding that the code at an offset denotes, null for any other code.
 * Never throws; costs one analysis of the file after each change.
 * @param offset in UTF-16 code units
 */
export function explainAt(
  document: PythonDocument,
  offset: number,
  options: ExplainOptions = {},
): CodeExplanation | null {
  if (offset < 0 || offset > document.text.length || document.isQuiet(offset)) return null;
  const code = linked(document, options);
  if (options.cancelled?.() === true) return null;
  const occurrence = code.occurrenceAt(offset);
  const direct = occurrence === null ? null : resolve(code, occurrence);
  if (occurrence !== null && direct !== null) return explanation(document, direct, occurrence, occurrence);
  if (occurrence !== null && saysNothing(occurrence)) return null;
  const around = enclosing(code, offset, occurrence);
  return around === null ? null : explanation(document, around.found, null, occurrence ?? around.span);
}

function linked(document: PythonDocument, options: ExplainOptions): Code {
  const { code } = document;
  code.module.links.from = options.from ?? 0;
  code.neighbour = (level, module) => options.neighbour?.(level, module)?.code ?? null;
  code.fallback = (encoding, param) => {
    const value = options.configSpecs?.find((spec) => spec.encoding === encoding)?.params[param];
    return value === null ? undefined : value;
  };
  return code;
}

/** The relative imports of a file: what `neighbour` may be asked for. */
export function relativeImports(
  document: PythonDocument,
): readonly { readonly level: number; readonly module: string }[] {
  const wanted = document.code.module.imports.filter((statement) => statement.level > 0);
  return wanted.map((statement) => ({ level: statement.level, module: statement.module ?? "" }));
}

/** One place of a file that holds an encoding: a function or class, with what it is. */
export interface CodeSite extends CodeExplanation {
  /** The name of the function or class. */
  readonly name: string;
}

/** All functions and classes of a file that are position encodings, in source order (CodeLens, diagnostics). */
export function codeSpecs(document: PythonDocument): readonly CodeSite[] {
  const { code } = document;
  const sites: CodeSite[] = [];
  for (const occurrence of code.module.occurrences) {
    if (occurrence.opens === null || !isListed(occurrence.opens)) continue;
    const found = resolve(code, occurrence);
    if (found !== null) sites.push({ ...explanation(document, found, occurrence, occurrence), name: occurrence.name });
  }
  return sites;
}

/** Methods are listed beside their class, nested helpers and dunder methods are not. */
function isListed(scope: Scope): boolean {
  return scope.parent?.kind === "module" || (scope.parent?.kind === "class" && !scope.name.startsWith("__"));
}

/** Roles whose own expression answers for every token in it, and those that answer for the operation alone. */
const WHOLE = new Set<Role["kind"]>(["frequencies", "wavelengths", "angles", "slopes"]);
const OPERATION = new Set<Role["kind"]>([
  ...WHOLE,
  "wave",
  "table",
  "turned",
  "rotated",
  "member",
  "alibi",
  "bucket",
  "relative",
  "kernel",
  "gate",
  "distance",
]);

/** The innermost expression around an offset whose structure is that of an encoding. */
function enclosing(
  code: Code,
  offset: number,
  occurrence: Occurrence | null,
): { found: Recognition; span: Span } | null {
  const scope = code.scopeAt(offset);
  const shown = occurrence === null || isCallee(code, occurrence) ? OPERATION : WHOLE;
  let best: { found: Recognition; span: Span } | null = null;
  let at: Expr | undefined = scope.expressions.find((expr) => expr.from <= offset && offset < expr.to);
  for (let hops = 0; at !== undefined && hops < 200; hops++) {
    const role: Role | null = isOperation(code, at, scope) ? code.roles.of(at, scope) : null;
    const found: Recognition | null = role !== null && shown.has(role.kind) ? byRole(code, role, scope) : null;
    if (found !== null) best = { found, span: at };
    at = partsOf(at).find((part) => part.from <= offset && offset < part.to);
  }
  return best;
}

/** Operations that make a value, not those that hand one on or leave the making to another function. */
function isOperation(code: Code, expr: Expr, scope: Scope): boolean {
  if (expr.kind !== "call") return expr.kind === "binary" || expr.kind === "unary";
  return !isTransparent(expr) && code.roles.target(expr, scope) === null;
}

function isCallee(code: Code, occurrence: Occurrence): boolean {
  return code.module.calls.get(occurrence.name).some((site) => site.call.callee === occurrence.expr);
}

function explanation(
  document: PythonDocument,
  found: Recognition,
  occurrence: Occurrence | null,
  span: Span,
): CodeExplanation {
  const { code } = document;
  const values = readParams(code, found, occurrence);
  const rotary = ROTARY.has(found.encoding);
  const ropeType = rotary ? (found.ropeType ?? null) : null;
  const flags = rotary ? layoutFlags(code, found, occurrence) : null;
  const layout =
    flags === null
      ? null
      : (flags.asked ?? (isTurned(code, found) ? found.layout : flags.usual) ?? found.layout ?? null);
  return {
    spec: specOf(document, found, values, ropeType, layout),
    title: titleOf(found.encoding, found.subject),
    subject: found.subject,
    ropeType,
    layout,
    layoutEvidence: rotary ? layoutEvidence(document, found) : null,
    range: document.range(span),
    values,
    recogniser: found.recogniser,
  };
}

/** The layout is that of a rotation, not only of how angles are doubled, which a flag may decide. */
function isTurned(code: Code, found: Recognition): boolean {
  return found.code !== undefined || layoutOf(code, found.scope)?.from != null;
}

function specOf(
  document: PythonDocument,
  found: Recognition,
  values: readonly ReadParam[],
  ropeType: RopeType | null,
  layout: Layout | null,
): EncodingSpec {
  const params: Record<string, Params[string]> = {};
  const sources: Record<string, Source> = {};
  const evidence: Evidence[] = [];
  for (const value of values) {
    params[value.param] = value.value;
    if (value.value === null) continue;
    sources[value.param] = value.source;
    evidence.push({ param: value.param, path: [], range: document.range(value.span), note: value.note });
  }
  if (ropeType !== null) {
    params.rope_type = ropeType;
    sources.rope_type = "code";
  }
  if (layout !== null) {
    params.layout = layout;
    sources.layout = "code";
  }
  return {
    encoding: found.encoding,
    where: "text",
    layers: "all",
    params,
    sources,
    evidence,
    confidence: found.confidence,
  };
}

function layoutEvidence(document: PythonDocument, found: Recognition): string | null {
  const from = found.code === undefined ? layoutOf(document.code, found.scope)?.from : null;
  if (from == null) return null;
  const { text } = document;
  const { from: start, to } = from.expr;
  // x[..., 1::2] and x.view(…) speak for themselves; chunk(x, 2) needs what stands before it.
  const speaks = /[[.]/.test(text.charAt(to)) || from.expr.kind === "call";
  const line = text.slice(speaks ? start : text.lastIndexOf("\n", start) + 1, start + 200).split("\n", 1)[0] ?? "";
  const shown = line.replace(/\s+#.*$/, "").trim();
  return t("{0}: {1}", placeNote(document.code.module, start), shown.slice(0, 60));
}

/** "RoPE — inverse frequencies" */
export function titleOf(encoding: EncodingId, subject: Subject): string {
  const title = encodingById(encoding)?.title;
  return `${title === undefined ? encoding : shortTitle(localize(title))} — ${subjectTitle(subject)}`;
}

/** "RoPE" of "RoPE — rotary position embedding". */
function shortTitle(title: string): string {
  return title.split(/\s*[—–]+\s*/, 1)[0] ?? title;
}
