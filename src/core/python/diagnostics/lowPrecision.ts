import { t } from "@vscode/l10n";
import type { Scope } from "../model/module.ts";
import type { Code } from "../recognisers/code.ts";
import { byRole } from "../recognisers/structural.ts";
import { type Call, type Expr, keywordArgument, lastName, positional } from "../syntax/ast.ts";
import type { CodeDiagnostic, CodeRule } from "./diagnostic.ts";

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
  title: { en: "Positions or frequencies in 16 bits", zh: "用 16 位表示位置或频率" },
  rationale: {
    en: "bfloat16 has 8 significant bits, float16 has 11: whole positions above 256 and 2048 are rounded, and neighbours get the same angle. Angles belong in float32, whatever the model computes in.",
    zh: "bfloat16 只有 8 位有效位，float16 只有 11 位：超过 256 与 2048 的整数位置会被舍入，相邻位置得到相同的角度。无论模型用什么精度，角度都应以 float32 计算。",
  },
  reference: "https://arxiv.org/abs/2411.13476",
  find(document) {
    const { code } = document;
    const found: Omit<CodeDiagnostic, "rule" | "severity">[] = [];
    for (const name of ["arange", "range", "to", "half", "bfloat16", "astype", "type"]) {
      for (const { call, scope } of code.module.calls.get(name)) {
        const message =
          name === "arange" || name === "range" ? ofPositions(code, call, scope) : ofFrequencies(code, call, scope);
        if (message !== null) found.push({ message, range: document.range(call), related: [] });
      }
    }
    return found;
  },
};

/** arange(n, dtype=torch.bfloat16) in a function that computes angles. */
function ofPositions(code: Code, call: Call, scope: Scope): string | null {
  const dtype = keywordArgument(call, "dtype");
  const bits = dtype === null ? undefined : BITS.get(lastName(dtype) ?? "");
  const features = code.features(scope);
  const used =
    features.waves.size > 0 || features.frequencies.length > 0 || code.has(scope, / (?:inv_freq|freqs|angles) /);
  if (bits === undefined || !used) return null;
  return t(
    "Positions in {0}: {1} becomes {2}, so these two get the same angles, and ever more beyond.",
    lastName(dtype ?? call) ?? "",
    firstCollision(bits),
    firstCollision(bits) - 1,
  );
}

/** inv_freq.half(), inv_freq.to(torch.bfloat16), inv_freq.to(x.dtype). */
function ofFrequencies(code: Code, call: Call, scope: Scope): string | null {
  if (call.callee.kind !== "attribute") return null;
  const dtype = BITS.has(call.callee.name) ? call.callee.name : dtypeOf(call);
  if (dtype === null) return null;
  const role = code.roles.of(call.callee.object, scope);
  if (role?.kind !== "frequencies" || byRole(code, role, scope) === null) return null;
  const bits = BITS.get(dtype);
  if (bits !== undefined) return sameAngle(dtype, bits);
  return t(
    "Inverse frequencies in {0}: where that is bfloat16, angles computed from them cannot tell position {1} from {2}.",
    dtype,
    firstCollision(8),
    firstCollision(8) - 1,
  );
}

function sameAngle(dtype: string, bits: number): string {
  return t(
    "Inverse frequencies in {0}: angles computed from them in that type cannot tell position {1} from {2}.",
    dtype,
    firstCollision(bits),
    firstCollision(bits) - 1,
  );
}

/** The type that `.to(…)` asks for, where it is a short or an unknown one. */
function dtypeOf(call: Call): string | null {
  const given: Expr | null =
    keywordArgument(call, "dtype") ??
    positional(call).find((argument) => /dtype|float16|bfloat16|half/.test(lastName(argument) ?? "")) ??
    null;
  const name = given === null ? null : lastName(given);
  return name !== null && (BITS.has(name) || /dtype$/.test(name)) ? name : null;
}
