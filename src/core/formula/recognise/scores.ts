import type { TermEffect } from "../../encodings/encoding.ts";
import type { Expr } from "../parse/tree.ts";
import { containsDifference, factorsOf, findAll, keyOf, someExpr, spreadFactors } from "./algebra.ts";
import type { FormulaFacts, FormulaMatch, FormulaRecogniser, TermPlace, TermRole } from "./match.ts";
import { type Atom, expandWords, type Word } from "./words.ts";

/**
 * Scores as sums of bilinear terms: the general absolute form, its expansion, and the relative encodings that replace
 * or drop terms of it.
 */

type Found = ReturnType<FormulaRecogniser["recognise"]>;

/** What an end of a bilinear term is. */
type End =
  | { readonly kind: "content" | "position"; readonly letter: string }
  | { readonly kind: "relative" | "global" };

interface Bilinear {
  readonly word: Word;
  readonly query: End;
  readonly key: End;
}

/** A score, multiplied out. */
interface Score {
  readonly terms: readonly Bilinear[];
  /** Summands that are one number per pair: b_{i−j}. */
  readonly biases: readonly Word[];
}

const POSITION_NAMES: ReadonlySet<string> = new Set([
  "p",
  "P",
  "PE",
  "pe",
  "pos",
  "Pos",
  "POS",
  "TE",
  "PosEnc",
  "r",
  "R",
  "rho",
  "pi",
  "phi",
  "s",
  "U",
]);
const CONTENT_NAMES: ReadonlySet<string> = new Set([
  "x",
  "X",
  "h",
  "H",
  "q",
  "k",
  "v",
  "Q",
  "K",
  "E",
  "e",
  "w",
  "z",
  "c",
  "y",
]);
const GLOBAL_NAMES: ReadonlySet<string> = new Set(["u", "v", "b", "c", "r", "w", "s"]);

export function isPositionName(atom: Pick<Atom, "name">): boolean {
  return POSITION_NAMES.has(atom.name);
}

/** Splits a word at its ends; null if they are not two vectors. */
function splitEnds(word: Word): { left: Atom; right: Atom } | null {
  const vectors = word.atoms.filter((atom) => !atom.isMatrix && !isScale(atom));
  const left = word.atoms[0];
  const right = word.atoms.at(-1);
  if (left === undefined || right === undefined || word.atoms.length < 2) return null;
  if (vectors.length === 2) {
    const [first, second] = vectors;
    if (first === undefined || second === undefined) return null;
    const isOrdered = !(left.isMatrix && right.isMatrix) || word.atoms.length <= 5;
    return isOrdered ? { left: first, right: second } : null;
  }
  return null;
}

/** α⟨q, k⟩: a learnt temperature. */
function isScale({ name, place }: Atom): boolean {
  return place.kind === "none" && /^(?:alpha|lambda|tau|gamma|eta|kappa)$/.test(name);
}

/** Reads the terms of a score; null if it is not one. */
export function readScore(expr: Expr): Score | null {
  const words = expandWords(expr);
  if (words.length === 0) return null;
  const pairs = words.map((word) => ({ word, ends: splitEnds(word) }));
  const bilinear = pairs.filter((pair) => pair.ends !== null);
  const biases = pairs.filter((pair) => pair.ends === null && !isRemark(pair.word)).map((pair) => pair.word);
  const letters = findLetters(bilinear.flatMap(({ ends }) => (ends === null ? [] : [ends])));
  if (letters === null) return null;
  const contents = findContentNames(bilinear.flatMap(({ ends }) => (ends === null ? [] : [ends])));
  const terms: Bilinear[] = [];
  for (const { word, ends } of bilinear) {
    if (ends === null) continue;
    const oriented = orient(ends.left, ends.right, letters);
    const query = oriented === null ? null : readEnd(oriented.query, contents);
    const key = oriented === null ? null : readEnd(oriented.key, contents);
    if (query === null || key === null) return null;
    terms.push({ word, query, key });
  }
  return { terms, biases };
}

/** "+ cross terms", "+ …" */
function isRemark({ atoms, others }: Word): boolean {
  return atoms.length === 0 && others.every((other) => other.kind === "text" || other.kind === "dots");
}

/** The letters of query and key: the first term that has two tokens names them. */
function findLetters(ends: readonly { left: Atom; right: Atom }[]): { query: string; key: string } | null {
  for (const { left, right } of ends) {
    if (left.place.kind !== "token" || right.place.kind !== "token") continue;
    if (left.place.letter === right.place.letter) continue;
    const isReversed = /^[kK]$/.test(left.name) && /^[qQ]$/.test(right.name);
    return isReversed
      ? { query: right.place.letter, key: left.place.letter }
      : { query: left.place.letter, key: right.place.letter };
  }
  for (const { left, right } of ends) {
    const pair = [left.place, right.place].find((place) => place.kind === "pair");
    const token = [left, right].find((atom) => atom.place.kind === "token");
    if (pair?.kind !== "pair" || token?.place.kind !== "token") continue;
    const { letter } = token.place;
    if (letter !== pair.first && letter !== pair.second) continue;
    const other = letter === pair.first ? pair.second : pair.first;
    const isKey = /^[kK]$/.test(token.name) || (token === right && !/^[qQ]$/.test(token.name));
    return isKey ? { query: other, key: letter } : { query: letter, key: other };
  }
  return null;
}

/** Names of content vectors. In x + p with unknown letters, the first term's vectors are the content. */
function findContentNames(ends: readonly { left: Atom; right: Atom }[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const atom of ends.flatMap(({ left, right }) => [left, right]))
    if (atom.place.kind === "token" && isContentName(atom.name) && !isIndexedByPosition(atom))
      names.add(atomName(atom));
  const [first] = ends;
  if (names.size === 0 && first !== undefined && ends.length >= 3)
    for (const atom of [first.left, first.right]) names.add(atomName(atom));
  return names;
}

function isContentName(name: string): boolean {
  return CONTENT_NAMES.has(name) || /^(?:emb|tok|word)/i.test(name);
}

/** E_{x_i} and E_i differ; E^{pos}_i is a position. */
function atomName(atom: Atom): string {
  return atom.name;
}

function isIndexedByPosition(atom: Atom): boolean {
  return (
    /pos/i.test(atom.labels) || (atom.expr.kind === "symbol" && atom.expr.sub.some((sub) => /^pos/i.test(keyOf(sub))))
  );
}

function orient(left: Atom, right: Atom, letters: { query: string; key: string }): { query: Atom; key: Atom } | null {
  const isKeyLeft = left.place.kind === "token" && left.place.letter === letters.key;
  const isQueryRight = right.place.kind === "token" && right.place.letter === letters.query;
  if (isKeyLeft || isQueryRight) {
    if (left.place.kind === "token" && right.place.kind === "token" && left.place.letter === right.place.letter)
      return null;
    return { query: right, key: left };
  }
  return { query: left, key: right };
}

function readEnd(atom: Atom, contents: ReadonlySet<string>): End | null {
  if (atom.place.kind === "pair") return { kind: "relative" };
  if (atom.place.kind === "none") return GLOBAL_NAMES.has(atom.name) ? { kind: "global" } : null;
  if (isIndexedByPosition(atom)) return { kind: "position", letter: atom.place.letter };
  const isContent = contents.has(atomName(atom));
  return { kind: isContent ? "content" : "position", letter: atom.place.letter };
}

export function roleOf({ query, key }: Bilinear): TermRole {
  const fromQuery = query.kind === "content" ? "content" : "position";
  const fromKey = key.kind === "content" ? "content" : "position";
  return `${fromQuery}_${fromKey}`;
}

function places(score: Score): TermPlace[] {
  const ofTerms = score.terms.map((term) => ({ from: term.word.span.from, to: term.word.span.to, role: roleOf(term) }));
  const ofBiases = score.biases.map(
    ({ span }): TermPlace => ({ from: span.from, to: span.to, role: "position_position" }),
  );
  return [...ofTerms, ...ofBiases];
}

/** What may be a score: sides of relations, arguments of softmax and exp, and what they multiply. */
export function scoreCandidates(facts: FormulaFacts): readonly Expr[] {
  const inCalls = findAll(facts.sides, (expr) =>
    expr.kind === "call" && /^(?:softmax|exp|Softmax|SoftMax)$/.test(expr.name) ? expr.args : null,
  ).flat();
  const symbols = findAll(facts.sides, (expr) =>
    expr.kind === "apply" && /softmax/i.test(expr.fn.name) ? expr.args : null,
  ).flat();
  const tops = [...facts.sides, ...inCalls, ...symbols].map((side) =>
    side.kind === "quotient" ? side.numerator : side,
  );
  const inner = tops.flatMap((expr) => [
    expr,
    ...factorsOf(expr).filter((factor) => factor !== expr && factor.kind === "sum" && factor.terms.length > 1),
  ]);
  return inner;
}

function isAbsolute(end: End): boolean {
  return end.kind === "content" || end.kind === "position";
}

/** All four terms, or any of them, with p_i and p_j. */
function recogniseAbsolute(score: Score): Found {
  const { terms, biases } = score;
  if (terms.length === 0 || !biases.every(isPairScalar)) return null;
  if (!terms.every((term) => isAbsolute(term.query) && isAbsolute(term.key))) return null;
  const roles = new Set(terms.map(roleOf));
  if (roles.size === 1 && roles.has("content_content")) return null;
  const named = terms
    .flatMap(({ word }) => word.atoms)
    .some((atom) => isPositionName(atom) || isIndexedByPosition(atom));
  if (!named && roles.size < 4) return null;
  if (roles.size === 1 && terms.length === 1 && !terms[0]?.word.atoms.some((atom) => atom.isMatrix)) return null;
  const isUntied =
    roles.size === 2 && roles.has("content_content") && roles.has("position_position") && hasOwnProjections(terms);
  // A number per pair beside positions is TUPE with relative positions; elsewhere it is a bias of its own.
  if (biases.length > 0 && !isUntied) return null;
  return {
    encoding: isUntied ? "tupe" : "absolute_expansion",
    part: "encoding",
    terms: places(score),
    effect: effectOf(roles),
  };
}

function effectOf(roles: ReadonlySet<TermRole>): FormulaMatch["effect"] {
  const effect: Partial<Record<TermRole, TermEffect>> = {};
  for (const role of ["content_content", "content_position", "position_content", "position_position"] as const)
    effect[role] = roles.has(role) ? "kept" : "dropped";
  return effect;
}

/** TUPE: positions have their own projections, U_Q and U_K instead of W_Q and W_K. */
function hasOwnProjections(terms: readonly Bilinear[]): boolean {
  const matrices = (role: TermRole) =>
    terms
      .filter((term) => roleOf(term) === role)
      .flatMap(({ word }) => word.atoms.filter((atom) => atom.isMatrix).map((atom) => keyOf(atom.expr)))
      .sort()
      .join();
  const positions = matrices("position_position");
  return positions !== "" && positions !== matrices("content_content");
}

/** One or more terms with a vector of the distance. */
function recogniseRelative(score: Score): Found {
  const { terms } = score;
  const relative = terms.filter((term) => term.query.kind === "relative" || term.key.kind === "relative");
  if (relative.length === 0) return null;
  const hasGlobal = terms.some((term) => term.query.kind === "global" || term.key.kind === "global");
  const effect = {};
  const result = (encoding: string, part: FormulaMatch["part"] = "encoding"): Found => ({
    encoding,
    part,
    terms: places(score),
    effect,
  });
  if (hasGlobal) return result("transformer_xl");
  const roles = new Set(relative.map(roleOf));
  const hasContent = terms.some((term) => roleOf(term) === "content_content");
  if (roles.has("content_position") && roles.has("position_content")) return result("deberta");
  const atoms = relative.flatMap(({ word }) => word.atoms.filter((atom) => atom.place.kind === "pair"));
  const isShaw =
    roles.has("content_position") &&
    ((relative.some(({ word }) => word.isFromSum) && hasContent) ||
      atoms.some((atom) => /^[KV]$/.test(atom.labels) || (atom.name === "a" && atom.labels !== "")));
  if (isShaw) return result("shaw");
  return result("relative_general");
}

const MASK_NAMES = /^(?:M|m|mask|Mask|epsilon|eps|xi)$/;
const BIAS_NAMES = /^(?:u|b|B|beta|r|R|bias|phi|Phi|psi|S|s|D|a|A|gamma|p|P|rel|RPE|t|T|c|w|E|g|f|kappa|delta|lambda)$/;

/** Content's term and a number for each pair. */
function recogniseBias(score: Score, facts: FormulaFacts): Found {
  const { terms, biases } = score;
  // A kernel plus a number per pair is attention's score only with queries and keys.
  const hasQueries = terms.some(({ word }) => word.atoms.some((atom) => atom.isMatrix || /^[qkQK]$/.test(atom.name)));
  if (!hasQueries && !facts.isAboutPositions) return null;
  const isContentOnly = terms.length === 1 && terms.every((term) => roleOf(term) === "content_content");
  const [bias, ...others] = biases;
  if (!isContentOnly || bias === undefined || others.length > 1) return null;
  const scalars = [bias, ...others];
  const isTable = scalars.some((word) => isPairScalar(word));
  if (!isTable) return null;
  return { encoding: "t5_bias", part: "bias", terms: places(score), effect: {} };
}

/** b_{i−j}, β_{i,j}: one symbol with the indices of both tokens. */
function isPairScalar(word: Word): boolean {
  const [atom, ...others] = word.atoms;
  if (atom === undefined || others.length > 0 || word.others.length > 0) return false;
  return atom.place.kind === "pair" && BIAS_NAMES.test(atom.name) && !MASK_NAMES.test(atom.name);
}

function recogniseScore(expr: Expr, facts: FormulaFacts): Found {
  const score = readScore(expr);
  if (score === null) return null;
  return recogniseRelative(score) ?? recogniseAbsolute(score) ?? recogniseBias(score, facts);
}

function recogniseScores(facts: FormulaFacts): Found {
  // The richest formula of several lines says the most: a score before its pieces.
  let best: Found = null;
  for (const candidate of scoreCandidates(facts)) {
    const found = recogniseScore(candidate, facts);
    if (found !== null && (best === null || rank(found) > rank(best))) best = found;
  }
  return best;
}

function rank(found: NonNullable<Found>): number {
  const isGeneral = found.encoding === "absolute_expansion" || found.encoding === "relative_general";
  return (found.terms?.length ?? 0) + (isGeneral ? 0 : 0.5);
}

/** q_i = (x_i + p_i) W_Q, and x_i + p_i alone: vectors of one token that are added. */
function recogniseInput(facts: FormulaFacts): Found {
  for (const side of facts.sides) {
    const words = expandWords(side);
    if (words.length !== 2 || words.some((word) => word.sign < 0 || word.others.length > 0)) continue;
    const vectors = words.map((word) => word.atoms.filter((atom) => !atom.isMatrix));
    const [first] = vectors[0] ?? [];
    const [second] = vectors[1] ?? [];
    if (first === undefined || second === undefined || vectors.some((list) => list.length !== 1)) continue;
    if (first.place.kind !== "token" || second.place.kind !== "token" || first.place.letter !== second.place.letter)
      continue;
    if (isStep(facts, side, first)) continue;
    // In x_pos + p_pos the index counts tokens and names neither.
    const isPositionIndex = isIndexedByPosition(first) && isIndexedByPosition(second);
    const isFirst = isPositionName(first) || (isIndexedByPosition(first) && !isPositionIndex);
    const [content, position] = isFirst ? [second, first] : [first, second];
    const isNamed =
      isInputPosition(position) &&
      (!isPositionIndex || isPositionName(position)) &&
      (CONTENT_NAMES.has(content.name) || /emb|tok|word/i.test(content.name));
    const isProjected = words.every((word) => word.atoms.some((atom) => atom.isMatrix));
    if (isNamed || (isProjected && CONTENT_NAMES.has(content.name) && facts.isAboutPositions))
      return { encoding: "absolute_expansion", part: "encoding", effect: {} };
  }
  return recogniseMatrixInput(facts) ?? recogniseEmbeddingSum(facts) ?? recogniseWeightSum(facts);
}

/** E_tok(x_t) + E_pos(t), x_i E + e_pos(i): the label names the position's vector. */
function isLabelledSum(facts: FormulaFacts): boolean {
  return facts.sides.some((side) => {
    if (side.kind !== "sum" || side.terms.length < 2 || side.terms.some((term) => term.sign < 0)) return false;
    const position = side.terms.find(({ expr }) => isLabelled(expr, /^pos/i));
    const others = side.terms.filter((term) => term !== position);
    // Errors and costs have parts for position, orientation and speed, too.
    if (position === undefined || others.some(({ expr }) => isLabelled(expr, /^(?:neg|pos|rot|ori|vel|ang|att|err)/i)))
      return false;
    if (others.some(({ expr }) => isLabelled(expr, /^(?:tok|word|patch)/i))) return true;
    const isEmbedding = ({ expr }: { expr: Expr }) =>
      factorsOf(expr).some((factor) => factor.kind === "symbol" && /^[EexXzhW]$/.test(factor.name));
    return facts.isAboutPositions && others.some(isEmbedding);
  });
}

function isLabelled(expr: Expr, label: RegExp): boolean {
  // W_pos[i] is a row of a table.
  const isRow = expr.kind === "product" && expr.factors.length === 2 && expr.factors[1]?.kind === "group";
  const symbol = expr.kind === "apply" ? expr.fn : isRow ? (expr.factors[0] ?? expr) : expr;
  return (
    symbol.kind === "symbol" &&
    /^[EePpWT]$/.test(symbol.name) &&
    [...symbol.sub, ...symbol.sup].some((part) => label.test(keyOf(part)))
  );
}

/** Embed(x, i) = v_x + u_i: a vector of the token's word and one of its place. */
function isEmbeddingOfBoth(facts: FormulaFacts): boolean {
  return facts.relations.some(({ left, right }) => {
    const isNamed =
      (left.kind === "call" && /^embed/i.test(left.name)) || (left.kind === "apply" && /^embed/i.test(left.fn.name));
    if (!isNamed || left.args.length !== 2 || right.kind !== "sum" || right.terms.length !== 2) return false;
    const indices = right.terms.map(({ expr }) => (expr.kind === "symbol" ? expr.sub.map(keyOf).join() : ""));
    return left.args.every((arg) => indices.includes(keyOf(arg)));
  });
}

/** U W_e + W_p, [x_1 E; x_2 E; …] + E_pos: all rows, and the table of positions as a matrix. */
function recogniseWeightSum(facts: FormulaFacts): Found {
  const isSum = facts.sides.some((side) => {
    if (side.kind !== "sum" || side.terms.length !== 2 || side.terms.some((term) => term.sign < 0)) return false;
    const position = side.terms.find(({ expr }) => isPositionTable(expr));
    const content = side.terms.find((term) => term !== position);
    if (position === undefined || content === undefined) return false;
    const { expr } = content;
    const isLookup =
      expr.kind === "product" && expr.factors.some((factor) => isNamedTable(factor, /^(?:e|te|tok\w*|E)$/));
    const isRows = expr.kind === "group" && expr.bracket === "[" && expr.items.length > 1;
    return isLookup || isRows;
  });
  return isSum || isLabelledSum(facts) || isEmbeddingOfBoth(facts)
    ? { encoding: "absolute_expansion", part: "encoding", effect: {} }
    : null;
}

function isPositionTable(expr: Expr): boolean {
  return isNamedTable(expr, /^(?:p|pe|pos\w*|P)$/);
}

/** W_e, E_pos: a matrix with a label. */
function isNamedTable(expr: Expr, label: RegExp): boolean {
  if (expr.kind !== "symbol" || !/^[WE]$/.test(expr.name)) return false;
  return [...expr.sub, ...expr.sup].some((part) => label.test(keyOf(part)));
}

/** Embedding(token) + PE_pos */
function recogniseEmbeddingSum(facts: FormulaFacts): Found {
  const isSum = facts.sides.some((side) => {
    if (side.kind !== "sum" || side.terms.length < 2 || side.terms.some((term) => term.sign < 0)) return false;
    const names = side.terms.map(({ expr }) => functionOrName(expr));
    const position = names.findIndex((name) => /^(?:PE|PEnc|TE|Pos(?:ition(?:al)?)?_?E(?:nc|mb)\w*)$/i.test(name));
    return (
      position >= 0 &&
      names.some((name, index) => index !== position && /^(?:emb|tok|word|patch|input_?emb)|^[xeE]$/i.test(name))
    );
  });
  return isSum ? { encoding: "absolute_expansion", part: "encoding", effect: {} } : null;
}

function functionOrName(expr: Expr): string {
  if (expr.kind === "symbol" || expr.kind === "call") return expr.name;
  return expr.kind === "apply" ? expr.fn.name : "";
}

/** X + P: the rows of all tokens. */
function recogniseMatrixInput(facts: FormulaFacts): Found {
  for (const { left, right } of facts.relations) {
    if (right.kind !== "sum" || right.terms.length !== 2 || right.terms.some((term) => term.sign < 0)) continue;
    const names = right.terms.map(({ expr }) => (expr.kind === "symbol" ? expr : null));
    const position = names.find(
      (symbol) => symbol !== null && (/^(?:P|PE)$/.test(symbol.name) || /pos/i.test(keyOf(symbol))),
    );
    const content = names.find((symbol) => symbol !== position);
    if (position == null || content == null || !/^[XEHZU]$/.test(content.name)) continue;
    // Two labels of one letter are parts of one quantity, E_pos + E_rot, unless the other one names tokens.
    if (content.name === position.name && !/tok|word|patch|inp|sub|emb/i.test(keyOf(content))) continue;
    if (facts.isAboutPositions || /pos/i.test(keyOf(left)) || /pos|^PE/i.test(keyOf(position)))
      return { encoding: "absolute_expansion", part: "encoding", effect: {} };
  }
  return null;
}

function isInputPosition(atom: Atom): boolean {
  return (
    /^(?:p|P|PE|pe|pos|Pos|POS|TE|PosEnc)$/.test(atom.name) ||
    isIndexedByPosition(atom) ||
    (atom.name === "E" && /pos/i.test(atom.labels))
  );
}

/** x_{k+1} = x_k + p_k is a step of an optimiser. */
function isStep(facts: FormulaFacts, side: Expr, content: Atom): boolean {
  return facts.relations.some(
    ({ left, right }) =>
      right === side && left.kind === "symbol" && left.name === content.name && keyOf(left) !== keyOf(content.expr),
  );
}

/** Output rows: Σ_j a_ij (x_j W_V + R_ij^V). */
function recogniseOutput(facts: FormulaFacts): Found {
  for (const big of findAll(facts.sides, (expr) => (expr.kind === "big" && expr.operator === "sum" ? expr : null))) {
    const factors = spreadFactors(big.body);
    const sum =
      factors.find((factor) => factor.kind === "sum" && factor.terms.length > 1) ??
      factors.find((factor) => factor.kind === "product");
    const hasWeight = factors.some((factor) => factor !== sum && /[a-z]/i.test(keyOf(factor)));
    if (sum === undefined || !hasWeight) continue;
    const words = expandWords(sum);
    const atoms = words.map((word) => word.atoms.find((atom) => !atom.isMatrix));
    const [first, second] = atoms;
    if (words.length !== 2 || first === undefined || second === undefined || first.place.kind !== "token") continue;
    if (second.place.kind === "pair") return { encoding: "shaw", part: "relative table", effect: {} };
    const isSameToken = second.place.kind === "token" && second.place.letter === first.place.letter;
    if (isSameToken && isInputPosition(second) && CONTENT_NAMES.has(first.name))
      return { encoding: "absolute_expansion", part: "encoding", effect: {} };
  }
  return null;
}

/** Matrices: softmax(QKᵀ/√d + B)V. */
function recogniseMatrixBias(facts: FormulaFacts): Found {
  for (const candidate of scoreCandidates(facts)) {
    if (candidate.kind !== "sum" || candidate.terms.length < 2) continue;
    const words = expandWords(candidate);
    const content = words.find(
      (word) =>
        word.atoms.length === 2 && /^[Qq]$/.test(word.atoms[0]?.name ?? "") && /^[Kk]$/.test(word.atoms[1]?.name ?? ""),
    );
    const cosine = candidate.terms.find((term) => /^\(?cos\(|cos\(q|sim\(/.test(keyOf(term.expr)));
    const bias = words.find(
      (word) =>
        word.atoms.length === 1 &&
        word.others.length === 0 &&
        /^(?:B|P|S|R|b|beta|Phi|RPE)$/.test(word.atoms[0]?.name ?? "") &&
        (word.atoms[0]?.place.kind === "pair" || !/^b/.test(word.atoms[0]?.name ?? "")),
    );
    const expansion = recogniseMatrixExpansion(words) ?? recogniseNamedBias(words);
    if (expansion !== null) return expansion;
    if (bias === undefined) continue;
    if (content !== undefined && /rel/i.test(bias.atoms[0]?.labels ?? ""))
      return { encoding: "relative_general", part: "encoding", effect: {} };
    if (cosine !== undefined) return { encoding: "swinv2_cpb", part: "bias", effect: {} };
    if (content === undefined) continue;
    if (bias.atoms[0]?.place.kind === "pair") return { encoding: "t5_bias", part: "bias", effect: {} };
    if (bias.atoms[0]?.name === "B") return { encoding: "swin_bias", part: "bias", effect: {} };
  }
  return null;
}

/** QKᵀ/√d + ALiBi */
function recogniseNamedBias(words: readonly Word[]): Found {
  const isNamed = words.some(({ atoms, others }) => {
    const [atom, ...more] = atoms;
    return atom !== undefined && more.length === 0 && others.length === 0 && /alibi/i.test(keyOf(atom.expr));
  });
  return isNamed ? { encoding: "alibi", part: "bias", effect: {} } : null;
}

/** softmax(Ã/√(3d)): only a score of three terms is divided by √(3d). */
function recogniseThreeTermScale(facts: FormulaFacts): Found {
  const isScale = (expr: Expr) =>
    expr.kind === "call" && expr.name === "sqrt" && /^3\*d/.test(keyOf(expr.args[0] ?? expr));
  const isScaled = findAll(facts.sides, (expr) =>
    expr.kind === "call" && /softmax/i.test(expr.name) ? expr.args : null,
  ).some((args) => args.some((arg) => arg.kind === "quotient" && isScale(arg.denominator)));
  return isScaled ? { encoding: "deberta", part: "encoding", effect: {} } : null;
}

/** QKᵀ + QRᵀ + uKᵀ + vRᵀ: all rows at once. */
function recogniseMatrixExpansion(words: readonly Word[]): Found {
  const pairs = words.map((word) => word.atoms.filter((atom) => !/^W$/.test(atom.name)).map((atom) => atom.name));
  if (pairs.length < 2 || pairs.some((names) => names.length !== 2)) return null;
  const has = (first: RegExp, second: RegExp) => pairs.some(([a = "", b = ""]) => first.test(a) && second.test(b));
  if (!has(/^Q$/, /^K$/) || !has(/^[Quv]$/, /^[RP]$/)) return null;
  return { encoding: has(/^[uv]$/, /^[KR]$/) ? "transformer_xl" : "relative_general", part: "encoding", effect: {} };
}

/** W_k(x_n + p_r^k): a vector of the distance r is added to what keys or values are made of. */
function recogniseLabelledTable(facts: FormulaFacts): Found {
  const isLabelledTerm = (expr: Expr) => {
    const base = expr.kind === "power" ? expr.base : expr;
    const label =
      expr.kind === "power" ? keyOf(expr.exponent) : expr.kind === "symbol" ? expr.sup.map(keyOf).join() : "";
    return base.kind === "symbol" && isPositionName(base) && base.sub.length > 0 && /^[kvKV]$/.test(label);
  };
  const isTable = someExpr(facts.sides, (expr) => {
    if (expr.kind !== "sum" || expr.terms.length !== 2) return false;
    const content = expr.terms.find(({ expr: term }) => !isLabelledTerm(term))?.expr;
    return (
      expr.terms.some(({ expr: term }) => isLabelledTerm(term)) &&
      content?.kind === "symbol" &&
      isContentName(content.name)
    );
  });
  const isProjected = someExpr(facts.sides, (expr) => expr.kind === "symbol" && expr.name === "W");
  return isTable && isProjected ? { encoding: "shaw", part: "relative table", effect: {} } : null;
}

/** a_ij^K, R_ij^V alone: Shaw's tables. */
function recogniseLoneTable(facts: FormulaFacts): Found {
  const symbols = facts.sides.map((side) => (side.kind === "symbol" && /^[aR]$/.test(side.name) ? side : null));
  const isTable =
    symbols.length > 0 &&
    symbols.every(
      (symbol) =>
        symbol !== null &&
        symbol.sub.flatMap(factorsOf).length === 2 &&
        symbol.sup.length === 1 &&
        /^[KV]$/.test(keyOf(symbol.sup[0] ?? symbol)),
    );
  return isTable ? { encoding: "shaw", part: "relative table", effect: {} } : null;
}

/** A number per distance alone: b_{i−j}. */
function recogniseLoneBias(facts: FormulaFacts): Found {
  const [side, ...others] = facts.sides;
  if (side?.kind !== "symbol" || others.length > 0 || !/^(?:b|beta|B)$/.test(side.name)) return null;
  return side.sub.some(containsDifference) ? { encoding: "t5_bias", part: "bias", effect: {} } : null;
}

export const SCORE_RECOGNISERS: readonly FormulaRecogniser[] = [
  { id: "formula/scores", recognise: recogniseScores },
  { id: "formula/output", recognise: recogniseOutput },
  { id: "formula/matrix-bias", recognise: recogniseMatrixBias },
  { id: "formula/three-term-scale", recognise: recogniseThreeTermScale },
  { id: "formula/input", recognise: recogniseInput },
  { id: "formula/relative-table", recognise: recogniseLoneTable },
  { id: "formula/labelled-table", recognise: recogniseLabelledTable },
  { id: "formula/bias-of-distance", recognise: recogniseLoneBias },
];
