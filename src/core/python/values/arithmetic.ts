import type { Constant } from "./value.ts";

/** Python's operators on constants; undefined where Python would raise or the kinds are not ours. */
export function operate(op: string, left: Constant, right: Constant): Constant | undefined {
  if (op === "and") return left ? right : left;
  if (op === "is" || op === "==") return left === right;
  if (op === "is not" || op === "!=") return left !== right;
  if (typeof left !== "number" || typeof right !== "number") return undefined;
  const result = arithmetic.get(op)?.(left, right);
  return typeof result === "number" && !Number.isFinite(result) ? undefined : result;
}

const arithmetic: ReadonlyMap<string, (a: number, b: number) => number | boolean> = new Map<
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

/** `math.log(10000)`, `int(x)`, `max(a, b)`, whatever module they come from. */
export function call(name: string, args: readonly Constant[]): Constant | undefined {
  const numbers = args.filter((value) => typeof value === "number");
  if (numbers.length !== args.length || numbers.length === 0) {
    return name === "int" && args[0] === true ? 1 : undefined;
  }
  const result = functions.get(name)?.(...numbers);
  return typeof result === "number" && Number.isFinite(result) ? result : undefined;
}

const identity = (value = Number.NaN): number => value;

const functions: ReadonlyMap<string, (...args: number[]) => number> = new Map<string, (...args: number[]) => number>([
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
