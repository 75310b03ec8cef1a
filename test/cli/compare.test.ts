import { describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/root.ts";
import { posencIn } from "./support.ts";

const workspace = "test/fixtures/workspace";
const posenc = (...args: readonly string[]) => posencIn(root, ...args);

describe("posenc inspect", () => {
  test("draws one character per layer, with a legend", () => {
    const { stdout, status } = posenc("inspect", `${workspace}/gemma-3-4b`);
    expect(status).toBe(0);
    expect(stdout).toContain("text, 34 layers  aaaaaBaaaaaBaaaaaBaaaaaBaaaaaBaaaa\n");
    expect(stdout).toContain("    a  RoPE · θ 1e4 · 131k · window 1024\n");
  });

  test("adds the values of each runtime with --runtimes, as a table and in JSON", () => {
    const { stdout } = posenc("inspect", `${workspace}/qwen2.5-7b-yarn`, "--runtimes");
    expect(stdout).toMatch(/^ {2}text +transformers 4\.x +transformers 5\.x +vLLM +SGLang +TGI +llama\.cpp +MLX-LM$/m);
    expect(stdout).toMatch(/^ {2}base θ +1000000 +1000000/m);
    const [entry] = JSON.parse(posenc("inspect", `${workspace}/qwen2.5-7b-yarn`, "--runtimes", "--json").stdout);
    expect(entry.runtimes[0].rows[0]).toMatchObject({ id: "rope_theta", cells: expect.any(Array) });
    const [plain] = JSON.parse(posenc("inspect", `${workspace}/qwen2.5-7b-yarn`, "--json").stdout);
    expect(Object.keys(plain)).toEqual([
      "file",
      "format",
      "model_type",
      "encodings",
      "diagnostics",
      "ignored",
      "error",
    ]);
  });
});

describe("posenc compare", () => {
  test("prints one row per difference and the distance at which the scores diverge", () => {
    const { stdout, status } = posenc("compare", `${workspace}/qwen2.5-7b-yarn`, `${workspace}/llama-3.1-8b`);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}rope_theta +1000000 +500000 +scores for the same q and k$/m);
    expect(stdout).toMatch(/^ {2}scores diverge at distance \d+ \(scale, by \d+ % of the score spread\)$/m);
  });

  test("reports differences in JSON, and no divergence between a config and itself", () => {
    const same = JSON.parse(posenc("compare", `${workspace}/gemma-3-4b`, `${workspace}/gemma-3-4b`, "--json").stdout);
    expect(same.pairs.map((pair: { differences: unknown[] }) => pair.differences)).toEqual([[], [], []]);
    expect(same.pairs[0].divergence).toMatchObject({ kind: "never" });
    const other = JSON.parse(posenc("compare", `${workspace}/gpt2`, `${workspace}/llama-3.1-8b`, "--json").stdout);
    expect(other.pairs[0].divergence).toEqual({ kind: "incomparable", reason: "different encodings" });
  });

  test("exits with 2 if a file cannot be read or the tolerance is not positive", () => {
    expect(posenc("compare", `${workspace}/gpt2`, "nowhere").status).toBe(2);
    expect(posenc("compare", `${workspace}/gpt2`, `${workspace}/cut-off`).status).toBe(2);
    expect(posenc("compare", `${workspace}/gpt2`, `${workspace}/gpt2`, "--tolerance", "0").status).toBe(2);
  });
});

describe("posenc plan", () => {
  test("takes the parameters of the model from a config", () => {
    const plans = JSON.parse(posenc("plan", `${workspace}/qwen2.5-7b-yarn`, "--target", "131072", "--json").stdout);
    expect(plans.map(({ method }: { method: string }) => method)).toEqual([
      "linear",
      "ntk",
      "dynamic",
      "yarn",
      "llama3",
      "longrope",
    ]);
    const yarn = plans.find(({ method }: { method: string }) => method === "yarn");
    expect(yarn).toMatchObject({
      rope_parameters: { factor: 4, original_max_position_embeddings: 32_768, rope_theta: 1_000_000 },
      max_position_embeddings: 131_072,
    });
    expect(yarn.texts["llama.cpp"]).toContain("--rope-scaling yarn --rope-scale 4");
  });

  test("takes the lengths from the command line and prints text to paste", () => {
    const args = ["plan", "--target", "16384", "--trained", "4096", "--method", "yarn", "--format"];
    const four = posenc(...args, "v4").stdout;
    expect(JSON.parse(`{${four.slice(four.indexOf('"rope_theta"'))}}`)).toMatchObject({ rope_scaling: { factor: 4 } });
    expect(posenc(...args, "vllm").stdout).toContain("--max-model-len 16384");
    expect(posenc("plan", "--target", "16384", "--trained", "4096").stdout).toContain("YaRN  (yarn)");
  });

  test.each([
    ["no target", ["plan"]],
    ["an invalid target", ["plan", "--target", "long", "--trained", "4096"]],
    ["no training context", ["plan", "--target", "8192"]],
    ["a model without rotation", ["plan", `${workspace}/gpt2`, "--target", "8192"]],
    ["an unknown method", ["plan", "--target", "8192", "--trained", "4096", "--method", "pi"]],
    ["an unknown format", ["plan", "--target", "8192", "--trained", "4096", "--format", "v6"]],
  ])("exits with 2 and an error message for %s", (_, args) => {
    const { status, stdout, stderr } = posenc(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).not.toContain("    at ");
    expect(stderr).not.toBe("");
  });
});
