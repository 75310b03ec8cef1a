import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeNewFormOldVersion: Rule = {
  id: "rope/new-form-old-version",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "rope_theta is only where transformers 5 reads it", zh: "rope_theta 只写在 transformers 5 读取的位置" },
  rationale: {
    en: "transformers_version is 4.x, and version 4 does not read rope_parameters: it falls back to the class's default base.",
    zh: "transformers_version 为 4.x，而第 4 版不读 rope_parameters，底数会取类的默认值。",
  },
  reference: "https://github.com/vllm-project/vllm/issues/28542",
  check: (facts) => {
    const version = facts.root.string("transformers_version");
    if (version?.startsWith("4.") !== true) return [];
    return checkEachRotaryStack(({ attributes: { section, type } }) => {
      const theta = section?.section("rope_parameters")?.get("rope_theta");
      const fallback = type.defaultTheta ?? 10_000;
      if (
        section === undefined ||
        typeof theta?.value !== "number" ||
        section.has("rope_theta") ||
        theta.value === fallback
      )
        return [];
      return findingAt(
        theta,
        {
          en: "transformers {0} does not read rope_parameters and uses {1} instead of {2}",
          zh: "transformers {0} 不读 rope_parameters，会用 {1} 而不是 {2}",
        },
        {
          args: [version, fallback, theta.value],
          fix: {
            title: { en: "Add rope_theta at the top level too", zh: "在顶层也写上 rope_theta" },
            changes: [{ path: [...section.path, "rope_theta"], value: theta.value }],
          },
        },
      );
    })(facts);
  },
};
