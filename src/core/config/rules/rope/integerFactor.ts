import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { isFloatText } from "../support/floatText.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

const TYPES_WITH_FACTOR: ReadonlySet<string> = new Set(["linear", "dynamic", "yarn", "longrope", "llama3"]);

export const ropeIntegerFactor: Rule = {
  id: "rope/integer-factor",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Integer factor where transformers 4 expects a float", zh: "transformers 4 要求浮点数之处写了整数" },
  rationale: {
    en: "transformers 4 warns about an integer factor, and its first releases reject it; transformers 5 accepts both. Checked only in files with transformers_version 4.x.",
    zh: "transformers 4 会警告整数 factor，早期版本则拒绝；transformers 5 两者都接受。只检查 transformers_version 为 4.x 的文件。",
  },
  reference: "transformers v4.57.6, modeling_rope_utils.py: _validate_linear_scaling_rope_parameters",
  check: (facts) => {
    if (facts.root.string("transformers_version")?.startsWith("4.") !== true) return [];
    return checkEachBlock(({ section, type, number }) => {
      const factor = number("factor");
      const found = section.get("factor");
      if (factor === undefined || found === undefined || !TYPES_WITH_FACTOR.has(type)) return [];
      if (!Number.isInteger(factor) || isFloatText(facts.root.textOf(found.path))) return [];
      return findingAt(
        found,
        { en: "transformers 4 warns about an integer: write {0}.0", zh: "transformers 4 会警告整数：请写成 {0}.0" },
        {
          args: [factor],
          fix: {
            title: { en: "Change to {0}.0", zh: "改为 {0}.0" },
            changes: [{ path: found.path, raw: `${factor}.0` }],
          },
        },
      );
    })(facts);
  },
};
