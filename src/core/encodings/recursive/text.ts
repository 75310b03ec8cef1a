import type { Explanation, Formula, Parameter } from "../encoding.ts";
import { TOKENS_UNIT } from "../support/parameters.ts";

export const recursiveFormulas = {
  floater: {
    id: "recursive_floater",
    tex: "\\begin{aligned}p(t_{n+1}) &= p(t_n) + \\int_{t_n}^{t_{n+1}} h(\\tau, p(\\tau))\\,d\\tau \\\\ h(t, p) &= W_2\\,[\\mathrm{act}(W_1 [p; t] + b_1); t] + b_2\\end{aligned}",
    text: "p(t_(n+1)) = p(t_n) + ∫ h(τ, p(τ)) dτ,  h(t, p) = W2 [act(W1 [p; t] + b1); t] + b2,  t_n = n · delta",
  },
  rnn: {
    id: "recursive_rnn",
    tex: "p_{n+1} = \\tanh(W p_n + b), \\qquad h_n = x_n + p_n",
    text: "p_(n+1) = tanh(W p_n + b),  h_n = x_n + p_n",
  },
} satisfies Record<string, Formula>;

const flowOnly: NonNullable<Parameter["when"]> = (params) => params.variant !== "rnn";

export const recursiveParameters: readonly Parameter[] = [
  {
    name: "variant",
    kind: "choice",
    default: "floater",
    choices: [
      { value: "floater", name: { en: "FLOATER (differential equation)", zh: "FLOATER（微分方程）" } },
      { value: "rnn", name: { en: "recurrent network", zh: "循环网络" } },
    ],
    help: { en: "How the next position is computed from the last.", zh: "由前一位置得到后一位置的方式。" },
  },
  {
    name: "method",
    kind: "choice",
    default: "rk4",
    choices: [
      { value: "rk4", name: { en: "classical Runge–Kutta 4", zh: "经典四阶龙格–库塔" } },
      { value: "rk4_38", name: { en: "3/8 rule (torchdiffeq's rk4)", zh: "3/8 法则（torchdiffeq 的 rk4）" } },
    ],
    help: { en: "Numerical integration method.", zh: "微分方程的数值积分方法。" },
    when: flowOnly,
  },
  {
    name: "delta",
    kind: "number",
    default: 0.1,
    above: 0,
    max: 10,
    slider: { min: 0.01, max: 1, scale: "log" },
    help: { en: "Time between consecutive positions.", zh: "相邻位置之间的时间间隔。" },
    when: flowOnly,
  },
  {
    name: "substeps_per_position",
    kind: "integer",
    default: 5,
    min: 1,
    max: 10_000,
    slider: { min: 1, max: 50, scale: "linear" },
    help: { en: "Integration steps per position.", zh: "每个位置的积分步数。" },
    when: flowOnly,
  },
  {
    name: "activation",
    kind: "choice",
    default: "tanh",
    choices: [
      { value: "tanh", name: { en: "tanh", zh: "tanh" } },
      { value: "relu", name: { en: "ReLU", zh: "ReLU" } },
    ],
    help: { en: "Activation between the two linear layers.", zh: "两个线性层之间的激活函数。" },
    when: flowOnly,
  },
  {
    name: "num_positions",
    unit: TOKENS_UNIT,
    aliases: ["max_position_embeddings"],
    kind: "integer",
    default: null,
    optional: true,
    min: 1,
    max: 65_536,
    help: {
      en: "Number of positions used in training. The recursion itself can continue.",
      zh: "训练时用到的位置数；递推本身可以继续。",
    },
  },
];

export const recursiveExplanation: Explanation = {
  summary: {
    en: "Each position's vector is computed from the one before, p_(n+1) = f(p_n): by a recurrent network before the Transformer, or by FLOATER's differential equation.",
    zh: "由一个规则从前一个位置推出后一个：p_(n+1) = f(p_n)。可以是 Transformer 之前的循环网络，也可以是 FLOATER 的微分方程。",
  },
  extrapolation: {
    en: "The rule can always be run one step further, so there is no last position. Whether the path stays in the range seen in training is another question.",
    zh: "规则总可以再走一步，因此没有表尾；但路径是否仍在模型见过的范围内，则是另一回事。",
  },
  strengths: {
    en: "Flexible and compact: a small network replaces a table and can extrapolate; the sinusoidal encoding is one of its solutions.",
    zh: "灵活而紧凑：用一个小网络代替整张表，并有外推能力；正弦编码就是它的一个特解。",
  },
  weaknesses: {
    en: "Costs parallelism: position n needs the n steps before it, and each integration step takes several evaluations.",
    zh: "牺牲了并行性：第 n 个位置要等前面 n 步。积分的每一步还要多次求值。",
  },
  pitfalls: {
    en: "torchdiffeq's method “rk4” is the 3/8 rule, not the classical one: the last digits differ. FLOATER adds p to q, k and v as biases in every layer, not only at the input, with delta 0.01. With ReLU the vector field has kinks, where fourth-order accuracy is lost.",
    zh: "torchdiffeq 的“rk4”其实是 3/8 法则，不是经典方法：末几位不同。FLOATER 在每一层把 p 作为 q、k、v 的偏置加入，而不只是在输入处，且 delta 为 0.01。使用 ReLU 时向量场有折点，四阶精度在那里失效。",
  },
  models: ["FLOATER (research)", "R-Transformer and other RNN-first models (research)"],
};
