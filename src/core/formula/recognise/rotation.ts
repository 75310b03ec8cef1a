import type { Expr, MatrixExpr } from "../parse/tree.ts";
import {
  differenceOf,
  factorsOf,
  findAll,
  isNumber,
  isPositionLetter,
  keyOf,
  monomialOf,
  someExpr,
  termsOf,
} from "./algebra.ts";
import type { FormulaFacts, FormulaRecogniser } from "./match.ts";
import { scoreCandidates } from "./scores.ts";
import { frequencyValues, readAngle, type Wave, waveOf } from "./waves.ts";
import { type Atom, expandWords } from "./words.ts";

/** Rotations of queries and keys by their position: RoPE in its many forms, xPos, and the forms with several axes. */

type Found = ReturnType<FormulaRecogniser["recognise"]>;

const ROTATED = /^(?:q|k|x|Q|K|X|W|f|h|z|v|w|e|y|E)$/;

/** The encoding for the positions that the angles multiply. */
function rotaryFamily(positions: readonly string[]): string {
  const letters = new Set(
    positions
      .flatMap((position) => position.split("-"))
      .map((letter) => letter.replace(/^p_\{\w\}\^\{|^(?:pos|p|m)_\{|\}$/g, "")),
  );
  // The d of R^d is a dimension.
  letters.delete("d");
  const hasTime = letters.has("t") || letters.has("time");
  if (letters.has("h") && letters.has("w") && letters.size <= 3) return hasTime ? "mrope" : "axial_rope";
  if (letters.has("x") && letters.has("y") && letters.size === 2) return "axial_rope";
  return "rope";
}

function rotation(waves: readonly Pick<Wave, "positions" | "frequency">[]): Found {
  const frequency = waves.map((wave) => wave.frequency).find((found) => found !== null) ?? null;
  const encoding = rotaryFamily(waves.flatMap((wave) => wave.positions));
  return {
    encoding,
    part: "rotation",
    values: encoding === "rope" ? frequencyValues(frequency, "rope_theta") : [],
  };
}

/** [cos A, −sin A; sin A, cos A] somewhere in a matrix, A = position × frequency. */
function recogniseMatrix(facts: FormulaFacts): Found {
  for (const matrix of findAll(facts.sides, (expr) => (expr.kind === "matrix" ? expr : null))) {
    const waves = rotationWaves(matrix);
    if (waves === null) continue;
    const isBlock = matrix.rows.length > 2 || matrix.rows.some((row) => row.some((entry) => entry.kind === "dots"));
    if (!isBlock && isMotion(facts, waves)) continue;
    if (isAppliedToSinusoids(facts)) return { encoding: "sinusoidal", part: "table", values: [] };
    return rotation(waves);
  }
  return null;
}

function rotationWaves(matrix: MatrixExpr): readonly Wave[] | null {
  for (let row = 0; row + 1 < matrix.rows.length; row++) {
    const upper = matrix.rows[row] ?? [];
    const lower = matrix.rows[row + 1] ?? [];
    for (let column = 0; column + 1 < upper.length; column++) {
      const entries = [upper[column], upper[column + 1], lower[column], lower[column + 1]];
      if (isRotationBlock(entries)) return findAll([matrix], waveOf);
    }
  }
  return null;
}

function isRotationBlock([a, b, c, d]: readonly (Expr | undefined)[]): boolean {
  const waves = [a, b, c, d].map(signedWave);
  const [first, second, third, fourth] = waves;
  if (first == null || second == null || third == null || fourth == null) return false;
  const names = [first, second, third, fourth].map((entry) => entry.wave.call.name).join();
  const angles = new Set(
    [first, second, third, fourth].map((entry) => keyOf(entry.wave.call.args[0] ?? entry.wave.call)),
  );
  return names === "cos,sin,sin,cos" && second.sign !== third.sign && angles.size === 1;
}

function signedWave(expr: Expr | undefined): { sign: number; wave: Wave } | null {
  if (expr === undefined) return null;
  const [term, ...others] = termsOf(expr);
  const wave = term === undefined || others.length > 0 ? null : waveOf(term.expr);
  return wave === null || term === undefined ? null : { sign: term.sign, wave };
}

/** A body that turns with time, ωt, or the power of a rotation, Rⁿ; not tokens. */
function isMotion(facts: FormulaFacts, waves: readonly Wave[]): boolean {
  const isPower = facts.relations.some(({ left }) => left.kind === "power");
  const isPowerLabel = facts.relations.some(
    ({ left }) =>
      left.kind === "symbol" &&
      left.sub.length === 0 &&
      left.sup.some((label) => waves.some((wave) => wave.positions.includes(keyOf(label)))),
  );
  const isTurning = waves.every(
    (wave) => !wave.isIndexed && wave.positions.every((letter) => letter === "t" || /^[xyzrk]$/.test(letter)),
  );
  const isOmega = waves.every((wave) => !wave.isIndexed && wave.letter !== "theta" && wave.letter !== "Theta");
  return isPower || isPowerLabel || isTurning || isOmega;
}

function isAppliedToSinusoids(facts: FormulaFacts): boolean {
  if (facts.relations.some(({ left }) => someExpr([left], (part) => part.kind === "symbol" && part.name === "PE")))
    return true;
  return findAll(facts.sides, (expr) => (expr.kind === "matrix" ? expr : null)).some((matrix) => {
    const entries = matrix.rows.flat();
    return (
      matrix.rows.every((row) => row.length === 1) &&
      entries.filter((entry) => entry.kind === "call" && /^(?:sin|cos)$/.test(entry.name)).length >= 2
    );
  });
}

/** q e^{imθ} */
function recogniseComplex(facts: FormulaFacts): Found {
  if (isFourierSum(facts) || isDifferentialEquation(facts)) return null;
  const rotations = findAll(facts.sides, (expr) => complexAngle(expr, facts));
  const [found] = rotations;
  if (found === undefined) return null;
  const isRotary =
    facts.sides.some((side) => rotatesVector(side, facts)) ||
    facts.relations.some(({ left }) => isVectorFunction(left));
  if (!isRotary && !(facts.isAboutPositions && facts.prefersRotary)) return null;
  return isScaled(facts) ? { encoding: "xpos", part: "rotation" } : rotation(rotations);
}

/** ∇²(f e^{imθ}): a mode of a field. */
function isDifferentialEquation(facts: FormulaFacts): boolean {
  return someExpr(facts.sides, (expr) => expr.kind === "symbol" && /^(?:nabla|partial)$/.test(expr.name));
}

/** Σ_m c_m e^{imθ}: the sum runs over what would be the position. */
function isFourierSum(facts: FormulaFacts): boolean {
  return someExpr(facts.sides, (expr) => {
    if (expr.kind !== "big" || expr.operator !== "sum") return false;
    const letters = new Set(
      expr.lower.map((lower) => keyOf(lower.kind === "relation" ? (lower.sides[0] ?? lower) : lower)),
    );
    return someExpr(
      [expr.body],
      (part) => complexAngle(part, facts)?.positions.some((letter) => letters.has(letter)) === true,
    );
  });
}

function complexAngle(expr: Expr, facts: FormulaFacts): Omit<Wave, "call"> | null {
  const exponent =
    expr.kind === "power" && expr.base.kind === "symbol" && expr.base.name === "e"
      ? expr.exponent
      : expr.kind === "call" && expr.name === "exp" && expr.args.length === 1
        ? expr.args[0]
        : undefined;
  if (exponent === undefined) return null;
  const monomial = monomialOf(exponent);
  if ([...monomial.above, ...monomial.below].some((factor) => factor.kind === "symbol" && factor.name === "pi"))
    return null;
  const unit = monomial.above.findIndex(
    (factor) => factor.kind === "symbol" && /^[ij]$/.test(factor.name) && factor.sub.length === 0,
  );
  if (unit < 0) return null;
  const rest = monomial.above.filter((_, index) => index !== unit);
  const inner = rest[0];
  // e^{i(pθ_h + qθ_w)}
  if (inner?.kind === "sum" && rest.length === 1) {
    // A letter alone is a phase: e^{i(mθ + γ)}.
    const turning = inner.terms.filter((term) => term.expr.kind !== "symbol");
    const angles = turning.map((term) => readAngle(term.expr));
    const known = angles.flatMap((angle) => angle ?? []);
    const [first] = known;
    if (first === undefined || known.length !== angles.length || known.every(isTimeAngle)) return null;
    return { ...first, positions: known.flatMap((angle) => angle.positions) };
  }
  const angle = readAngle({
    kind: "product",
    factors: rest,
    signs: rest.slice(1).map(() => ""),
    from: exponent.from,
    to: exponent.to,
  });
  if (angle === null || monomial.below.length > 0) return null;
  return isTimeAngle(angle) && !facts.prefersRotary ? null : angle;
}

/** ωt */
function isTimeAngle({ letter, isIndexed, positions }: Omit<Wave, "call">): boolean {
  return letter === "omega" && !isIndexed && positions.every((position) => position === "t");
}

/** A vector, perhaps projected or conjugated, times the rotation. */
function rotatesVector(side: Expr, facts: FormulaFacts): boolean {
  return someExpr([side], (expr) => {
    if (expr.kind !== "product") return false;
    const factors = factorsOf(expr);
    const angle = factors.map((factor) => complexAngle(factor, facts)).find((found) => found !== null);
    if (angle == null) return false;
    // z_i e^{imθ_i}: with a frequency for each pair, any vector.
    const isPair = angle.isIndexed && angle.letter === "theta";
    if (isPair && factors.some((factor) => factor.kind === "symbol" && /^[zvu]$/.test(factor.name))) return true;
    return factors.some((factor) =>
      someExpr(
        [factor],
        (part) =>
          part.kind === "symbol" &&
          /^(?:q|k|W|Q|K|x|h|f)$/.test(part.name) &&
          !(part.name === "k" && factor.kind === "power"),
      ),
    );
  });
}

/** f_q(x_m, m), RoPE(x, m) */
function isVectorFunction(expr: Expr): boolean {
  if (expr.kind === "call") return /^rope$|^rotary$/i.test(expr.name);
  return (
    expr.kind === "apply" && /^[fR]$/.test(expr.fn.name) && expr.args.length === 2 && isPositionLetter(expr.args[1])
  );
}

/** xPos: ζ^m beside the rotation. */
function isScaled(facts: FormulaFacts): boolean {
  return someExpr(facts.sides, (expr) => {
    const isZeta = (part: Expr) =>
      someExpr([part], (inner) => inner.kind === "symbol" && /^(?:zeta|xi)$/.test(inner.name));
    return (
      (expr.kind === "power" && isZeta(expr.base)) ||
      (expr.kind === "symbol" && /^(?:zeta|xi)$/.test(expr.name) && expr.sup.length > 0)
    );
  });
}

/** ⟨f(q, m), f(k, n)⟩ = g(q, k, m − n) */
function recogniseRequirement(facts: FormulaFacts): Found {
  const goals = findAll(facts.sides, (expr) => {
    if (expr.kind !== "apply" || expr.args.length < 2) return null;
    const difference = differenceOf(expr.args.at(-1));
    return difference === null ? null : { expr, difference };
  });
  for (const { expr, difference } of goals) {
    const letters = [difference.minuend, difference.subtrahend];
    const others = findAll(facts.sides, (part) => (part.kind === "apply" && part !== expr ? part : null));
    const rotated = letters.every((letter) =>
      others.some((part) => part.args.length >= 2 && keyOf(part.args.at(-1) ?? part) === letter),
    );
    const contents = expr.args.slice(0, -1);
    const indexed = letters.every((letter) =>
      contents.some((arg) => arg.kind === "symbol" && arg.sub.some((sub) => keyOf(sub) === letter)),
    );
    const scored = letters.every((letter) =>
      someExpr(
        facts.sides,
        (part) => part.kind === "symbol" && /^[qkQK]$/.test(part.name) && part.sub.some((sub) => keyOf(sub) === letter),
      ),
    );
    if (rotated || ((indexed || scored) && contents.length >= 2)) return { encoding: "rope", part: "encoding" };
  }
  return null;
}

const ROTATION_NAMES = /^(?:R|Rot|M|mathcalR|O|RoPE|T)$/;

/** qᵀR_{n−m}k, R_mᵀR_n = R_{n−m}, (R_m q)ᵀ(R_n k), R_{Θ,m}W x. */
function recogniseProduct(facts: FormulaFacts): Found {
  for (const side of scoreCandidates(facts)) {
    for (const word of expandWords(side)) {
      const rotations = word.atoms.filter(
        (atom) =>
          atom.place.kind !== "none" && ROTATION_NAMES.test(atom.name) && (isWithTheta(atom.expr) || atom.name !== "M"),
      );
      const [first, second] = rotations;
      if (first === undefined) continue;
      const vectors = word.atoms.filter((atom) => !rotations.includes(atom) && !atom.isMatrix);
      const at = word.atoms.indexOf(first);
      const isInside = at > 0 && at < word.atoms.length - 1;
      const isRelative =
        first.place.kind === "pair" &&
        isInside &&
        vectors.length === 2 &&
        rotations.length === 1 &&
        !word.atoms.slice(0, at).some((atom) => atom.isMatrix && at === word.atoms.length - 1);
      const isPair =
        second !== undefined &&
        first.name === second.name &&
        first.place.kind === "token" &&
        second.place.kind === "token" &&
        first.place.letter !== second.place.letter &&
        first.isTransposed !== second.isTransposed;
      const isTheta = isWithTheta(first.expr) && (vectors.length > 0 || word.atoms.length > 1);
      const isComposed = word.atoms.length === 2 && isComposition(first, second);
      const isApplied =
        first.place.kind === "token" &&
        first.name === "R" &&
        at === 0 &&
        vectors.length === 1 &&
        vectors.every((atom) => /^[qkQK]$/.test(atom.name)) &&
        word.others.length === 0;
      if (
        isPair ||
        isComposed ||
        (isApplied && facts.isAboutPositions) ||
        isTheta ||
        (isRelative && hasRotaryEnds(word.atoms))
      )
        return { encoding: "rope", part: "rotation" };
    }
  }
  return isLoneRotation(facts) ? { encoding: "rope", part: "rotation" } : null;
}

function hasRotaryEnds(atoms: readonly { name: string }[]): boolean {
  const [first] = atoms;
  const last = atoms.at(-1);
  return /^[qxQ]$/.test(first?.name ?? "") && /^[kxK]$/.test(last?.name ?? "");
}

/** R_{p'} = R_{p'−p} R_p */
function isComposition(first: Atom, second: Atom | undefined): boolean {
  if (second === undefined || first.name !== second.name) return false;
  const [pair, token] = first.place.kind === "pair" ? [first.place, second.place] : [second.place, first.place];
  return (
    pair.kind === "pair" && token.kind === "token" && (token.letter === pair.first || token.letter === pair.second)
  );
}

/** Θ is an index of the matrix: R^d_{Θ,m}. */
function isWithTheta(expr: Expr): boolean {
  return (
    expr.kind === "symbol" &&
    [...expr.sub, ...expr.sup].some((part) =>
      someExpr([part], (inner) => inner.kind === "symbol" && /^theta$/i.test(inner.name)),
    )
  );
}

/** Anywhere, R_{Θ,m} beside what it rotates: R_{Θ,m} φ(q_m). */
function rotatesInside(facts: FormulaFacts): boolean {
  return someExpr(facts.sides, (expr) => {
    if (expr.kind !== "product") return false;
    return expr.factors.some((factor, index) => {
      if (isTurnByAngle(factor)) return isQueryOrKey(expr.factors[index + 1]);
      if (factor.kind !== "symbol" || factor.name !== "R" || index + 1 >= expr.factors.length) return false;
      const isTheta = factor.sub.some((part) => part.kind === "symbol" && part.name === "Theta");
      return isTheta && factor.sub.some((part) => isPositionLetter(part) || differenceOf(part) !== null);
    });
  });
}

/** R(mθ) */
function isTurnByAngle(expr: Expr): boolean {
  if (expr.kind !== "apply" || expr.fn.name !== "R") return false;
  const angle = expr.args.length === 1 && expr.args[0] !== undefined ? readAngle(expr.args[0]) : null;
  return angle !== null && angle.letter === "theta";
}

function isQueryOrKey(expr: Expr | undefined): boolean {
  return expr?.kind === "symbol" && /^[qkQK]$/.test(expr.name);
}

function isLoneRotation(facts: FormulaFacts): boolean {
  return (
    facts.sides.some(
      (side) => side.kind === "symbol" && /^R$/.test(side.name) && isWithTheta(side) && side.sub.length >= 2,
    ) || rotatesInside(facts)
  );
}

/** q ⊗ cos + rotate(q) ⊗ sin; x₁' = x₁ cos mθ − x₂ sin mθ. */
function recogniseElementwise(facts: FormulaFacts): Found {
  const sums = findAll(facts.sides, (expr) => (expr.kind === "sum" && expr.terms.length === 2 ? expr : null));
  for (const sum of sums) {
    const [first, second] = sum.terms.map(({ expr }) => readRotatedTerm(expr));
    if (first == null || second == null || first.wave === second.wave) continue;
    const waves = findAll([sum], waveOf);
    const isFourier = first.vector !== second.vector || isFourierSeries(facts, sum);
    const isMatrixForm = first.isColumn && second.isColumn;
    const isQuarter = first.isQuarter || second.isQuarter;
    const isPair = !isFourier && waves.length > 0 && !isMotion(facts, waves) && isPairOfEntries(sum);
    const isHalves = !isFourier && isPairOfHalves(sum);
    const isColumns = isMatrixForm && (waves.length > 0 || isQuarter);
    if (isQuarter || isColumns || isPair || isHalves)
      return isScaled(facts)
        ? { encoding: "xpos", part: "rotation" }
        : waves.length > 0
          ? rotation(waves)
          : { encoding: "rope", part: "rotation" };
  }
  return null;
}

/** rotate(x) times anything, and its definition: rotate([a, b]) = [−b, a]. */
function recogniseQuarterTurn(facts: FormulaFacts): Found {
  const isDefined = facts.relations.some(({ left }) => isRotateCall(left));
  if (isDefined) return { encoding: "rope", part: "pair layout" };
  const isApplied = someExpr(
    facts.sides,
    (expr) =>
      expr.kind === "sum" &&
      expr.terms.length === 2 &&
      expr.terms.some((term) => factorsOf(term.expr).some(isRotateCall)),
  );
  return isApplied ? { encoding: "rope", part: "rotation" } : null;
}

/** [cos mθ_0, cos mθ_0, cos mθ_1, …], and cos mθ_i in a text about rotations. */
function recogniseTable(facts: FormulaFacts): Found {
  const waves = findAll(facts.sides, waveOf).filter((wave) => wave.letter === "theta" && wave.isIndexed);
  const [wave] = waves;
  if (wave === undefined) return null;
  const lists = findAll(facts.sides, (expr) => (expr.kind === "group" && expr.items.length >= 3 ? expr.items : null));
  const isList = lists.some(
    (items) =>
      new Set(items.flatMap((item) => waveOf(item)?.call.name ?? [])).size === 1 &&
      items.every((item) => item.kind === "dots" || waveOf(item) !== null),
  );
  const isInText =
    facts.isAboutPositions &&
    facts.prefersRotary &&
    facts.sides.every((side) => waveOf(side) !== null || (side.kind === "call" && side.args.length > 0));
  if (!isList && !isInText) return null;
  return { ...rotation(waves), encoding: "rope", part: "cos and sin" };
}

/** φ_{m,i} = mθ_i, in a text about rotations. */
function recogniseAngle(facts: FormulaFacts): Found {
  if (!facts.isAboutPositions || !facts.prefersRotary) return null;
  for (const { right } of facts.relations) {
    const angle = readAngle(right);
    if (angle?.isIndexed === true && (angle.letter === "theta" || angle.letter === "omega" || angle.frequency !== null))
      return { ...rotation([angle]), encoding: rotaryFamily(angle.positions), part: "angles" };
  }
  return null;
}

/** x_i cos − x_{i+d/2} sin, x_{2i} cos − x_{2i+1} sin: the two dimensions of a pair. */
function isPairOfHalves(sum: Extract<Expr, { kind: "sum" }>): boolean {
  const entries = sum.terms.map(({ expr }) => factorsOf(expr).find((factor) => factor.kind === "symbol"));
  const angles = new Set(
    findAll([sum], (expr) =>
      expr.kind === "call" && /^(?:sin|cos)$/.test(expr.name) ? keyOf(expr.args[0] ?? expr) : null,
    ),
  );
  const [first, second] = entries;
  if (first?.kind !== "symbol" || second?.kind !== "symbol" || first.name !== second.name || angles.size !== 1)
    return false;
  const indices = [first.sub[0], second.sub[0]];
  const isShifted = indices.some(
    (index) =>
      index?.kind === "sum" &&
      index.terms.some((term) => term.expr.kind === "quotient" && isNumber(term.expr.denominator, 2)),
  );
  const isEven = indices
    .map((index) => (index === undefined ? "" : keyOf(index).replace(/[()+]/g, "")))
    .sort()
    .join();
  return isShifted || /^2\*([a-z]),2\*\1[1]$/.test(isEven);
}

interface RotatedTerm {
  readonly wave: "sin" | "cos";
  readonly vector: string;
  readonly isColumn: boolean;
  readonly isQuarter: boolean;
}

/** A vector or entry times a sine or cosine, or times the table of one. */
function readRotatedTerm(expr: Expr): RotatedTerm | null {
  const factors = factorsOf(expr);
  const waves = factors.flatMap((factor) => waveName(factor) ?? []);
  const [wave, ...others] = waves;
  if (wave === undefined || others.length > 0) return null;
  const rest = factors.filter((factor) => waveName(factor) === null && factor.kind !== "number");
  const [vector, ...more] = rest;
  if (vector === undefined || more.length > 1) return null;
  const isQuarter = rest.some((factor) => isRotateCall(factor));
  const name =
    vector.kind === "symbol"
      ? vector.name
      : vector.kind === "matrix" || vector.kind === "group"
        ? "column"
        : keyOf(vector);
  return {
    wave,
    vector: name,
    isColumn: vector.kind === "matrix" || (vector.kind === "group" && vector.items.length > 1),
    isQuarter,
  };
}

function isRotateCall(expr: Expr): boolean {
  if (expr.kind === "call") return /^rotate/i.test(expr.name);
  const name = expr.kind === "apply" ? expr.fn.name : expr.kind === "symbol" ? expr.name : "";
  return /^rot(?:ate)?(?:[_-]?half)?(?:[_-]?every[_-]?two)?$/i.test(name);
}

/** sin or cos: of a position, as a table without argument, or as a column of them. */
function waveName(expr: Expr): "sin" | "cos" | null {
  if (expr.kind === "call" && (expr.name === "sin" || expr.name === "cos") && expr.power === null) return expr.name;
  if (expr.kind === "symbol" && /^(?:sin|cos)$/.test(expr.name)) return expr.name === "sin" ? "sin" : "cos";
  if (expr.kind === "matrix" || (expr.kind === "group" && expr.items.length > 1)) {
    const entries = expr.kind === "matrix" ? expr.rows.flat() : expr.items;
    const names = new Set(
      entries.flatMap((entry) => (entry.kind === "call" && /^(?:sin|cos)$/.test(entry.name) ? [entry.name] : [])),
    );
    const isColumn = names.size === 1 && entries.every((entry) => entry.kind === "call" || entry.kind === "dots");
    return isColumn ? (names.has("sin") ? "sin" : "cos") : null;
  }
  return null;
}

/** x₁ cos − x₂ sin: two entries of one vector. */
function isPairOfEntries(sum: Extract<Expr, { kind: "sum" }>): boolean {
  const entries = sum.terms.map(({ expr }) => factorsOf(expr).find((factor) => factor.kind === "symbol"));
  const [first, second] = entries;
  if (first?.kind !== "symbol" || second?.kind !== "symbol") return false;
  return ROTATED.test(first.name) && first.name === second.name && keyOf(first) !== keyOf(second);
}

/** a_n cos nx + b_n sin nx under a sum. */
function isFourierSeries(facts: FormulaFacts, sum: Expr): boolean {
  return someExpr(facts.sides, (expr) => expr.kind === "big" && someExpr([expr.body], (part) => part === sum));
}

/** Per-axis blocks: diag(R_x, R_y), R_{h}, R_{w}. */
function recogniseAxes(facts: FormulaFacts): Found {
  for (const matrix of findAll(facts.sides, (expr) => (expr.kind === "matrix" ? expr : null))) {
    const blocks = matrix.rows.flat().filter((entry) => entry.kind === "symbol" || entry.kind === "apply");
    const named = blocks.flatMap((entry) => {
      const fn = entry.kind === "apply" ? entry.fn : entry;
      return fn.kind === "symbol" && /^R$/.test(fn.name) ? [entry] : [];
    });
    if (named.length < 2 || named.length !== blocks.length) continue;
    const letters = named.flatMap((entry) =>
      findAll([entry], (part) => (part.kind === "symbol" && /^[a-z]$/.test(part.name) ? part.name : null)),
    );
    const family = rotaryFamily(letters);
    return { encoding: family, part: "rotation" };
  }
  return recogniseAxisSum(facts);
}

/** R_t ⊕ R_h ⊕ R_w, diag(R_t, R_h, R_w) */
function recogniseAxisSum(facts: FormulaFacts): Found {
  const lists = findAll(facts.sides, (expr) => {
    if (expr.kind === "product" && expr.signs.every((sign) => sign === "oplus")) return expr.factors;
    return expr.kind === "call" && /diag/i.test(expr.name) ? expr.args : null;
  });
  for (const list of lists) {
    const isRotations = list.every(
      (entry) =>
        (entry.kind === "symbol" && /^R/.test(entry.name)) || (entry.kind === "apply" && /^R/.test(entry.fn.name)),
    );
    if (list.length < 2 || !isRotations) continue;
    const letters = findAll(list, (part) => (part.kind === "symbol" && /^[a-z]$/.test(part.name) ? part.name : null));
    const family = rotaryFamily(letters);
    if (family !== "rope") return { encoding: family, part: "rotation" };
  }
  return null;
}

/** RoPE(q, m), M-RoPE(x, (t, h, w)): encodings that are called by their names. */
function recogniseNamed(facts: FormulaFacts): Found {
  const names = findAll(facts.sides, (expr) => {
    if (expr.kind === "call" && expr.args.length > 0) return expr.name;
    return expr.kind === "apply" ? expr.fn.name : null;
  });
  if (names.some((name) => /^m-?rope$/i.test(name))) return { encoding: "mrope", part: "rotation" };
  return names.some((name) => /^(?:rope|rotary)$/i.test(name)) ? { encoding: "rope", part: "rotation" } : null;
}

/** |q||k| cos((m − n)θ + φ) */
function recogniseCosine(facts: FormulaFacts): Found {
  const isRelative = someExpr(facts.sides, (expr) => {
    if (expr.kind !== "product") return false;
    const isOf = (name: string) =>
      expr.factors.some((factor) => someExpr([factor], (part) => part.kind === "symbol" && part.name === name));
    const isTurned = expr.factors.some(
      (factor) =>
        factor.kind === "call" &&
        factor.name === "cos" &&
        someExpr(factor.args, (part) => differenceOf(part) !== null) &&
        someExpr(factor.args, (part) => part.kind === "symbol" && part.name === "theta"),
    );
    return isTurned && isOf("q") && isOf("k");
  });
  return isRelative ? { encoding: "rope", part: "rotation" } : null;
}

/** ζ_i = (i/(d/2) + γ)/(1 + γ); Σ cos((m − n)θ_i) ζ_i^{m−n} */
function recogniseDecay(facts: FormulaFacts): Found {
  const isZeta = (expr: Expr) => expr.kind === "symbol" && /^(?:zeta|xi)$/.test(expr.name);
  const isDefined = facts.relations.some(({ left, right }) => {
    if (!isZeta(left) || right.kind !== "quotient") return false;
    const shift = termsOf(right.denominator).find((term) => !isNumber(term.expr, 1))?.expr;
    const isOnePlus = termsOf(right.denominator).length === 2 && shift !== undefined;
    return isOnePlus && termsOf(right.numerator).some((term) => keyOf(term.expr) === keyOf(shift));
  });
  const isPowerOfDistance = someExpr(
    facts.sides,
    (expr) => expr.kind === "power" && isZeta(expr.base) && differenceOf(expr.exponent) !== null,
  );
  const hasWave =
    findAll(facts.sides, waveOf).length > 0 || someExpr(facts.sides, (expr) => complexAngle(expr, facts) !== null);
  return isDefined || (isPowerOfDistance && hasWave) ? { encoding: "xpos", part: "rotation" } : null;
}

/** d_rot = p · d_head */
function recognisePartial(facts: FormulaFacts): Found {
  for (const { left, right } of facts.relations) {
    const isRotated =
      left.kind === "symbol" &&
      someExpr(
        [left],
        (part) => part.kind === "symbol" && /^(?:rot|rotary|rope|rotary_dim|rotarydim|r_?dim)$/i.test(part.name),
      );
    const hasHead = someExpr(
      [right],
      (part) => part.kind === "symbol" && /^(?:head|h|head_dim|headdim|d)$/.test(part.name),
    );
    if (isRotated && hasHead && /^(?:d|D|rotary_dim|r|dim)$/.test(left.name))
      return { encoding: "rope", part: "rotated dimensions" };
  }
  return null;
}

export const ROTATION_RECOGNISERS: readonly FormulaRecogniser[] = [
  { id: "formula/rotation-matrix", recognise: recogniseMatrix },
  { id: "formula/rotation-elementwise", recognise: recogniseElementwise },
  { id: "formula/quarter-turn", recognise: recogniseQuarterTurn },
  { id: "formula/rotation-complex", recognise: recogniseComplex },
  { id: "formula/rotation-requirement", recognise: recogniseRequirement },
  { id: "formula/rotation-axes", recognise: recogniseAxes },
  { id: "formula/rotation-decay", recognise: recogniseDecay },
  { id: "formula/rotation-product", recognise: recogniseProduct },
  { id: "formula/rotated-dimensions", recognise: recognisePartial },
  { id: "formula/rotation-table", recognise: recogniseTable },
  { id: "formula/angle", recognise: recogniseAngle },
  { id: "formula/relative-angle", recognise: recogniseCosine },
  { id: "formula/named", recognise: recogniseNamed },
];
