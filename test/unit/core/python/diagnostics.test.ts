import { describe, expect, it } from "vitest";
import { findCodeDiagnostics } from "../../../../src/core/python/diagnostics/index.ts";
import { firstCollidingPosition } from "../../../../src/core/python/diagnostics/lowPrecision.ts";
import { createPythonDocument } from "../../../../src/core/python/document.ts";

const HALF = "def rotate_half(x):\n    x1, x2 = x.chunk(2, dim=-1)\n    return torch.cat((-x2, x1), dim=-1)\n";
const INTERLEAVED =
  "def rotate_pairs(x):\n    x1 = x[..., ::2]\n    x2 = x[..., 1::2]\n    return torch.stack((-x2, x1), -1).flatten(-2)\n";
const CACHE =
  "def rope_cache(n, d):\n    inv_freq = 1.0 / (10000 ** (torch.arange(0, d, 2) / d))\n    freqs = torch.outer(torch.arange(n), inv_freq)\n";

function diagnose(code: string): (readonly [string, number, string])[] {
  return findCodeDiagnostics(createPythonDocument(code)).map(
    (item) => [item.rule, item.range.start.line, item.message] as const,
  );
}

function rules(code: string): string[] {
  return diagnose(code).map(([rule]) => rule);
}

describe("the diagnostic of two layouts in one file", () => {
  it("appears at the second layout, with the permutation between them", () => {
    const [[rule, line, message] = ["", 0, ""]] = diagnose(HALF + INTERLEAVED);
    expect([rule, line]).toEqual(["code/two-layouts", 4]);
    expect(message).toContain("range(0, d, 2), *range(1, d, 2)");
  });

  it("is absent for one layout", () => {
    expect(rules(HALF)).toEqual([]);
    expect(rules(HALF + HALF.replace("rotate_half", "again"))).toEqual([]);
  });
});

describe("the diagnostic of angles doubled for the other layout", () => {
  const cat = `${CACHE}    emb = torch.cat((freqs, freqs), dim=-1)\n    return emb.cos(), emb.sin()\n`;

  it("appears for a mismatch", () => {
    expect(rules(cat + INTERLEAVED)).toEqual(["code/doubling-mismatch"]);
    expect(
      rules(cat.replace("torch.cat((freqs, freqs), dim=-1)", "freqs.repeat_interleave(2, dim=-1)") + HALF),
    ).toEqual(["code/doubling-mismatch"]);
  });

  it("is absent for a match", () => {
    expect(rules(cat + HALF)).toEqual([]);
    expect(
      rules(cat.replace("torch.cat((freqs, freqs), dim=-1)", "freqs.repeat_interleave(2, dim=-1)") + INTERLEAVED),
    ).toEqual([]);
  });
});

describe("the diagnostic of low precision", () => {
  it("names the first position that collides", () => {
    expect(firstCollidingPosition(8)).toBe(257);
    expect(firstCollidingPosition(11)).toBe(2049);
    expect(Math.fround(2 ** 24 + 1)).toBe(2 ** 24);
  });

  it.each([
    [`${CACHE.replace("torch.arange(n)", "torch.arange(n, dtype=torch.bfloat16)")}    return freqs.cos()\n`, "257"],
    [`${CACHE.replace("torch.arange(n)", "torch.arange(n, dtype=torch.float16)")}    return freqs.cos()\n`, "2049"],
    [`${CACHE}    inv_freq = inv_freq.half()\n    return freqs.cos()\n`, "2049"],
    [`${CACHE}    inv_freq = inv_freq.to(torch.bfloat16)\n    return freqs.cos()\n`, "257"],
    [`${CACHE}    inv_freq = inv_freq.to(x.dtype)\n    return freqs.cos()\n`, "257"],
  ])("appears for a 16-bit type", (code, position) => {
    const [[rule, , message] = ["", 0, ""]] = diagnose(code);
    expect(rule).toBe("code/low-precision-positions");
    expect(message).toContain(position);
  });

  const positions = (made: string) =>
    `${CACHE.replace("torch.arange(n)", "t")}    return freqs.cos()\n`.replace(
      "    freqs",
      `    t = ${made}\n    freqs`,
    );
  it.each([
    ["torch.arange(n).half()", "half", "2049"],
    ["torch.arange(n).to(torch.bfloat16)", "bfloat16", "257"],
    ["torch.arange(n).to(dtype=torch.float16)", "float16", "2049"],
    ["jnp.arange(n).astype(jnp.bfloat16)", "bfloat16", "257"],
    ["np.arange(n, dtype='float16')", "float16", "2049"],
    ["tf.cast(tf.range(n), tf.bfloat16)", "bfloat16", "257"],
    ["tf.range(n, dtype=tf.float16)", "float16", "2049"],
    ["torch.arange(258, dtype=torch.bfloat16)", "bfloat16", "257"],
    ["torch.arange(n, dtype=x.dtype)", "x.dtype: if this is bfloat16", "257"],
    ["torch.arange(n).type_as(hidden_states)", "hidden_states.dtype: if this is bfloat16", "257"],
    ["position_ids.half()", "half", "2049"],
  ])("appears for positions: %s", (made, name, position) => {
    const [[rule, line, message] = ["", 0, ""], ...more] = diagnose(positions(made));
    expect([rule, line]).toEqual(["code/low-precision-positions", 3]);
    expect(message).toContain(`Positions in ${name}`);
    expect(message).toContain(position);
    expect(more).toEqual([]);
  });

  it.each([
    ["self.register_buffer('inv_freq', inv_freq.half())", "2049"],
    ["self.inv_freq = nn.Buffer(inv_freq.to(torch.bfloat16))", "257"],
  ])("appears for a buffer: %s", (kept, position) => {
    const code = `class A(nn.Module):\n    def __init__(self, d):\n        inv_freq = 1.0 / (10000 ** (torch.arange(0, d, 2) / d))\n        ${kept}\n`;
    const [[rule, line, message] = ["", 0, ""]] = diagnose(code);
    expect([rule, line]).toEqual(["code/low-precision-positions", 4]);
    expect(message).toContain(`cannot distinguish positions ${position} and ${Number(position) - 1}`);
  });

  it("names the positions that a bias counts", () => {
    const alibi = (type: string) =>
      `def alibi(n, h):\n    slopes = 2 ** (-8 * torch.arange(1, h + 1) / h)\n    t = torch.arange(n, dtype=${type})\n    return slopes[:, None, None] * (t[None, :] - t[:, None])\n`;
    expect(diagnose(alibi("torch.bfloat16"))[0]?.[2]).toContain("the same bias");
    expect(diagnose(alibi("torch.float32"))).toEqual([]);
  });

  it.each([
    "torch.arange(n)",
    "torch.arange(n, dtype=torch.float32)",
    "torch.arange(257, dtype=torch.bfloat16)",
    "torch.arange(n, dtype=self.inv_freq.dtype)",
    "torch.arange(n, dtype=dtype)",
    "torch.arange(num_heads, dtype=torch.bfloat16)",
    "torch.arange(0, d, 2, dtype=torch.bfloat16)",
    "torch.arange(n).type_as(self.inv_freq)",
    "torch.arange(n).to(x.device)",
    "torch.arange(d // 2, dtype=x.dtype)",
  ])("is absent for positions in %s", (made) => {
    expect(diagnose(positions(made))).toEqual([]);
  });

  it.each([
    CACHE,
    `${CACHE}    inv_freq = inv_freq.to(x.device)\n`,
    `${CACHE}    inv_freq = inv_freq.to(torch.float32)\n`,
    "mask = torch.arange(10, dtype=torch.bfloat16)\nw = weight.half()\nmodel.to(torch.bfloat16)\n",
  ])("is absent elsewhere", (code) => {
    expect(rules(code)).toEqual([]);
  });
});

describe("the diagnostic of a silent fallback", () => {
  it("appears with key and value", () => {
    const [[rule, line, message] = ["", 0, ""]] = diagnose(
      'class A:\n    def f(self, config):\n        b = getattr(config, "rope_theta", 10000)\n',
    );
    expect([rule, line]).toEqual(["code/silent-fallback", 3]);
    expect(message).toContain("rope_theta");
    expect(message).toContain("10000");
  });

  it("is absent for None, other keys or a missing default", () => {
    expect(
      rules(
        'a = getattr(config, "rope_scaling", None)\nb = getattr(config, "use_cache", True)\nc = getattr(config, "rope_theta")\n',
      ),
    ).toEqual([]);
  });
});
