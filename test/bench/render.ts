import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { type Case, median, plain } from "../../scripts/lib/bench/case.ts";
import { launchChromium } from "../../scripts/lib/chromium.ts";
import { bundlePage } from "../../scripts/lib/pages/bundlePage.ts";
import type { Leg, RenderBench, View } from "./support/renderPage.ts";

declare global {
  interface Window {
    renderBench: RenderBench;
  }
}

const COUNTS = { warm: 4, runs: 21 };

const view = (encoding: View["encoding"], content: View["content"], rest: Partial<View> = {}): View => ({
  encoding,
  content,
  length: 1024,
  domain: null,
  mask: {},
  ...rest,
});

/** The legs of a page alternate; the names are those of the cases. */
const LEGS = {
  matMul: { of: "matMul" },
  naive: { of: "naive", view: view("rope", "random", { domain: [-4, 4] }) },
  "RoPE, equal content": { of: "view", view: view("rope", "ones") },
  "ALiBi, equal content, causal": { of: "view", view: view("alibi", "ones", { mask: { causal: true } }) },
  "T5, equal content": { of: "view", view: view("t5_bias", "ones") },
  "RoPE, random content": { of: "view", view: view("rope", "random", { domain: [-4, 4] }) },
  "RoPE, random content, domain from the cells": { of: "view", view: view("rope", "random") },
  "RoPE, random content, causal": {
    of: "view",
    view: view("rope", "random", { domain: [-4, 4], mask: { causal: true } }),
  },
  "RoPE, random content, causal, domain from the cells": {
    of: "view",
    view: view("rope", "random", { mask: { causal: true } }),
  },
} as const satisfies Record<string, Leg>;

type LegName = keyof typeof LEGS;
const PROFILES = ["RoPE, equal content", "ALiBi, equal content, causal", "T5, equal content"] as const;
const PRODUCTS = [
  "RoPE, random content",
  "RoPE, random content, domain from the cells",
  "RoPE, random content, causal",
  "RoPE, random content, causal, domain from the cells",
] as const;

const LENGTHS = { "1k": 1024, "32k": 32_768, "1M": 1_048_576, "10M": 10_000_000 } as const;

async function run(page: Page, legs: readonly Leg[]): Promise<number[]> {
  const times = await page.evaluate(([l, counts]) => window.renderBench.run(l, counts), [legs, COUNTS] as const);
  return times.map(median);
}

function caseAgainst(
  name: string,
  value: number,
  [against, base]: [string, number],
  target: string,
  holds: boolean,
): Case {
  return { name, value, unit: "ms", against, ratio: value / base, target, holds };
}

async function views(page: Page, renderer: string): Promise<Case[]> {
  const names = Object.keys(LEGS).filter((name): name is LegName => name in LEGS);
  const medians = await run(
    page,
    names.map((name) => LEGS[name]),
  );
  const of = (name: LegName) => medians[names.indexOf(name)] ?? Number.NaN;
  return [
    plain(`bare tf.matMul, 1024 × 128 × 1024 (${renderer})`, of("matMul"), "ms"),
    plain("naive tfjs: matMul, data(), putImageData", of("naive"), "ms"),
    ...PROFILES.map((name) =>
      caseAgainst(name, of(name), ["naive tfjs", of("naive")], "≤ 1/15 × naive tfjs", of(name) * 15 <= of("naive")),
    ),
    ...PRODUCTS.map((name) =>
      caseAgainst(name, of(name), ["bare tf.matMul", of("matMul")], "≤ 1.0 × bare tf.matMul", of(name) <= of("matMul")),
    ),
  ];
}

/** The same view of increasing sequence lengths. */
async function lengths(page: Page): Promise<Case[]> {
  const cases: Case[] = [];
  for (const content of ["ones", "random"] as const) {
    const names = Object.keys(LENGTHS).filter((name): name is keyof typeof LENGTHS => name in LENGTHS);
    const domain: [number, number] | null = content === "random" ? [-4, 4] : null;
    const medians = await run(
      page,
      names.map((name) => ({ of: "view", view: view("rope", content, { length: LENGTHS[name], domain }) })),
    );
    const [first = Number.NaN] = medians;
    const title = content === "ones" ? "RoPE, equal content" : "RoPE, random content";
    names.forEach((name, n) => {
      const value = medians[n] ?? Number.NaN;
      cases.push(
        caseAgainst(
          `${title}, context ${name}`,
          value,
          ["context 1k", first],
          "≤ 1.2 × context 1k",
          value <= 1.2 * first,
        ),
      );
    });
  }
  return cases;
}

/** The same picture with torch and matplotlib, if Python has them. */
const PYTHON = `
import time, statistics, sys
import torch, matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
torch.manual_seed(7)
q, k = torch.randn(1024, 128), torch.randn(1024, 128)
figure = plt.figure(figsize=(10.24, 10.24), dpi=100)
axes = figure.add_axes((0, 0, 1, 1))
def draw(base):
    angles = torch.outer(torch.arange(1024.0), base ** (-torch.arange(0, 128, 2) / 128))
    cos, sin = torch.cat((angles, angles), 1).cos(), torch.cat((angles, angles), 1).sin()
    turn = lambda x: x * cos + torch.cat((-x[:, 64:], x[:, :64]), 1) * sin
    axes.clear()
    axes.imshow((turn(q) @ turn(k).T / 128 ** 0.5).numpy(), interpolation="nearest")
    figure.canvas.draw()
times = []
for n in range(25):
    began = time.perf_counter()
    draw(10000.0 + 100 * n)
    times.append((time.perf_counter() - began) * 1000)
print(statistics.median(times[4:]))
`;

/** The Python of POSENC_PYTHON must have them; a default Python may. */
async function python(): Promise<Case[]> {
  const given = process.env["POSENC_PYTHON"];
  if (given !== undefined) return pythonCase(await runPython(given));
  for (const command of ["python3", "python"]) {
    const made = await runPython(command).catch(() => null);
    if (made !== null) return pythonCase(made);
  }
  return [];
}

async function runPython(command: string): Promise<number> {
  return Number((await promisify(execFile)(command, ["-c", PYTHON])).stdout);
}

function pythonCase(milliseconds: number): Case[] {
  return [plain("Python: torch and matplotlib, the same picture", milliseconds, "ms")];
}

/** Change of base → pixels at 1024 × 1024, 128 dimensions a head. */
export default async function render(): Promise<readonly Case[]> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 1100 } });
    await page.setContent("<!doctype html><body></body>");
    await page.addScriptTag({ content: await bundlePage("test/bench/support/renderPage.ts", { minify: true }) });
    const renderer = await page.evaluate(() => window.renderBench.renderer());
    return [...(await views(page, renderer)), ...(await lengths(page)), ...(await python())];
  } finally {
    await browser.close();
  }
}
