import type { ConstantValue } from "./evaluatedValue.ts";

/** Applies a Python operator to constants; undefined if Python would raise or the types are unsupported. */
export function applyOperator(op: string, left: ConstantValue, right: ConstantValue): ConstantValue | undefined {
  if (op === "and") return left ? right : left;
  if (op === "is" || op === "==") return left === right;
  if (op === "is not" || op === "!=") return left !== right;
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const result = OPERATORS.get(op)?.(left, right);
  return typeof result === "number" && !Number.isFinite(result) ? undefined : result;
}

const OPERATORS: ReadonlyMap<string, (a: number, b: number) => number | boolean> = new Map<
  string,
  (a: number, b: number) => number | boolean
>([
  ["+", (a, b) => a + b],
  ["-", (a, b) => a - b],
  ["*", (a, b) => a * b],
  ["/", (a, b) => a / b],
  ["//", (a, b) => Math.floor(a / b)],
  ["%", (a, b) => a - b * Math.floor(a / b)],
  ["**", (a, b) => a ** b],
  ["<<", (a, b) => a * 2 ** b],
  ["<", (a, b) => a < b],
  [">", (a, b) => a > b],
  ["<=", (a, b) => a <= b],
  [">=", (a, b) => a >= b],
]);

/** Evaluates `math.log(10000)`, `int(x)`, `max(a, b)` by function name, from any module. */
export function applyFunction(name: string, args: readonly ConstantValue[]): ConstantValue | undefined {
  const numbers = args.filter((value) => typeof value === "number");
  if (numbers.length !== args.length || numbers.length === 0) {
    return name === "int" && args[0] === true ? 1 : undefined;
  }
  const result = FUNCTIONS.get(name)?.(...numbers);
  return typeof result === "number" && Number.isFinite(result) ? result : undefined;
}

const identity = (value = Number.NaN): number => value;

const FUNCTIONS: ReadonlyMap<string, (...args: number[]) => number> = new Map<string, (...args: number[]) => number>([
  ["int", (value = Number.NaN) => Math.trunc(value)],
  ["float", identity],
  ["float32", identity],
  ["tensor", identity],
  ["array", identity],
  ["round", (value = Number.NaN) => roundHalfEven(value)],
  ["abs", (value = Number.NaN) => Math.abs(value)],
  ["sqrt", (value = Number.NaN) => Math.sqrt(value)],
  ["exp", (value = Number.NaN) => Math.exp(value)],
  ["log", (value = Number.NaN, base) => (base === undefined ? Math.log(value) : Math.log(value) / Math.log(base))],
  ["log2", (value = Number.NaN) => Math.log2(value)],
  ["log10", (value = Number.NaN) => Math.log10(value)],
  ["floor", (value = Number.NaN) => Math.floor(value)],
  ["ceil", (value = Number.NaN) => Math.ceil(value)],
  ["pow", (base = Number.NaN, exponent = Number.NaN) => base ** exponent],
  ["power", (base = Number.NaN, exponent = Number.NaN) => base ** exponent],
  ["min", Math.min],
  ["max", Math.max],
]);

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
