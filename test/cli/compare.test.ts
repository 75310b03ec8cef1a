import { describe, expect, test } from "vitest";
import { root } from "../../scripts/lib/bundles.ts";
import { posencIn } from "./support.ts";

const workspace = "test/fixtures/workspace";
const posenc = (...args: readonly string[]) => posencIn(root, ...args);

describe("posenc inspect, for people", () => {
  test("draws a character a layer, with what each kind is", () => {
    const { stdout, status } = posenc("inspect", `${workspace}/gemma-3-4b`);
    expect(status).toBe(0);
    expect(stdout).toContain("text, 34 layers  aaaaaBaaaaaBaaaaaBaaaaaBaaaaaBaaaa\n");
    expect(stdout).toContain("    a  RoPE · θ 1e4 · 131k · window 1024\n");
  });

  test("says with --runtimes what each reads, as a table and as JSON beside what is always there", () => {
    const { stdout } = posenc("inspect", `${workspace}/qwen2.5-7b-yarn`, "--runtimes");
    expect(stdout).toMatch(/^ {2}text +transformers 4\.x +transformers 5\.x +vLLM +SGLang +TGI +llama\.cpp +MLX-LM$/m);
    expect(stdout).toMatch(/^ {2}base θ +1000000 +1000000/m);
    const [entry] = JSON.parse(posenc("inspect", `${workspace}/qwen2.5-7b-yarn`, "--runtimes", "--json").stdout);
    expect(entry.runtimes[0].rows[0]).toMatchObject({ id: "rope_theta", cells: expect.any(Array) });
    const [plain] = JSON.parse(posenc("inspect", `${workspace}/qwen2.5-7b-yarn`, "--json").stdout);
    expect(Object.keys(plain)).toEqual(["file", "format", "model_type", "encodings", "diagnostics", "error"]);
  });
});

describe("posenc compare", () => {
  test("has a row for each difference, and says where scores diverge", () => {
    const { stdout, status } = posenc("compare", `${workspace}/qwen2.5-7b-yarn`, `${workspace}/llama-3.1-8b`);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^ {2}rope_theta +1000000 +500000 +scores for the same q and k$/m);
    expect(stdout).toMatch(/^ {2}scores diverge at distance \d+ \(scale, by \d+ % of the score spread\)$/m);
  });

  test("says in JSON the same, and never of a config and itself", () => {
    const same = JSON.parse(posenc("compare", `${workspace}/gemma-3-4b`, `${workspace}/gemma-3-4b`, "--json").stdout);
    expect(same.pairs.map((pair: { differences: unknown[] }) => pair.differences)).toEqual([[], [], []]);
    expect(same.pairs[0].divergence).toMatchObject({ kind: "never" });
    const other = JSON.parse(posenc("compare", `${workspace}/gpt2`, `${workspace}/llama-3.1-8b`, "--json").stdout);
    expect(other.pairs[0].divergence).toEqual({ kind: "incomparable", reason: "different encodings" });
  });

  test("ends with 2 where there is nothing to read", () => {
    expect(posenc("compare", `${workspace}/gpt2`, "nowhere").status).toBe(2);
    expect(posenc("compare", `${workspace}/gpt2`, `${workspace}/cut-off`).status).toBe(2);
    expect(posenc("compare", `${workspace}/gpt2`, `${workspace}/gpt2`, "--tolerance", "0").status).toBe(2);
  });
});

describe("posenc plan", () => {
  test("takes what it needs from a config", () => {
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

  test("or from the line, as text to paste", () => {
    const args = ["plan", "--target", "16384", "--trained", "4096", "--method", "yarn", "--format"];
    const four = posenc(...args, "v4").stdout;
    expect(JSON.parse(`{${four.slice(four.indexOf('"rope_theta"'))}}`)).toMatchObject({ rope_scaling: { factor: 4 } });
    expect(posenc(...args, "vllm").stdout).toContain("--max-model-len 16384");
    expect(posenc("plan", "--target", "16384", "--trained", "4096").stdout).toContain("YaRN  (yarn)");
  });

  test.each([
    ["no target", ["plan"]],
    ["a target that is no number", ["plan", "--target", "long", "--trained", "4096"]],
    ["no trained length", ["plan", "--target", "8192"]],
    ["a model that does not turn", ["plan", `${workspace}/gpt2`, "--target", "8192"]],
    ["a method that is not there", ["plan", "--target", "8192", "--trained", "4096", "--method", "pi"]],
    ["a form that is not there", ["plan", "--target", "8192", "--trained", "4096", "--format", "v6"]],
  ])("ends with 2 and words for %s", (_, args) => {
    const { status, stdout, stderr } = posenc(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).not.toContain("    at ");
    expect(stderr).not.toBe("");
  });
});
