import { findingAt, type Rule } from "../rule.ts";

export const metaScalingConstants: Rule = {
  id: "meta/scaling-constants",
  severity: "info",
  formats: ["meta-params"],
  title: { en: "Llama 3 scaling is set in code, not in the file", zh: "Llama 3 的缩放写在代码里，不在文件里" },
  rationale: {
    en: "use_scaled_rope enables constants in the code: factor 8, low 1, high 4, training context 8192. Llama 3.2 1B and 3B use factor 32, which some files omit.",
    zh: "use_scaled_rope 只是开关，常数写在代码里：factor 8、low 1、high 4、训练上下文 8192。Llama 3.2 的 1B 与 3B 用的是 32，有的文件没有写。",
  },
  reference: "https://github.com/meta-llama/llama-models/blob/main/models/llama3/reference_impl/model.py",
  check: ({ root, specs }) => {
    const found = root.get("use_scaled_rope");
    if (found?.value !== true || specs[0]?.sources.factor === "config") return [];
    return findingAt(
      found,
      {
        en: "factor {0}, low 1, high 4, training context 8192: set in code, not in this file",
        zh: "factor {0}、low 1、high 4、训练上下文 8192：来自代码而非本文件",
      },
      { args: [Number(specs[0]?.params.factor)] },
    );
  },
};
