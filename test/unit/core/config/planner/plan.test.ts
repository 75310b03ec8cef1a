import { describe, expect, it } from "vitest";
import { computeWriteBack } from "../../../../../src/core/config/edit/writeBack.ts";
import { type ContextPlan, type PlanMethod, planLongerContext } from "../../../../../src/core/config/planner/plan.ts";
import { formatPlan, PLAN_FORMATS } from "../../../../../src/core/config/planner/planText.ts";
import { readConfig } from "../../../../../src/core/config/readConfig.ts";
import { inverseFrequencies } from "../../../../../src/core/encodings/rope/frequencies.ts";
import { rope } from "../../../../../src/core/encodings/rope/rope.ts";
import { checkParams, pickKnownParams, requireParams } from "../../../../../src/core/encodings/support/schema.ts";

const input = { targetContext: 131_072, trainingContext: 32_768, rope_theta: 1_000_000, rotary_dim: 128 };

function plan(method: PlanMethod, changes: Partial<typeof input> = {}): ContextPlan {
  const found = planLongerContext({ ...input, ...changes }).find((candidate) => candidate.method === method);
  if (found === undefined) throw new Error(method);
  return found;
}

function frequencies(params: ContextPlan["params"]): readonly number[] {
  const derived = rope.derived?.(requireParams(rope, { head_dim: 128, ...params }))["inv_freq"];
  if (!Array.isArray(derived)) throw new Error("no frequencies");
  return derived.map(Number);
}

function text(method: PlanMethod, format: (typeof PLAN_FORMATS)[number]): string {
  const made = formatPlan(plan(method), format, input.targetContext);
  return "text" in made ? made.text : `(${made.unavailable})`;
}

describe("a plan for a longer context", () => {
  it("reproduces the published numbers of each method", () => {
    expect(plan("linear").ropeParameters).toEqual({ rope_type: "linear", rope_theta: 1_000_000, factor: 4 });
    expect(plan("yarn").ropeParameters).toMatchObject({ factor: 4, original_max_position_embeddings: 32_768 });
    expect(plan("dynamic").maxPositionEmbeddings).toBe(32_768);
    expect(plan("yarn").maxPositionEmbeddings).toBe(131_072);
    // 1e6 · 4^(128/126)
    expect(plan("ntk").ropeParameters["rope_theta"]).toBeCloseTo(4_088_994.2432, 3);
  });

  it("divides the slowest pair by the factor and keeps the fastest where the method does so", () => {
    const plain = frequencies({ rope_type: "default", rope_theta: 1_000_000 });
    for (const method of ["linear", "ntk", "yarn", "llama3"] as const) {
      const scaled = frequencies(plan(method).params);
      expect((plain.at(-1) ?? 0) / (scaled.at(-1) ?? 1), method).toBeCloseTo(4, 9);
      expect((plain[0] ?? 0) / (scaled[0] ?? 1), method).toBeCloseTo(method === "linear" ? 4 : 1, 9);
    }
  });

  it("has an NTK-aware base with the drawn frequencies, and the same initial LongRoPE factors", () => {
    const drawn = frequencies(plan("ntk").params);
    const base = frequencies({ rope_type: "default", rope_theta: Number(plan("ntk").ropeParameters["rope_theta"]) });
    const divisors = plan("longrope").ropeParameters["long_factor"];
    const plain = frequencies({ rope_type: "default", rope_theta: 1_000_000 });
    drawn.forEach((frequency, k) => {
      expect(base[k]).toBeCloseTo(frequency, 12);
      expect((plain[k] ?? 0) / Number(Array.isArray(divisors) ? divisors[k] : 0)).toBeCloseTo(frequency, 12);
    });
  });

  it("passes Posenc's rules when written into a config, in both forms", () => {
    for (const { method, ropeParameters, maxPositionEmbeddings } of planLongerContext(input)) {
      const { rope_theta, ...scaling } = ropeParameters;
      const shape = {
        model_type: "llama",
        hidden_size: 4096,
        num_attention_heads: 32,
        max_position_embeddings: maxPositionEmbeddings,
      };
      const four = { ...shape, rope_theta, rope_scaling: scaling["rope_type"] === "default" ? null : scaling };
      const five = { ...shape, rope_parameters: ropeParameters };
      for (const config of [four, five]) {
        const { problems } = readConfig(JSON.stringify(config));
        const grave = problems.filter(({ severity }) => severity !== "info");
        expect(grave, `${method} ${JSON.stringify(config)}`).toEqual([]);
      }
    }
  });

  it("is copied in the syntax of each runtime", () => {
    expect(JSON.parse(`{${text("yarn", "transformers-5")}}`)).toEqual({
      rope_parameters: plan("yarn").ropeParameters,
      max_position_embeddings: 131_072,
    });
    expect(JSON.parse(`{${text("ntk", "transformers-4")}}`)).toMatchObject({ rope_scaling: null });
    // transformers 4.57 warns about an integer factor.
    expect(text("llama3", "transformers-4")).toContain('"factor": 4.0,');
    expect(text("yarn", "transformers-4")).toContain('"rope_theta": 1000000.0,');
    const nested = formatPlan(plan("yarn"), "vllm", input.targetContext, { subConfig: "text_config" });
    expect("text" in nested && nested.text).toContain(`'{"text_config":{"rope_parameters":{`);
    expect(formatPlan(plan("yarn"), "vllm", input.targetContext, { isLayered: true })).toHaveProperty("unavailable");
    expect(formatPlan(plan("yarn"), "transformers-4", input.targetContext, { isLayered: true })).toHaveProperty("text");
    expect(text("yarn", "vllm")).toBe(
      `--hf-overrides '{"rope_parameters":{"rope_type":"yarn","rope_theta":1000000,"factor":4,"original_max_position_embeddings":32768},"max_position_embeddings":131072}' --max-model-len 131072`,
    );
    expect(text("yarn", "llama.cpp")).toBe(
      "--ctx-size 131072 --rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768",
    );
    expect(text("dynamic", "llama.cpp")).toMatch(/^\(/);
    for (const { method } of planLongerContext(input))
      for (const format of PLAN_FORMATS) expect(text(method, format).length).toBeGreaterThan(10);
  });

  it("changes nothing within the training context and refuses an invalid length", () => {
    expect(plan("yarn", { targetContext: 4096 }).ropeParameters["factor"]).toBe(1);
    const wrong = {
      target: { targetContext: 0 },
      trained: { trainingContext: 1.5 },
      rope_theta: { rope_theta: -1 },
      rotary_dim: { rotary_dim: 63 },
    };
    for (const [param, changes] of Object.entries(wrong)) expect(() => plan("yarn", changes), param).toThrow(param);
  });
});

describe("a plan written into a config", () => {
  const shape = '\t"model_type": "llama", // ours\n\t"hidden_size": 4096,\n\t"num_attention_heads": 32,\n';
  const files = {
    "4, plain": `{\n${shape}\t"max_position_embeddings": 32768,\n\t"rope_theta": 1000000.0\n}\n`,
    "4, scaled": `{\n${shape}\t"max_position_embeddings": 65536,\n\t"rope_theta": 1000000.0,\n\t"rope_scaling": {\n\t\t"type": "linear", /* before */\n\t\t"factor": 2.0\n\t}\n}\n`,
    "5, plain": `{\n${shape}\t"max_position_embeddings": 32768,\n\t"rope_parameters": {\n\t\t"rope_theta": 1000000.0,\n\t\t"rope_type": "default"\n\t}\n}\n`,
  };
  const cases = Object.entries(files).flatMap(([name, file]) =>
    planLongerContext(input).map((made) => [made.method, name, made, file] as const),
  );

  it.each(cases)(
    "%s in a file of transformers %s has the drawn frequencies, in the form of the file",
    (_, name, made, file) => {
      const { format, specs } = readConfig(file);
      const [spec] = specs;
      if (spec === undefined) throw new Error("not read");
      const base = checkParams(rope, pickKnownParams(rope, spec.params)).params;
      const wanted = {
        ...base,
        factor: null,
        ...made.ropeParameters,
        max_position_embeddings: made.maxPositionEmbeddings,
      };
      const { edit, unwritable } = computeWriteBack(file, format, spec, wanted);
      if (edit === null) throw new Error("nothing written");
      const text = file.slice(0, edit.offset) + edit.content + file.slice(edit.offset + edit.length);
      expect(unwritable).toEqual([]);
      expect(text).toContain("// ours");
      expect(text.includes("rope_parameters")).toBe(name.startsWith("5"));
      const again = readConfig(text);
      expect(again.problems.filter(({ severity }) => severity !== "info")).toEqual([]);
      const read = requireParams(rope, pickKnownParams(rope, again.specs[0]?.params ?? {}));
      const drawn = requireParams(rope, { head_dim: 128, ...made.params });
      for (const length of [1024, input.targetContext]) {
        const own = inverseFrequencies({ ...read, seq_len: length });
        const aim = inverseFrequencies({ ...drawn, seq_len: length });
        own.inv_freq.forEach((frequency, k) => {
          expect(frequency / (aim.inv_freq[k] ?? 0)).toBeCloseTo(1, 12);
        });
        // LongRoPE's factor on the scores follows from the lengths; the drawn scene has no longer text.
        expect(own.attention_scaling).toBeCloseTo(aim.attention_scaling, 12);
      }
    },
  );
});
