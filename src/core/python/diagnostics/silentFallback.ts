import * as l10n from "@vscode/l10n";
import { positionalArguments } from "../parse/ast.ts";
import { canonicalParam } from "../recognise/paramSynonyms.ts";
import type { CodeRule } from "./diagnostic.ts";

const POSITION_KEYS =
  /^(?:rope_\w+|rotary_\w+|partial_rotary_factor|alibi_\w+|relative_attention_\w+|position_embedding_type|max_position_embeddings|original_max_position_embeddings|rope_scaling|no_rope_\w+)$/;

/** getattr(config, "rope_theta", 10000): a config that spells the key differently silently gets the default. */
export const silentFallback: CodeRule = {
  id: "code/silent-fallback",
  severity: "info",
  title: { en: "Silent fallback to a default", zh: "不易察觉的默认值" },
  rationale: {
    en: "If a config spells the key differently, getattr with a default silently returns that default. transformers 5 keeps the base in rope_parameters, so older code falls back to its default.",
    zh: "带默认值的 getattr 遇到键名写法不同的配置时，会当作没有这个键。transformers 5 把底数放在 rope_parameters 中，旧代码因此会不加提示地退回默认值。",
  },
  reference: "src/transformers/modeling_rope_utils.py",
  find(document) {
    const code = document.analyse();
    return code.module.calls.get("getattr").flatMap(({ call, scope }) => {
      const [, key, fallback] = positionalArguments(call);
      if (key?.kind !== "string" || fallback === undefined || !POSITION_KEYS.test(key.value)) return [];
      const { value } = code.evaluator.evaluate(fallback, scope);
      if (value === undefined || value === null || value === false) return [];
      const moved =
        canonicalParam("rope", key.value) === "rope_theta"
          ? ` ${l10n.t("transformers 5 stores it in rope_parameters.")}`
          : "";
      const message =
        l10n.t("If {0} is missing, this code silently falls back to {1}.", key.value, String(value)) + moved;
      return [{ message, range: document.toRange(call), related: [] }];
    });
  },
};
