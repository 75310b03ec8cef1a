import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { modelTypeNames } from "../../../../src/core/config/huggingface/modelTypes.ts";
import { modelFactsNames } from "../../../../src/core/config/runtimes/modelFacts.ts";
import { ENCODING_IDS } from "../../../../src/core/spec.ts";

/**
 * Facts of models are rows of the model tables. A reader or rule that compares with a model's name would have to be
 * edited for the next model, so that no source outside of the tables may contain one.
 */
const FOLDERS = ["src/core/config", "src/core/checkpoint", "src/core/completion", "src/cli"];

/** Words that are names of something else too. */
const OTHER_MEANINGS: Readonly<Record<string, string>> = {
  mamba: "a layer type of transformers",
  swin: "a variant of the encoding swin_bias, and a YAML format",
  index: "a word",
  new: "a word",
  transformer: "a kind of model, and a component of diffusion models",
  beit: "a variant of the encoding swin_bias",
  pixtral: "a variant of the encoding axial_rope",
};

/** Names that belong to a file format, not to a model. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // `name: mpt_causal_lm` is how llm-foundry's files are recognised.
  "src/core/config/frameworks/llmFoundry.ts": ["mpt"],
  // Values and dictionaries of the frameworks' own files.
  "src/core/config/frameworks/easyLm.ts": ["llama"],
  "src/core/config/frameworks/maxText.ts": ["mla"],
  "src/core/config/frameworks/neox.ts": ["rwkv"],
  "src/core/config/frameworks/wenet.ts": ["llama"],
  // A value of its key `pe`.
  "src/core/config/vendors/meshTransformer.ts": ["t5"],
  // Prefixes of tensor names, which checkpoints of several models share.
  "src/core/checkpoint/fusedLayouts.ts": ["gpt_neox"],
  "src/core/config/weights/safetensors.ts": ["vit"],
};

const NAMES: ReadonlySet<string> = new Set(
  [...modelTypeNames(), ...modelFactsNames()].filter(
    (name) => !ENCODING_IDS.some((id) => id === name) && !Object.hasOwn(OTHER_MEANINGS, name),
  ),
);

const COMMENT = /^\s*\/?\*.*$|\/\/.*$/gm;
const STRING = /"((?:\\.|[^"\\\n])*)"/g;
const KEY = /(?:^|[{,])\s*([\w-]+):/gm;
const REGEX = /(?<=[=(,:[!&|?]\s*|return )\/((?:\\.|\[[^\]\n]*\]|[^/\\\n])+)\//g;

/** Model names in the strings, property keys and regular expressions of a source. */
function findModelNames(source: string): string[] {
  const code = source.replace(COMMENT, "");
  const captured = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, text]) => text ?? "");
  const inStrings = captured(STRING).map((text) => text.split(" "));
  const inRegexes = captured(REGEX).flatMap((text) => text.match(/\w+/g) ?? []);
  return [
    // A sentence may name a model, a list of names may not.
    ...inStrings.filter((words) => words.every((word) => NAMES.has(word))).flat(),
    ...[...captured(KEY), ...inRegexes].filter((word) => NAMES.has(word)),
  ];
}

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(folder, name)),
);

describe("model names", () => {
  test.each(sources)("appear only where allowed in %s", (file) => {
    expect(findModelNames(readFileSync(file, "utf8"))).toEqual(ALLOWED[file] ?? []);
  });

  test("are detected as a string, in a list, as a key and in a regular expression", () => {
    const forms = [
      'if (name === "llama") x();',
      'const a = "llama qwen2".split(" ");',
      "const o = { llama: 1 };",
      "return /^(?:gemma2|phi)$/.test(name);",
    ];
    expect(forms.map(findModelNames)).toEqual([["llama"], ["llama", "qwen2"], ["llama"], ["gemma2", "phi"]]);
  });
});
