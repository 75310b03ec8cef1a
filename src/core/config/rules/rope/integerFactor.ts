import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { isFloatText } from "../support/floatText.ts";
import { overBlocks } from "../support/ropeBlocks.ts";

const CHECKED_TYPES: ReadonlySet<string> = new Set(["linear", "dynamic", "yarn", "longrope", "llama3"]);

export const ropeIntegerFactor: Rule = {
  id: "rope/integer-factor",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "A whole number where transformers 4 wants a float", zh: "transformers 4 要求浮点数之处写了整数" },
  rationale: {
    en: "Version 4 warns of a factor without a point, and its first releases refuse it; version 5 takes both. Asked only of files that say they are of version 4.",
    zh: "第 4 版会警告不带小数点的 factor，早期版本则拒绝；第 5 版两者都接受。只检查自称属于第 4 版的文件。",
  },
  reference: "transformers v4.57.6, modeling_rope_utils.py: _validate_linear_scaling_rope_parameters",
  check: (facts) => {
    if (facts.root.string("transformers_version")?.startsWith("4.") !== true) return [];
    return overBlocks(({ section, type, number }) => {
      const factor = number("factor");
      const found = section.get("factor");
      if (factor === undefined || found === undefined || !CHECKED_TYPES.has(type)) return [];
      if (!Number.isInteger(factor) || isFloatText(facts.root.textOf(found.path))) return [];
      return finding(
        found,
        { en: "transformers 4 warns of an integer: write {0}.0", zh: "transformers 4 会警告整数：请写成 {0}.0" },
        {
          args: [factor],
          fix: { title: { en: "Write {0}.0", zh: "写成 {0}.0" }, changes: [{ path: found.path, raw: `${factor}.0` }] },
        },
      );
    })(facts);
  },
};
