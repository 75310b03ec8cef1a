import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachBlock } from "../support/ropeBlocks.ts";

export const ropeTruncateNested: Rule = {
  id: "rope/truncate-nested",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "truncate in a layer type's dictionary is ignored", zh: "写在某类层字典里的 truncate 会被忽略" },
  rationale: {
    en: "YaRN reads truncate only from the outer dictionary. In a layer type's dictionary it is ignored, and the bounds are rounded.",
    zh: "YaRN 只从外层字典读取 truncate；写在某类层的字典里会被忽略，边界仍被取整。",
  },
  reference: "transformers/modeling_rope_utils.py: _compute_yarn_parameters",
  check: checkEachBlock(({ section, type, label }) => {
    if (type !== "yarn" || label === undefined || section.get("truncate")?.value !== false) return [];
    return findingAt(
      section.get("truncate"),
      {
        en: 'truncate under "{0}" is ignored: the bounds are rounded',
        zh: "“{0}” 下的 truncate 会被忽略：边界仍被取整",
      },
      { args: [label] },
    );
  }),
};
