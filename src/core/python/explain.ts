import * as l10n from "@vscode/l10n";
import type { EncodingPart } from "../encodings/encoding.ts";
import { generalFormById } from "../encodings/generalForms.ts";
import { encodingById } from "../encodings/index.ts";
import type { FormulaTerms } from "../formula/explainFormula.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingId, EncodingSpec, Evidence, PairLayout, Params, TextRange, ValueSource } from "../spec.ts";
import type { PythonDocument } from "./document.ts";
import { childExpressions, type Expr, type TextSpan } from "./parse/ast.ts";
import { isPassThrough } from "./patterns/calls.ts";
import type { ValueRole } from "./patterns/valueRole.ts";
import type { AnalysedCode, AnalysisContext } from "./recognise/analysedCode.ts";
import { findLayout } from "./recognise/layouts.ts";
import { isUninformative } from "./recognise/names/stopWords.ts";
import { partTitle } from "./recognise/partTitles.ts";
import { type CodeParam, readCodeParams, readLayoutFlags } from "./recognise/readCodeParams.ts";
import { recogniseOccurrence } from "./recognise/recogniseOccurrence.ts";
import type { Recognition, RopeScaling } from "./recognise/recognition.ts";
import { recogniseString } from "./recognise/strings.ts";
import { recogniseRole } from "./recognise/structural.ts";
import type { Occurrence, Scope } from "./symbols/module.ts";
import { locationNote } from "./values/evaluatedValue.ts";

/** The position encoding that a piece of code denotes. */
export interface CodeExplanation {
  readonly spec: EncodingSpec;
  /** "RoPE — inverse frequencies", in the current language. */
  readonly title: string;
  readonly part: EncodingPart;
  readonly ropeType: RopeScaling | null;
  readonly layout: PairLayout | null;
  /** The code rotates pairs, but does not decide which dimensions form them. */
  readonly isLayoutOpen?: boolean;
  /** The code that determines the layout: "line 24: x[..., d//2:]". */
  readonly layoutEvidence: string | null;
  /** The identifier or expression under the cursor. */
  readonly range: TextRange;
  readonly values: readonly CodeParam[];
  /** The terms of a formula of scores. */
  readonly terms?: FormulaTerms;
  /** Which recogniser answered; for logs and tests. */
  readonly recogniser: string;
}

/** Other files that an explanation may use. */
export interface ProjectFiles {
  /** Returns the file that a relative import names, if it has been read. Imports of that file are not followed. */
  readonly importedModule?: (level: number, module: string) => PythonDocument | null;
  /** Encodings of the config in the same folder: they fill in values that the code leaves open. */
  readonly configSpecs?: readonly EncodingSpec[];
  /** Start of the queried cell in a document of joined notebook cells; earlier text belongs to earlier cells. */
  readonly cellStart?: number;
}

export function createAnalysisContext({ importedModule, configSpecs, cellStart = 0 }: ProjectFiles): AnalysisContext {
  return {
    importedModule: (level, module) => importedModule?.(level, module)?.analyse() ?? null,
    configValue: (encoding, param) => {
      const value = configSpecs?.find((spec) => spec.encoding === encoding)?.params[param];
      return value === null ? undefined : value;
    },
    cellStart,
  };
}

export interface ExplainOptions {
  /** The same object for as long as its files stay as they are: the analysis is cached with it. */
  readonly context?: AnalysisContext;
  /** Polled between steps; true aborts with null. */
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
  if (offset < 0 || offset > document.text.length) return null;
  const isText = document.isInCommentOrString(offset);
  if (isText && !/["'\w]/.test(document.text.charAt(offset))) return null;
  const code = document.analyse(options.context);
  if (options.cancelled?.() === true) return null;
  if (isText) {
    const named = recogniseString(code, offset);
    return named === null ? null : buildExplanation({ document, code }, named.found, null, named.span);
  }
  const occurrence = code.occurrenceAt(offset);
  const direct = occurrence === null ? null : recogniseOccurrence(code, occurrence);
  if (occurrence !== null && direct !== null)
    return buildExplanation({ document, code }, direct, occurrence, occurrence);
  if (occurrence !== null && isUninformative(occurrence)) return null;
  const enclosingMatch = recogniseEnclosing(code, offset, occurrence);
  return enclosingMatch === null
    ? null
    : buildExplanation({ document, code }, enclosingMatch.found, null, occurrence ?? enclosingMatch.span);
}

/** The relative imports of a file: the possible arguments of `importedModule`. */
export function relativeImports(
  document: PythonDocument,
): readonly { readonly level: number; readonly module: string }[] {
  const relative = document.imports().filter((statement) => statement.level > 0);
  return relative.map((statement) => ({ level: statement.level, module: statement.module ?? "" }));
}

/** A function or class that is a position encoding. */
export interface EncodingSite extends CodeExplanation {
  /** The name of the function or class. */
  readonly name: string;
}

/** All functions and classes of a file that are position encodings, in source order. */
export function findEncodingSites(document: PythonDocument): readonly EncodingSite[] {
  const code = document.analyse();
  const sites: EncodingSite[] = [];
  for (const occurrence of code.module.occurrences) {
    if (occurrence.definedScope === null || !isListed(occurrence.definedScope)) continue;
    const recognition = recogniseOccurrence(code, occurrence);
    if (recognition !== null)
      sites.push({
        ...buildExplanation({ document, code }, recognition, occurrence, occurrence),
        name: occurrence.name,
      });
  }
  return sites;
}

/** Lists top-level definitions and methods, but not nested helpers or dunder methods. */
function isListed(scope: Scope): boolean {
  return scope.parent?.kind === "module" || (scope.parent?.kind === "class" && !scope.name.startsWith("__"));
}

/** Roles that are shown for every token of their expression; the others are shown for the operation only. */
const WHOLE_EXPRESSION_ROLES = new Set<ValueRole["kind"]>(["frequencies", "wavelengths", "angles", "slopes"]);
const OPERATION_ROLES = new Set<ValueRole["kind"]>([
  ...WHOLE_EXPRESSION_ROLES,
  "wave",
  "table",
  "quarterRotated",
  "rotated",
  "member",
  "alibi",
  "bucket",
  "relative",
  "kernel",
  "gate",
  "distance",
  "expansion",
]);

/** The innermost expression around an offset that is recognised by its structure. */
function recogniseEnclosing(
  code: AnalysedCode,
  offset: number,
  occurrence: Occurrence | null,
): { found: Recognition; span: TextSpan } | null {
  const scope = code.scopeAt(offset);
  const acceptedRoles = occurrence === null || isCallee(code, occurrence) ? OPERATION_ROLES : WHOLE_EXPRESSION_ROLES;
  let best: { found: Recognition; span: TextSpan } | null = null;
  let expr: Expr | undefined = scope.expressions.find((expr) => expr.from <= offset && offset < expr.to);
  for (let hops = 0; expr !== undefined && hops < 200; hops++) {
    const role: ValueRole | null = isOperation(code, expr, scope) ? code.roles.resolve(expr, scope) : null;
    const found: Recognition | null =
      role !== null && acceptedRoles.has(role.kind) ? recogniseRole(code, role, scope) : null;
    if (found !== null) best = { found, span: expr };
    expr = childExpressions(expr).find((part) => part.from <= offset && offset < part.to);
  }
  return best;
}

/** True for operations that compute a value, not for those that pass it on or call a function of this file. */
function isOperation(code: AnalysedCode, expr: Expr, scope: Scope): boolean {
  if (expr.kind !== "call") return expr.kind === "binary" || expr.kind === "unary";
  return !isPassThrough(expr) && code.roles.findTarget(expr, scope) === null;
}

function isCallee(code: AnalysedCode, occurrence: Occurrence): boolean {
  return code.module.calls.get(occurrence.name).some((site) => site.call.callee === occurrence.expr);
}

/** A document and its analysis in one context. */
interface AnalysedDocument {
  readonly document: PythonDocument;
  readonly code: AnalysedCode;
}

function buildExplanation(
  { document, code }: AnalysedDocument,
  recognition: Recognition,
  occurrence: Occurrence | null,
  span: TextSpan,
): CodeExplanation {
  const values = readCodeParams(code, recognition, occurrence);
  const rotary = encodingById(recognition.encoding)?.rotation !== undefined;
  const ropeType = rotary ? (recognition.ropeType ?? null) : null;
  const flags = rotary ? readLayoutFlags(code, recognition, occurrence) : null;
  const layout =
    flags === null
      ? null
      : (flags.requested ??
        (isLayoutFromRotation(code, recognition) ? recognition.layout : flags.byDefault) ??
        recognition.layout ??
        null);
  return {
    spec: buildSpec(document, recognition, values, ropeType, layout),
    title: explanationTitle(recognition.encoding, recognition.part),
    part: recognition.part,
    ropeType,
    layout,
    isLayoutOpen: rotary && layout === null && LAYOUT_PARTS.has(recognition.part),
    layoutEvidence: rotary ? formatLayoutEvidence(code, recognition, layout) : null,
    range: document.toRange(span),
    values,
    recogniser: recognition.recogniser,
  };
}

/** Parts that depend on which dimensions form pairs. */
const LAYOUT_PARTS = new Set<EncodingPart>(["encoding", "cos and sin", "rotation", "pair layout"]);

/**
 * True if the layout comes from a rotation. A layout that comes only from doubled angles may be overridden by a flag.
 */
function isLayoutFromRotation(code: AnalysedCode, recognition: Recognition): boolean {
  return recognition.importedCode !== undefined || findLayout(code, recognition.scope)?.from != null;
}

function buildSpec(
  document: PythonDocument,
  recognition: Recognition,
  values: readonly CodeParam[],
  ropeType: RopeScaling | null,
  layout: PairLayout | null,
): EncodingSpec {
  const params: Record<string, Params[string]> = {};
  const sources: Record<string, ValueSource> = {};
  const evidence: Evidence[] = [];
  for (const value of values) {
    params[value.param] = value.value;
    if (value.value === null) continue;
    sources[value.param] = value.source;
    evidence.push({ param: value.param, path: [], range: document.toRange(value.span), note: value.note });
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
    encoding: recognition.encoding,
    where: "text",
    layers: "all",
    params,
    sources,
    evidence,
    confidence: recognition.confidence,
  };
}

function formatLayoutEvidence(code: AnalysedCode, recognition: Recognition, layout: PairLayout | null): string | null {
  const source = recognition.importedCode === undefined ? findLayout(code, recognition.scope) : null;
  const from = source?.layout === layout ? source?.from : null;
  if (from == null) return null;
  const { text } = code.module;
  const { from: start, to } = from.expr;
  // x[..., 1::2] and x.view(…) are clear by themselves; chunk(x, 2) needs the start of its line.
  const isSelfExplanatory = /[[.]/.test(text.charAt(to)) || from.expr.kind === "call";
  const line =
    text.slice(isSelfExplanatory ? start : text.lastIndexOf("\n", start) + 1, start + 200).split("\n", 1)[0] ?? "";
  const sourceText = line.replace(/\s#.*$/, "").trim();
  return l10n.t("{0}: {1}", locationNote(code.module, start), sourceText.slice(0, 60));
}

/** "RoPE — inverse frequencies" */
export function explanationTitle(encoding: EncodingId, part: EncodingPart): string {
  const general = generalFormById(encoding);
  if (general !== undefined) return localize(general.name);
  const name = encodingById(encoding)?.name;
  return `${name === undefined ? encoding : localize(name)} — ${partTitle(part)}`;
}
