import { overBlocks } from "./ropeBlocks.ts";
import { knownKeys, nearMiss } from "./ropeKeys.ts";
import { finding, HUGGING_FACE, type Rule } from "./rule.ts";

export const ropeNearMissKey: Rule = {
  id: "rope/near-miss-key",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "A key that is almost one that is read", zh: "与可识别的键只差一点的键" },
  rationale: {
    en: "A misspelt key is ignored. attn_factor is the best known one: runtimes differ on it, transformers reads attention_factor.",
    zh: "拼写有误的键会被忽略。最有名的是 attn_factor：各运行时处理不一，transformers 只读 attention_factor。",
  },
  reference: "https://github.com/huggingface/transformers/issues/42189",
  check: overBlocks((block) => {
    const known = knownKeys(block);
    return block.section.keys().flatMap((key) => {
      const meant = known.has(key) ? undefined : nearMiss(key, known);
      const found = block.section.get(key);
      if (meant === undefined || found === undefined) return [];
      const free = !block.section.has(meant);
      const renamed = [{ path: found.path, rename: meant }];
      return finding(
        found,
        { en: '"{0}" is not read; "{1}" is', zh: "“{0}” 不会被读取；可读取的是 “{1}”" },
        {
          args: [key, meant],
          ...(free
            ? { fix: { title: { en: 'Rename "{0}" to "{1}"', zh: "将 “{0}” 改名为 “{1}”" }, changes: renamed } }
            : {}),
        },
      );
    });
  }),
};
