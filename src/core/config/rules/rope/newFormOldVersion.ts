import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overRotary } from "../support/ropeBlocks.ts";

export const ropeNewFormOldVersion: Rule = {
  id: "rope/new-form-old-version",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "The base is only where transformers 5 looks", zh: "底数只写在 transformers 5 读取的位置" },
  rationale: {
    en: "The file says that it is of version 4, which does not read rope_parameters: there the base is the class's default.",
    zh: "文件自称属于第 4 版，而该版不读 rope_parameters：那里底数会取类的默认值。",
  },
  reference: "https://github.com/vllm-project/vllm/issues/28542",
  check: (facts) => {
    const version = facts.root.string("transformers_version");
    if (version?.startsWith("4.") !== true) return [];
    return overRotary(({ attributes: { section, type } }) => {
      const theta = section?.section("rope_parameters")?.get("rope_theta");
      const fallback = type.t ?? 10_000;
      if (
        section === undefined ||
        typeof theta?.value !== "number" ||
        section.has("rope_theta") ||
        theta.value === fallback
      )
        return [];
      return finding(
        theta,
        {
          en: "transformers {0} does not read rope_parameters and takes {1} for {2}",
          zh: "transformers {0} 不读 rope_parameters，会用 {1} 而不是 {2}",
        },
        {
          args: [version, fallback, theta.value],
          fix: {
            title: { en: "Write rope_theta at the top too", zh: "在顶层也写上 rope_theta" },
            changes: [{ path: [...section.path, "rope_theta"], value: theta.value }],
          },
        },
      );
    })(facts);
  },
};
