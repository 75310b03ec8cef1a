import { findingAt, type Rule } from "../rule.ts";

export const mistralThetaAmbiguous: Rule = {
  id: "mistral/theta-ambiguous",
  severity: "warning",
  formats: ["mistral-params"],
  title: { en: "rope_theta is missing and its default is ambiguous", zh: "缺少 rope_theta，默认值因版本而异" },
  rationale: {
    en: "Without rope_theta, current mistral-inference uses 1000000. Releases from early 2024 used 10000 for models with a sliding window.",
    zh: "缺少 rope_theta 时，现在的 mistral-inference 取 1000000；2024 年初的版本在有滑动窗口时取 10000。",
  },
  reference: "mistral-inference: src/mistral_inference/transformer.py",
  check: ({ root, specs }) => {
    const window = root.get("sliding_window");
    if (root.has("rope_theta") || typeof window?.value !== "number") return [];
    return findingAt(
      window,
      {
        en: "no rope_theta with a sliding window: 10000 in old code, 1000000 in current code; {0} is assumed",
        zh: "有窗口却没有 rope_theta：旧代码取 10000，现行代码取 1000000；此处按 {0}",
      },
      { args: [Number(specs[0]?.params.rope_theta)] },
    );
  },
};
