import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack } from "../support/ropeBlocks.ts";

export const ropeGptNeoxTopLevel: Rule = {
  id: "rope/gpt-neox-top-level",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "GPT-NeoX ignores these top-level keys", zh: "GPT-NeoX 忽略这些顶层键" },
  rationale: {
    en: "GPT-NeoX reads its base from rotary_emb_base and its fraction from rotary_pct; rope_theta and partial_rotary_factor count only inside rope_parameters.",
    zh: "它的底数键是 rotary_emb_base，比例键是 rotary_pct；rope_theta 与 partial_rotary_factor 只在 rope_parameters 内有效。",
  },
  reference: "transformers/models/gpt_neox/configuration_gpt_neox.py",
  check: checkEachRotaryStack(({ attributes: { type, section }, specs }) => {
    const { thetaKey, partialFactorKey } = type;
    if (thetaKey === undefined || partialFactorKey === undefined) return [];
    const pairs: readonly (readonly [string, string])[] = [
      ["rope_theta", thetaKey],
      ["partial_rotary_factor", partialFactorKey],
    ];
    return pairs.flatMap(([key, own]) => {
      const found = section?.get(key);
      const used = specs[0]?.params[key];
      if (typeof found?.value !== "number" || typeof used !== "number" || used === found.value) return [];
      return findingAt(
        found,
        { en: "{0} is ignored, {1} is used: write {2} instead", zh: "{0} 被忽略，实际使用 {1}：请改写 {2}" },
        {
          args: [found.value, used, own],
          fix: {
            title: { en: "Rename to {2}", zh: "改名为 {2}" },
            changes: [{ path: found.path }, { path: [...(section?.path ?? []), own], value: found.value }],
          },
        },
      );
    });
  }),
};
