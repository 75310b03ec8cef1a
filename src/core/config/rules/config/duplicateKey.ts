import { findingAt, type Rule } from "../rule.ts";

/** Findings in one file; one with more duplicates is not written by hand. */
const MAX_FINDINGS = 20;

export const configDuplicateKey: Rule = {
  id: "config/duplicate-key",
  severity: "warning",
  formats: ["hf-config", "meta-params", "mistral-params", "openai-params", "original-bert", "deepseek-inference"],
  title: { en: "Key is written more than once", zh: "同一个键写了多次" },
  rationale: {
    en: "Python's JSON reader silently uses the last value of a repeated key. A change to an earlier one has no effect, and other readers may use the first or refuse the file.",
    zh: "键重复时，Python 的 JSON 读取器不加提示地取最后一个值：修改前面的不起作用；别的读取器可能取第一个，也可能拒绝读取该文件。",
  },
  reference: "https://docs.python.org/3/library/json.html#repeated-names-within-an-object",
  check: ({ root }) =>
    root.duplicateKeys(MAX_FINDINGS).flatMap((key) =>
      findingAt(
        key,
        {
          en: "{0} is written more than once in this object: only the last value is used",
          zh: "{0} 在此对象中写了多次：只使用最后一个值",
        },
        { args: [String(key.path.at(-1))] },
      ),
    ),
};
