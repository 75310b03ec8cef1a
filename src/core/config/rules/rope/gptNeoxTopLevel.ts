import { finding, HUGGING_FACE, type Rule } from "../rule.ts";
import { overRotary } from "../support/ropeBlocks.ts";

export const ropeGptNeoxTop: Rule = {
  id: "rope/gpt-neox-top-level",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "GPT-NeoX does not read these keys at the top", zh: "GPT-NeoX 不读取顶层的这些键" },
  rationale: {
    en: "Its base is rotary_emb_base and its fraction rotary_pct; rope_theta and partial_rotary_factor count only inside rope_parameters.",
    zh: "它的底数键是 rotary_emb_base，比例键是 rotary_pct；rope_theta 与 partial_rotary_factor 只在 rope_parameters 内有效。",
  },
  reference: "transformers/models/gpt_neox/configuration_gpt_neox.py",
  check: overRotary(({ attributes: { type, section }, specs }) => {
    if (type.s !== "gpt_neox") return [];
    const pairs: readonly (readonly [string, string])[] = [
      ["rope_theta", "rotary_emb_base"],
      ["partial_rotary_factor", "rotary_pct"],
    ];
    return pairs.flatMap(([key, own]) => {
      const found = section?.get(key);
      const used = specs[0]?.params[key];
      if (typeof found?.value !== "number" || typeof used !== "number" || used === found.value) return [];
      return finding(
        found,
        { en: "{0} is ignored, {1} is used: write {2}", zh: "{0} 被忽略，实际为 {1}：请写 {2}" },
        {
          args: [found.value, used, own],
          fix: {
            title: { en: "Write {2}", zh: "改写为 {2}" },
            changes: [{ path: found.path }, { path: [...(section?.path ?? []), own], value: found.value }],
          },
        },
      );
    });
  }),
};
