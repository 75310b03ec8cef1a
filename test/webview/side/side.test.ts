import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type SideSetup, SideView } from "../../../scripts/lib/pages/sidePage.ts";
import type { ThemeName } from "../../../scripts/lib/pages/themes.ts";
import { root } from "../../../scripts/lib/root.ts";
import { readConfig } from "../../../src/core/config/readConfig.ts";
import { summarise } from "../../../src/core/config/report/summarise.ts";
import { buildRuntimeTables } from "../../../src/core/config/runtimes/index.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { checkParams, pickKnownParams } from "../../../src/core/encodings/support/schema.ts";
import { measureEncoding } from "../../../src/core/measure/measurements.ts";
import { type CodeSubject, type ConfigSubject, SIDE_PROTOCOL_VERSION } from "../../../src/core/protocol/side.ts";
import { eventually, usePage } from "../support/usePage.ts";

const side = usePage(new SideView(), "side");

const open = (setup: SideSetup) => side.open(setup);

/** As the host creates it from a file of the sample workspace. */
function subjectOf(model: string, change: (text: string) => string = (text) => text): ConfigSubject {
  const text = change(readFileSync(`${root}test/fixtures/workspace/${model}/config.json`, "utf8"));
  const reading = readConfig(text);
  const { specs, problems } = reading;
  return {
    kind: "config",
    uri: `file:///workspace/${model}/config.json`,
    title: `${model} / config.json`,
    summary: summarise(specs),
    version: 1,
    specs: [...specs],
    findings: problems.map(({ rule, severity, message, range }) => ({
      rule,
      severity,
      message,
      range,
      explained: true,
    })),
    rules: 60,
    runtimes: buildRuntimeTables(text, reading).map(({ spec, columns, rows }) => ({
      spec,
      columns: columns.map(({ name, version }) => ({ name, version })),
      rows: rows.map(({ name, cells }) => ({
        name: name.en,
        cells: cells.map(({ outcome, value, differs, note }) => ({
          outcome,
          value: Array.isArray(value) ? JSON.stringify(value) : (value as string | number | null),
          differs,
          note: note?.en ?? null,
        })),
      })),
    })),
  };
}

const CODE: CodeSubject = {
  kind: "code",
  uri: "file:///workspace/model.py",
  title: "model.py",
  heading: "ALiBi — slopes",
  summary: "A penalty that grows with the distance.",
  spec: {
    encoding: "alibi",
    where: "text",
    layers: "all",
    params: { num_heads: 16 },
    sources: { num_heads: "code" },
    evidence: [],
    confidence: "checked",
  },
  formula: { id: "alibi", text: "q·k − m_h (i − j)" },
  facts: [{ label: "heads", value: "16", note: "default argument" }],
  range: { start: { line: 12, column: 5 }, end: { line: 12, column: 11 } },
  at: "cursor",
  sites: [
    {
      name: "get_slopes",
      title: "ALiBi — slopes",
      range: { start: { line: 10, column: 5 }, end: { line: 10, column: 15 } },
    },
    { name: "Rotary", title: "RoPE", range: { start: { line: 40, column: 7 }, end: { line: 40, column: 13 } } },
  ],
  findings: [],
};

const figure = () => side.page.getByRole("figure").first();
const reading = () => side.page.getByRole("status", { name: "Readout" });
const heading = () => side.page.getByRole("heading", { level: 1 });

describe("the side view's page of a config", () => {
  it("draws a small matrix with encoding, view and shape as its name, and measurements", async () => {
    const subject = subjectOf("qwen2.5-7b-yarn");
    await open({ subject });
    await eventually(() => figure().getAttribute("aria-label")).toMatch(/^RoPE · YaRN ×4.*, Scores, 192 × 192$/);
    expect(await heading().textContent()).toBe(subject.summary);
    const encoding = encodingById("rope");
    const spec = subject.specs[0];
    if (encoding === undefined || spec === undefined) throw new Error("the sample workspace has it");
    const { params } = checkParams(encoding, pickKnownParams(encoding, spec.params));
    for (const { id, label, text } of measureEncoding(encoding, params)) {
      const entry = side.page.locator(".entry").filter({ has: side.page.locator("dt", { hasText: label }) });
      // The remaining effect of the shift is rounding, which differs between Chromium and Node.
      if (id === "shift_invariance")
        expect(Number(await entry.locator("dd").getAttribute("title"))).toBeLessThan(1e-12);
      else expect(await entry.locator("dd").textContent()).toBe(text);
    }
    expect(await side.page.locator(".entry").filter({ hasText: "longest wavelength" }).textContent()).toMatch(
      /× the training context/,
    );
  });

  it("reads cells by keyboard immediately: the diagonal has the largest logits, and masked cells are marked", async () => {
    await open({ subject: subjectOf("llama-3.1-8b") });
    const plot = side.page.getByRole("application", { name: "Matrix cells" });
    await plot.focus();
    await plot.press("ArrowUp");
    expect(await reading().textContent()).toMatch(/^query 95, key 48, distance 47: \d/);
    for (let n = 0; n < 6; n++) await plot.press("Shift+ArrowRight");
    expect(await reading().textContent()).toBe("query 95, key 108, distance −13: masked");
  });

  it("opens the panel by the button, by a click on the picture and by Enter", async () => {
    await open({ subject: subjectOf("llama-3.1-8b") });
    await side.page.getByRole("button", { name: "Open in Panel" }).click();
    const plot = side.page.getByRole("application", { name: "Matrix cells" });
    await plot.click();
    await plot.press("Enter");
    expect(await side.posted()).toEqual(Array(3).fill({ type: "openPanel", index: 0 }));
  });

  it("lists findings with severity, place and rule, and links to the place and the rule", async () => {
    const subject = subjectOf("my-finetune");
    const [finding] = subject.findings;
    if (finding === undefined) throw new Error("the fixture has a mistake");
    await open({ subject });
    const item = side.page.getByRole("listitem").filter({ hasText: finding.rule });
    expect(await item.getByRole("button").first().getAttribute("aria-label")).toMatch(/^Warning: .* — line \d+$/);
    await item.getByRole("button").first().click();
    await item.getByRole("button", { name: finding.rule }).click();
    expect(await side.posted()).toEqual([
      { type: "reveal", range: finding.range },
      { type: "openRule", rule: finding.rule },
    ]);
  });

  it("shows how many rules found nothing", async () => {
    await open({ subject: subjectOf("bert-base-uncased") });
    expect(await side.page.getByRole("region", { name: "Findings" }).textContent()).toContain(
      "none (60 rules checked)",
    );
  });

  it("lets the user select one of several encodings and keeps it for the file", async () => {
    const subject = subjectOf("gemma-3-4b");
    await open({ subject });
    const chooser = side.page.getByRole("combobox", { name: "Encoding of this model" });
    expect(await chooser.locator("option").allTextContents()).toEqual([
      "text · 29 layers · window 1024",
      "text · 5 layers",
      "vision",
    ]);
    await chooser.selectOption("text · 5 layers");
    await eventually(() => heading().textContent()).toMatch(/linear ×8/);
    await eventually(() => figure().getAttribute("aria-label")).toMatch(/linear ×8/);
    const saved = await side.state();
    await open({ subject, saved });
    expect(await heading().textContent()).toMatch(/linear ×8/);
    await side.send({ type: "show", subject: subjectOf("gpt2"), current: true, problem: null });
    await eventually(() => heading().textContent()).toBe("learned · 1024 positions");
  });

  it("has a cell per layer with a description by pointer and keyboard, which selects its encoding", async () => {
    await open({ subject: subjectOf("gemma-3-4b") });
    const strip = side.page.getByRole("listbox", { name: "Layers of text: 34 · 29 sliding, 5 full" });
    const cells = strip.getByRole("option");
    expect(await cells.count()).toBe(34);
    const told = side.page.getByRole("region", { name: "Layers of text" }).locator(".caption");
    expect(await told.textContent()).toBe("layer 0 · RoPE · θ 1e4 · 131k · window 1024");
    await cells.nth(17).hover();
    await eventually(() => told.textContent()).toMatch(/^layer 17 · RoPE · linear ×8/);
    await side.page.mouse.move(0, 0);
    await strip.focus();
    for (let n = 0; n < 5; n++) await strip.press("ArrowRight");
    const active = await strip.getAttribute("aria-activedescendant");
    expect(await side.page.locator(`#${active}`).getAttribute("aria-label")).toMatch(/^layer 5 · RoPE · linear ×8/);
    await strip.press("Enter");
    await eventually(() => heading().textContent()).toMatch(/linear ×8/);
    expect(await cells.nth(5).getAttribute("aria-selected")).toBe("true");
    await strip.press("End");
    await eventually(() => told.textContent()).toMatch(/^layer 33/);
  });

  it("merges equal adjacent layers of a deep model into one cell", async () => {
    const subject = subjectOf("gemma-3-4b", (text) =>
      text.replace('"num_hidden_layers": 34', '"num_hidden_layers": 120'),
    );
    await open({ subject });
    const cells = side.page.getByRole("listbox").getByRole("option");
    expect(await cells.count()).toBe(40);
    expect(await cells.first().getAttribute("aria-label")).toMatch(/^layers 0–4 ·/);
  });

  it("shows runtime values, marks different ones with a reason, and labels unknown ones", async () => {
    await open({ subject: subjectOf("my-finetune"), width: 300 });
    const summary = side.page.locator("summary").filter({ hasText: "Effective values by runtime" });
    expect(await summary.textContent()).toMatch(/\d+ differ/);
    await summary.click();
    const table = side.page.getByRole("table", { name: "Effective values by runtime" });
    expect(await table.locator("tr").filter({ hasText: "base θ" }).textContent()).toMatch(/1.000.000\s*all/);
    const mlx = table.locator("tr.differs").filter({ hasText: "MLX-LM" });
    expect(await mlx.first().textContent()).toContain("4096");
    const tgi = table.locator("tr.refused");
    expect(await tgi.textContent()).toMatch(/rejected\s*TGI\s*raises KeyError/);
    expect(await table.locator("tr.unknown").count()).toBeGreaterThan(0);
    expect(await table.locator("tr.unknown.differs").count()).toBe(0);
    const wide = await side.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });

  it("shows both truths of a value, and compares any two readings in the panel", async () => {
    const subject = subjectOf("llama-3.1-8b", (text) => text.replace("{", '{ "partial_rotary_factor": 0.5,'));
    const [spec] = subject.specs;
    if (spec === undefined) throw new Error("the fixture has an encoding");
    const partial = { ...spec, runs: { "transformers 5.18": { rotary_dim: 128 }, vLLM: { rope_theta: 10000 } } };
    await open({ subject: { ...subject, specs: [{ ...partial, params: { ...spec.params, rotary_dim: 64 } }] } });
    await side.page
      .locator("summary")
      .filter({ hasText: /^Values/ })
      .click();
    const entry = side.page.locator(".entry").filter({ hasText: "rotary_dim" });
    await eventually(() => entry.locator(".run").textContent()).toBe("transformers 5.18: 128");
    const summary = side.page.locator("summary").filter({ hasText: "Effective values by runtime" });
    await summary.click();
    const button = side.page.getByRole("button", { name: "Compare in Panel" });
    await button.click();
    await side.page.getByRole("combobox", { name: "first reading" }).selectOption("transformers 5.18");
    await side.page.getByRole("combobox", { name: "second reading" }).selectOption("vLLM");
    await button.click();
    expect(await side.posted()).toEqual([
      { type: "compareRuns", index: 0, a: null, b: "transformers 5.18" },
      { type: "compareRuns", index: 0, a: "transformers 5.18", b: "vLLM" },
    ]);
  });

  it("shows every value with its source and links its name to its place", async () => {
    const subject = subjectOf("qwen2.5-7b-yarn");
    await open({ subject });
    await side.page.getByText("Values", { exact: true }).click();
    const row = side.page.locator(".entry").filter({ has: side.page.getByRole("button", { name: "rope_theta" }) });
    expect(await row.textContent()).toMatch(/rope_theta\s*config\s*1.000.000/);
    await row.getByRole("button").click();
    const range = subject.specs[0]?.evidence.find(({ param }) => param === "rope_theta")?.range;
    expect(await side.posted()).toEqual([{ type: "reveal", range }]);
    expect(await side.state()).toMatchObject({ toggled: ["values"] });
  });

  it("follows updates, marks content that is not current, and reports what cannot be read", async () => {
    await open({ subject: subjectOf("llama-3.1-8b") });
    await eventually(() => figure().getAttribute("aria-busy")).toBe("false");
    const before = await figure().screenshot();
    const subject = subjectOf("llama-3.1-8b", (text) => text.replace("500000.0", "100.0"));
    await side.send({ type: "show", subject, current: true, problem: null });
    await eventually(() => heading().textContent()).toContain("θ 100");
    await eventually(async () => (await figure().screenshot()).equals(before)).toBe(false);
    expect(await side.page.getByRole("alert").count()).toBe(0);
    await side.send({ type: "show", subject, current: false, problem: "not now" });
    await side.page.getByRole("alert").filter({ hasText: "not now" }).waitFor();
    await side.page.getByText("Last shown: llama-3.1-8b / config.json").waitFor();
    await side.page.getByRole("button", { name: "Return to file" }).click();
    expect(await side.posted()).toMatchObject([{ type: "reveal" }]);
  });

  it("names the value that prevents the picture", async () => {
    const subject = subjectOf("llama-3.1-8b");
    const specs = subject.specs.map((spec) => ({ ...spec, params: { ...spec.params, rotary_dim: 127 } }));
    await open({ subject: { ...subject, specs } });
    await side.page.getByText(/^Cannot draw this encoding: .*127/).waitFor();
    expect(await side.page.getByRole("figure").count()).toBe(0);
  });

  it("uses a colour map that contrasts with the theme, also after a theme change", async () => {
    await open({ subject: subjectOf("llama-3.1-8b") });
    await eventually(() => figure().getAttribute("aria-busy")).toBe("false");
    const map = () => figure().locator("canvas").getAttribute("data-map");
    expect(await map()).toBe("viridis");
    await side.setTheme("light");
    await eventually(map).toBe("viridisReversed");
  });
});

describe("the planner on the side view's page", () => {
  const subject = () => subjectOf("qwen2.5-7b-yarn");
  const planner = () => side.page.locator(".plan");
  const field = (name: string) => side.page.getByRole("textbox", { name });
  const way = (name: RegExp) => side.page.getByRole("radio", { name });

  async function openPlanner(setup: SideSetup = {}): Promise<void> {
    await open({ subject: subject(), plan: true, ...setup });
    await planner().waitFor();
  }

  it("is opened by the command with the focus in the target context, also before the page exists", async () => {
    await openPlanner();
    await eventually(() => field("target context").evaluate((input) => input === document.activeElement)).toBe(true);
    await open({ subject: null });
    await side.send({ type: "plan" });
    await side.send({ type: "show", subject: subject(), current: true, problem: null });
    await eventually(() => field("target context").evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it("starts with the lengths of the config, accepts common notations, and refuses invalid lengths", async () => {
    await openPlanner();
    const digits = async (name: string) => (await field(name).inputValue()).replace(/\D/g, "");
    expect([await digits("training context"), await digits("target context")]).toEqual(["32768", "131072"]);
    await field("target context").fill("256k");
    await field("target context").press("Enter");
    await eventually(() => digits("target context")).toBe("262144");
    await side.page.getByRole("button", { name: "×2" }).click();
    await eventually(() => digits("target context")).toBe("65536");
    await field("target context").fill("long");
    await field("target context").press("Enter");
    expect(await field("target context").getAttribute("aria-invalid")).toBe("true");
    expect(await side.state()).toMatchObject({ plan: { target: 65_536 } });
  });

  it("shows the effect of each method on the pairs, readable by keyboard", async () => {
    await openPlanner();
    expect(await side.page.getByRole("radiogroup").getByRole("radio").count()).toBe(6);
    expect(await way(/^YaRN/).isChecked()).toBe(true);
    // Qwen2.5: 64 pairs, base 1e6, 32768 → 131072: pairs 40 … 63 had no full rotation, and linear divides all by 4.
    await way(/^Linear/).check();
    const plot = side.page.getByRole("figure", { name: "Linear (position interpolation), Frequencies, 64 pairs" });
    const pairs = plot.getByRole("application", { name: "Pairs of one head" });
    await pairs.focus();
    for (let n = 0; n < 5; n++) await pairs.press("Shift+ArrowRight");
    const told = side.page.getByRole("status", { name: "Readout" }).last();
    expect(await told.textContent()).toMatch(/^pair 63: wavelength .* → .* tokens, ÷ 4$/);
    const unseen = (name: string) =>
      side.page.locator("label.way").filter({ hasText: name }).locator(".unseen").textContent();
    // A larger base divides the slowest pair by 4 and others by less: 23 of them reach unseen angles.
    expect([await unseen("Linear"), await unseen("NTK-aware"), await unseen("YaRN")]).toEqual(["0", "23", "0"]);
    await field("target context").fill("32768");
    await field("target context").press("Enter");
    await eventually(() => unseen("NTK-aware")).toBe("0");
  });

  it("copies the plan in the syntax of each runtime, or reports that a runtime does not support it", async () => {
    await openPlanner({ results: { copyText: { ok: true, value: {} } } });
    const written = side.page.getByRole("combobox", { name: "Output format" });
    await side.page.getByRole("button", { name: "Copy" }).click();
    await side.page.getByText("Copied.").waitFor();
    await written.selectOption({ index: 2 });
    await eventually(() => side.page.locator("pre").textContent()).toMatch(/^--hf-overrides '.*"factor":4/);
    await written.selectOption({ index: 3 });
    await eventually(() => side.page.locator("pre").textContent()).toContain("--yarn-orig-ctx 32768");
    await side.page.getByRole("button", { name: "Copy" }).click();
    const copied = async () =>
      (await side.posted()).filter(({ name }) => name === "copyText").map(({ argument }) => JSON.stringify(argument));
    await eventually(async () => (await copied()).length).toBe(2);
    expect((await copied())[0]).toContain("rope_parameters");
    expect((await copied())[1]).toContain("--rope-scaling yarn --rope-scale 4");
    await way(/^Llama 3/).check();
    await side.page.getByText(/^llama\.cpp reads this scaling from tensors/).waitFor();
    expect(await side.page.getByRole("button", { name: "Copy" }).count()).toBe(0);
  });

  it("requests to write the plan into the version it was made from, and shows the result", async () => {
    const left = [{ param: "factor", reason: "it is computed" }];
    await openPlanner({ results: { writeBack: { ok: true, value: { written: true, left } } } });
    await way(/^NTK/).check();
    await side.page.getByRole("button", { name: "Write to config" }).click();
    await side.page
      .getByText("Written to qwen2.5-7b-yarn / config.json. Use Undo to revert. Not written: factor (it is computed).")
      .waitFor();
    const asked = (await side.posted()).find(({ name }) => name === "writeBack");
    expect(asked?.argument).toMatchObject({ uri: subject().uri, index: 0, version: 1 });
    expect(asked?.argument).toMatchObject({
      wanted: {
        rope_type: "default",
        factor: null,
        original_max_position_embeddings: null,
        max_position_embeddings: 131_072,
      },
    });
    const rope_theta = expect.closeTo(1e6 * 4 ** (128 / 126), 3);
    expect(asked?.argument).toMatchObject({ wanted: { rope_theta } });
    // The panel receives only the differences, without the file's own base and lengths.
    await way(/^YaRN/).check();
    await field("target context").fill("256k");
    await field("target context").press("Enter");
    await side.page.getByRole("button", { name: "Compare in Panel" }).click();
    await eventually(async () => (await side.posted()).find(({ type }) => type === "openPanel")).toEqual({
      type: "openPanel",
      index: 0,
      planned: { factor: 8, max_position_embeddings: 262_144 },
    });
  });

  it("shows why nothing was written", async () => {
    await openPlanner({ results: { writeBack: { ok: false, error: "The config has changed and was reloaded." } } });
    await side.page.getByRole("button", { name: "Write to config" }).click();
    await side.page.getByRole("alert").filter({ hasText: "changed and was reloaded" }).waitFor();
    await way(/^Linear/).check();
    await eventually(() => side.page.getByRole("alert").count()).toBe(0);
  });

  it("is not available for encodings without a base", async () => {
    await open({ subject: subjectOf("bloom-560m") });
    await side.page.getByText("Plan longer context").click();
    await side.page.getByText(/^Plans require RoPE/).waitFor();
  });

  it.each(["dark", "light", "hc-black", "hc-light"] as const)("fits 200 pixels in %s", async (theme) => {
    await openPlanner({ theme, width: 200 });
    const wide = await side.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });
});

describe("the side view's page of code", () => {
  it("shows the assumed training context if the code has none", async () => {
    const spec = { ...CODE.spec, encoding: "rope", params: { rope_theta: 1e6, head_dim: 64 } };
    await open({ subject: { ...CODE, spec } });
    await side.page.getByText("assuming a training context of 4096 tokens, which is not set in the file").waitFor();
    await side.send({ type: "show", subject: subjectOf("llama-3.1-8b"), current: true, problem: null });
    await eventually(() => side.page.getByText("which is not set in the file").count()).toBe(0);
  });

  it("shows another file from its top", async () => {
    await open({ subject: subjectOf("qwen2.5-7b-yarn"), height: 400 });
    await side.page.getByText("Plan longer context").click();
    await side.page.evaluate(() => window.scrollTo(0, 300));
    await side.send({ type: "show", subject: CODE, current: true, problem: null });
    await eventually(() => side.page.evaluate(() => window.scrollY)).toBe(0);
  });

  it("shows heading, formula, values with sources, and the other encodings of the file", async () => {
    await open({ subject: CODE });
    expect(await heading().textContent()).toBe("ALiBi — slopes");
    await side.page.locator("posenc-formula math").first().waitFor();
    expect(await side.page.getByRole("region", { name: "Values" }).textContent()).toMatch(
      /heads\s*default argument\s*16/,
    );
    const sites = side.page.getByRole("region", { name: "In this file" }).getByRole("button");
    expect(await sites.first().getAttribute("aria-current")).toBe("true");
    await sites.nth(1).click();
    expect(await side.posted()).toEqual([{ type: "reveal", range: CODE.sites[1]?.range }]);
    await eventually(() => figure().getAttribute("aria-label")).toMatch(/^ALiBi · 16 heads, Bias/);
    // Places in a notebook are places in its cells.
    const cells = [3, 5].map((number) => ({ uri: `vscode-notebook-cell:/n.ipynb#${number}`, number }));
    const placed = CODE.sites.map((one, index) => ({ ...one, cell: cells[index] ?? { uri: "", number: 0 } }));
    const subject = { ...CODE, sites: placed, cell: { uri: "", number: 4 } };
    await side.send({ type: "show", subject, current: true, problem: null });
    await side.page.getByRole("button", { name: `cell 4, line ${CODE.range.start.line}` }).waitFor();
    expect(await sites.first().getAttribute("aria-current")).toBe("true");
    await sites.nth(1).click();
    expect((await side.posted()).at(-1)).toEqual({ type: "reveal", range: CODE.sites[1]?.range, cell: cells[1]?.uri });
  });
});

describe("the side view's page", () => {
  it("shows what to do before there is content", async () => {
    await open({ subject: null, current: false });
    await side.page.getByText(/^Open a model config, or Python code/).waitFor();
    await side.page.getByRole("button", { name: "Choose a config…" }).click();
    expect(await side.posted()).toEqual([{ type: "run", command: "previewConfig" }]);
  });

  it("asks for a reload if the host has another version", async () => {
    await open({ subject: null, protocol: SIDE_PROTOCOL_VERSION + 1 });
    await side.page.getByRole("alert").filter({ hasText: "Reload" }).waitFor();
  });

  it("starts with defaults if the stored state is invalid", async () => {
    await open({ subject: CODE, saved: { version: 1, chosen: "x" } });
    await heading().waitFor();
  });

  it("is in Chinese with that language", async () => {
    await open({ subject: null });
    await side.send({
      type: "show",
      language: "zh-cn",
      subject: subjectOf("gemma-3-4b"),
      current: true,
      problem: null,
    });
    await side.page.getByRole("region", { name: "发现" }).waitFor();
    expect(await side.page.locator("html").getAttribute("lang")).toBe("zh-Hans");
    await side.send({ type: "language", language: "en" });
    await side.page.getByRole("region", { name: "Findings" }).waitFor();
  });

  it.each(
    (["dark", "light", "hc-black", "hc-light"] satisfies ThemeName[]).flatMap((theme) =>
      [200, 300, 500].map((width) => ({ theme, width })),
    ),
  )("fits $width pixels in $theme without sideways clipping", async ({ theme, width }) => {
    await open({ subject: subjectOf("gemma-3-4b"), theme, width });
    await eventually(() => figure().getAttribute("aria-busy")).toBe("false");
    await side.page.getByText("Values", { exact: true }).click();
    const wide = await side.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
  });

  it("is fully usable by keyboard", async () => {
    await open({ subject: subjectOf("my-finetune") });
    await eventually(() => figure().getAttribute("aria-busy")).toBe("false");
    const stops: string[] = [];
    for (let n = 0; n < 8; n++) {
      await side.page.keyboard.press("Tab");
      stops.push(
        await side.page.evaluate(
          () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim() ?? "",
        ),
      );
    }
    expect(stops).toContain("Matrix cells");
    expect(stops).toContain("Open in Panel");
    expect(stops.some((stop) => stop.startsWith("Warning: "))).toBe(true);
    expect(stops.some((stop) => stop.startsWith("Values"))).toBe(true);
  });
});
