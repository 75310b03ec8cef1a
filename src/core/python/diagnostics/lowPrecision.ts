import * as l10n from "@vscode/l10n";
import { type CallExpr, type Expr, keywordArgument, lastName, positionalArguments } from "../parse/ast.ts";
import type { AnalysedCode } from "../recognise/analysedCode.ts";
import { recogniseRole } from "../recognise/structural.ts";
import type { Scope } from "../symbols/module.ts";
import type { CodeRule } from "./diagnostic.ts";

/** Significand bits including the hidden one: integers up to 2^bits are exact. */
const SIGNIFICAND_BITS: ReadonlyMap<string, number> = new Map([
  ["bfloat16", 8],
  ["float16", 11],
  ["half", 11],
]);

/**
 * First position that collides with the one before it: 2^bits + 1 lies halfway between two numbers of the format and
 * rounds to the even one, 2^bits.
 */
export function firstCollidingPosition(bits: number): number {
  return 2 ** bits + 1;
}

/** Positions or inverse frequencies in 16 bits. */
export const lowPrecision: CodeRule = {
  id: "code/low-precision-positions",
  severity: "warning",
  title: { en: "Positions or frequencies in 16-bit precision", zh: "用 16 位表示位置或频率" },
  rationale: {
    en: "bfloat16 has 8 significant bits, float16 has 11: integer positions above 256 and 2048 are rounded, and neighbouring positions get the same angle. Compute angles in float32, whatever precision the model uses.",
    zh: "bfloat16 只有 8 位有效位，float16 只有 11 位：超过 256 与 2048 的整数位置会被舍入，相邻位置得到相同的角度。无论模型用什么精度，角度都应以 float32 计算。",
  },
  reference: "https://arxiv.org/abs/2411.13476",
  find(document) {
    const code = document.analyse();
    return DTYPE_CALLS.flatMap((name) =>
      code.module.calls.get(name).flatMap((site) => {
        const message = checkCall(code, { ...site, name });
        return message === null ? [] : [{ message, range: document.toRange(site.call), related: [] }];
      }),
    );
  },
};

const RANGE_FUNCTIONS = ["arange", "range"];
const DTYPE_CALLS = [...RANGE_FUNCTIONS, "to", "half", "bfloat16", "astype", "type", "cast", "type_as"];

interface DtypeCall {
  readonly call: CallExpr;
  readonly scope: Scope;
  /** Last name of the callee. */
  readonly name: string;
}

function checkCall(code: AnalysedCode, dtypeCall: DtypeCall): string | null {
  const { call, scope, name } = dtypeCall;
  const format = findDtype(dtypeCall);
  if (format === null) return null;
  if (RANGE_FUNCTIONS.includes(name))
    return isPositionRange(code, call, scope, format) ? positionsMessage(code, scope, format) : null;
  const value =
    name === "cast" ? positionalArguments(call)[0] : call.callee.kind === "attribute" ? call.callee.object : undefined;
  if (value === undefined) return null;
  const role = code.roles.resolve(value, scope);
  if (role?.kind === "frequencies")
    return recogniseRole(code, role, scope) === null ? null : frequenciesMessage(format);
  const positions = POSITION_NAMES.test(lastName(value) ?? "") || isPositionRange(code, value, scope, format);
  return positions ? positionsMessage(code, scope, format) : null;
}

/** A range of positions (not of dimensions or heads) that exceeds the exact integers of the format. */
function isPositionRange(code: AnalysedCode, expr: Expr, scope: Scope, { bits }: Dtype): boolean {
  const role = code.roles.resolve(expr, scope);
  if (role?.kind !== "range" || role.step !== 1 || role.isUnitInterval || role.stop === null) return false;
  const { value } = code.evaluator.evaluate(role.stop.expr, role.stop.scope);
  if (typeof value === "number") return value > firstCollidingPosition(bits ?? 8);
  return !OTHER_COUNTS.test(code.roles.sourceText(role.stop.expr));
}

const OTHER_COUNTS = /head|dim|d_model|hidden|embd|embed|half|channel|freq|bucket|\/\s*2\b/i;
const POSITION_NAMES = /^(?:position_ids|positions?|pos_ids)$/;

/** A dtype as written in code; bits are null if it is another tensor's dtype. */
interface Dtype {
  readonly name: string;
  readonly bits: number | null;
}

/** Message for positions in a function that computes angles or biases; null in other functions. */
function positionsMessage(code: AnalysedCode, scope: Scope, { name, bits }: Dtype): string | null {
  const { waves, frequencies, slopes, addsBias } = code.features(scope);
  const angles = waves.size > 0 || frequencies.length > 0 || code.namesMatch(scope, / (?:inv_freq|freqs|angles) /);
  if (!angles && slopes === null && !addsBias) return null;
  const first = firstCollidingPosition(bits ?? 8);
  if (bits === null)
    return l10n.t(
      "Positions in {0}: if this is bfloat16, {1} rounds to {2}, and larger positions collide more often.",
      name,
      first,
      first - 1,
    );
  return angles
    ? l10n.t(
        "Positions in {0}: {1} rounds to {2}. Both get the same angles, and larger positions collide more often.",
        name,
        first,
        first - 1,
      )
    : l10n.t(
        "Positions in {0}: {1} rounds to {2}. Both get the same bias, and larger positions collide more often.",
        name,
        first,
        first - 1,
      );
}

/** Message for inv_freq.half(), inv_freq.to(torch.bfloat16), inv_freq.to(x.dtype). */
function frequenciesMessage({ name, bits }: Dtype): string {
  const first = firstCollidingPosition(bits ?? 8);
  return bits === null
    ? l10n.t(
        "Inverse frequencies in {0}: if this is bfloat16, angles computed from them cannot distinguish positions {1} and {2}.",
        name,
        first,
        first - 1,
      )
    : l10n.t(
        "Inverse frequencies in {0}: angles computed in this dtype cannot distinguish positions {1} and {2}.",
        name,
        first,
        first - 1,
      );
}

/** The dtype that a call requests, if it is a 16-bit one or that of activations. */
function findDtype({ call, name }: DtypeCall): Dtype | null {
  const significandBits = SIGNIFICAND_BITS.get(name);
  if (significandBits !== undefined) return { name, bits: significandBits };
  const args = positionalArguments(call);
  if (name === "type_as") return tensorDtype(args[0]);
  const argument = keywordArgument(call, "dtype") ?? (RANGE_FUNCTIONS.includes(name) ? undefined : args.find(isDtype));
  const dtype = argument == null ? null : parseDtype(argument);
  // A dtype that a parameter passes to arange is usually float32.
  return RANGE_FUNCTIONS.includes(name) && argument?.kind === "name" && dtype?.bits === null ? null : dtype;
}

function isDtype(expr: Expr): boolean {
  return parseDtype(expr) !== null;
}

function parseDtype(expr: Expr): Dtype | null {
  const name = expr.kind === "string" ? expr.value : (lastName(expr) ?? "");
  const bits = SIGNIFICAND_BITS.get(name);
  if (bits !== undefined) return { name, bits };
  if (expr.kind === "attribute" && name === "dtype") return tensorDtype(expr.object);
  return expr.kind === "name" && name.endsWith("dtype") ? { name, bits: null } : null;
}

/** Activations may be in 16 bits; a frequency buffer keeps the dtype that it was created with. */
function tensorDtype(tensor: Expr | undefined): Dtype | null {
  const name = tensor === undefined ? null : lastName(tensor);
  return name !== null && ACTIVATION_NAMES.test(name) ? { name: `${name}.dtype`, bits: null } : null;
}

const ACTIVATION_NAMES =
  /^(?:x|xq|xk|q|k|v|query|key|value|inputs?|hidden_states|inputs_embeds|query_states|key_states)$/;
