import { linear } from "../../terms/linear.ts";

/** FLOATER's dynamics p' = h(t, p) and their numerical integration. */

export interface FlowNetwork {
  readonly w1: readonly (readonly number[])[];
  readonly b1: readonly number[];
  readonly w2: readonly (readonly number[])[];
  readonly b2: readonly number[];
  readonly activation: "tanh" | "relu";
}

type Vector = readonly number[];

/**
 * h(t, p) = W2 [act(W1 [p; t] + b1); t] + b2: the time is appended to the input of both layers (xuanqing94/FLOATER
 * flow_funcs.py).
 */
export function evaluateFlow(flow: FlowNetwork, time: number, p: Vector): number[] {
  const hidden = linear(flow.w1, flow.b1, [...p, time]);
  for (let n = 0; n < hidden.length; n++) {
    const value = hidden[n] ?? 0;
    hidden[n] = flow.activation === "tanh" ? Math.tanh(value) : Math.max(value, 0);
  }
  hidden.push(time);
  return linear(flow.w2, flow.b2, hidden);
}

function addWeighted(p: Vector, ...terms: readonly (readonly [number, Vector])[]): number[] {
  const sum = [...p];
  for (const [factor, term] of terms) {
    for (let c = 0; c < sum.length; c++) sum[c] = (sum[c] ?? 0) + factor * (term[c] ?? 0);
  }
  return sum;
}

/** One integration step with its slopes k1 … k4. */
export interface FlowStep {
  readonly slopes: readonly (readonly number[])[];
  readonly result: readonly number[];
}

export type FlowMethod = "rk4" | "rk4_38";

/** Classical Runge–Kutta 4, or Kutta's 3/8 rule (torchdiffeq's method "rk4"). */
export function integrateStep(flow: FlowNetwork, method: FlowMethod, time: number, p: Vector, step: number): FlowStep {
  const h = (t: number, at: Vector) => evaluateFlow(flow, t, at);
  const k1 = h(time, p);
  if (method === "rk4") {
    const k2 = h(time + step / 2, addWeighted(p, [step / 2, k1]));
    const k3 = h(time + step / 2, addWeighted(p, [step / 2, k2]));
    const k4 = h(time + step, addWeighted(p, [step, k3]));
    return {
      slopes: [k1, k2, k3, k4],
      result: addWeighted(p, [step / 6, k1], [step / 3, k2], [step / 3, k3], [step / 6, k4]),
    };
  }
  const k2 = h(time + step / 3, addWeighted(p, [step / 3, k1]));
  const k3 = h(time + (2 * step) / 3, addWeighted(p, [-step / 3, k1], [step, k2]));
  const k4 = h(time + step, addWeighted(p, [step, k1], [-step, k2], [step, k3]));
  return {
    slopes: [k1, k2, k3, k4],
    result: addWeighted(p, [step / 8, k1], [(3 * step) / 8, k2], [(3 * step) / 8, k3], [step / 8, k4]),
  };
}

/** p at the end of one interval of length delta, in equal substeps. */
export function integrateInterval(
  flow: FlowNetwork,
  method: FlowMethod,
  start: number,
  delta: number,
  substeps: number,
  p: Vector,
): readonly number[] {
  const step = delta / substeps;
  let current: readonly number[] = p;
  for (let n = 0; n < substeps; n++) current = integrateStep(flow, method, start + n * step, current, step).result;
  return current;
}
