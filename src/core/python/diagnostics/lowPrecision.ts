import { t } from "@vscode/l10n";
import { type Call, type Expr, keywordArgument, lastName, positional } from "../parse/ast.ts";
import type { Code } from "../recognise/code.ts";
import { byRole } from "../recognise/structural.ts";
import type { Scope } from "../symbols/module.ts";
import type { CodeRule } from "./diagnostic.ts";

/** Significand bits, the hidden one included: integers up to 2^bits are exact. */
const BITS: ReadonlyMap<string, number> = new Map([
  ["bfloat16", 8],
  ["float16", 11],
  ["half", 11],
]);

/**
 * First position that is rounded to the one before it: 2^bits + 1 lies halfway between two numbers of the format
 * and goes to the even one, 2^bits.
 */
export function firstCollision(bits: number): number {
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
    const { code } = document;
    return CASTS.flatMap((name) =>
      code.module.calls.get(name).flatMap((site) => {
        const message = ofCall(code, { ...site, name });
        return message === null ? [] : [{ message, range: document.range(site.call), related: [] }];
      }),
    );
  },
};

const MAKERS = ["arange", "range"];
const CASTS = [...MAKERS, "to", "half", "bfloat16", "astype", "type", "cast", "type_as"];

interface Cast {
  readonly call: Call;
  readonly scope: Scope;
  /** The last name of what is called. */
  readonly name: string;
}

function ofCall(code: Code, cast: Cast): string | null {
  const { call, scope, name } = cast;
  const type = typeOf(cast);
  if (type === null) return null;
  if (MAKERS.includes(name)) return countsPositions(code, call, scope, type) ? positionsIn(code, scope, type) : null;
  const value =
    name === "cast" ? positional(call)[0] : call.callee.kind === "attribute" ? call.callee.object : undefined;
  if (value === undefined) return null;
  const role = code.roles.of(value, scope);
  if (role?.kind === "frequencies") return byRole(code, role, scope) === null ? null : frequenciesIn(type);
  const positions = POSITIONS.test(lastName(value) ?? "") || countsPositions(code, value, scope, type);
  return positions ? positionsIn(code, scope, type) : null;
}

/** A range of positions, rather than of dimensions or heads, that goes beyond what the format holds. */
function countsPositions(code: Code, expr: Expr, scope: Scope, { bits }: Format): boolean {
  const role = code.roles.of(expr, scope);
  if (role?.kind !== "range" || role.step !== 1 || role.unit || role.stop === null) return false;
  const { value } = code.evaluator.evaluate(role.stop.expr, role.stop.scope);
  if (typeof value === "number") return value > firstCollision(bits ?? 8);
  return !OTHERS.test(code.roles.text(role.stop.expr));
}

const OTHERS = /head|dim|d_model|hidden|embd|embed|half|channel|freq|bucket|\/\s*2\b/i;
const POSITIONS = /^(?:position_ids|positions?|pos_ids)$/;

/** A number format as code names it; no bits where it is that of another tensor. */
interface Format {
  readonly name: string;
  readonly bits: number | null;
}

/** Positions in a function that computes angles or biases from them. */
function positionsIn(code: Code, scope: Scope, { name, bits }: Format): string | null {
  const { waves, frequencies, slopes, adds } = code.features(scope);
  const angles = waves.size > 0 || frequencies.length > 0 || code.has(scope, / (?:inv_freq|freqs|angles) /);
  if (!angles && slopes === null && !adds) return null;
  const first = firstCollision(bits ?? 8);
  if (bits === null)
    return t(
      "Positions in {0}: if this is bfloat16, {1} rounds to {2}, and larger positions collide more often.",
      name,
      first,
      first - 1,
    );
  return angles
    ? t(
        "Positions in {0}: {1} rounds to {2}. Both get the same angles, and larger positions collide more often.",
        name,
        first,
        first - 1,
      )
    : t(
        "Positions in {0}: {1} rounds to {2}. Both get the same bias, and larger positions collide more often.",
        name,
        first,
        first - 1,
      );
}

/** inv_freq.half(), inv_freq.to(torch.bfloat16), inv_freq.to(x.dtype). */
function frequenciesIn({ name, bits }: Format): string {
  const first = firstCollision(bits ?? 8);
  return bits === null
    ? t(
        "Inverse frequencies in {0}: if this is bfloat16, angles computed from them cannot distinguish positions {1} and {2}.",
        name,
        first,
        first - 1,
      )
    : t(
        "Inverse frequencies in {0}: angles computed in this dtype cannot distinguish positions {1} and {2}.",
        name,
        first,
        first - 1,
      );
}

/** The format that a call asks for, where it is a short one or that of activations. */
function typeOf({ call, name }: Cast): Format | null {
  const own = BITS.get(name);
  if (own !== undefined) return { name, bits: own };
  const args = positional(call);
  if (name === "type_as") return ofTensor(args[0]);
  const given = keywordArgument(call, "dtype") ?? (MAKERS.includes(name) ? undefined : args.find(isType));
  const format = given == null ? null : formatOf(given);
  // A maker's `dtype` that a parameter gives is most often float32.
  return MAKERS.includes(name) && given?.kind === "name" && format?.bits === null ? null : format;
}

function isType(expr: Expr): boolean {
  return formatOf(expr) !== null;
}

function formatOf(expr: Expr): Format | null {
  const name = expr.kind === "string" ? expr.value : (lastName(expr) ?? "");
  const bits = BITS.get(name);
  if (bits !== undefined) return { name, bits };
  if (expr.kind === "attribute" && name === "dtype") return ofTensor(expr.object);
  return expr.kind === "name" && name.endsWith("dtype") ? { name, bits: null } : null;
}

/** The format of activations, which may be short; that of a buffer of frequencies is what its maker chose. */
function ofTensor(tensor: Expr | undefined): Format | null {
  const name = tensor === undefined ? null : lastName(tensor);
  return name !== null && ACTIVATIONS.test(name) ? { name: `${name}.dtype`, bits: null } : null;
}

const ACTIVATIONS = /^(?:x|xq|xk|q|k|v|query|key|value|inputs?|hidden_states|inputs_embeds|query_states|key_states)$/;
