import type { Rule } from "../../../src/core/config/rules/rule.ts";
import type { Localized } from "../../../src/core/l10n/l10n.ts";
import type { CodeRule } from "../../../src/core/python/diagnostics/diagnostic.ts";

/** A rule of either table; rules over code have no file formats. */
type AnyRule = Pick<Rule, "id" | "severity" | "title" | "rationale" | "reference"> & {
  readonly formats?: Rule["formats"];
};

type PageLanguage = keyof Localized;

/** `docs/rules.md` and its Chinese translation: every rule over configs and code, with its reason and reference. */
export function rulesPage(
  configRules: readonly Rule[],
  codeRules: readonly CodeRule[],
  language: PageLanguage,
): string {
  const rules: readonly AnyRule[] = [...configRules, ...codeRules];
  const groups = [...new Set(rules.map(groupOf))].sort();
  return [
    INTRODUCTION[language],
    "",
    rulesTable(rules, language),
    ...groups.flatMap((group) => [
      "",
      `## ${group}`,
      ...rules.filter((rule) => groupOf(rule) === group).flatMap((rule) => ruleSection(rule, language)),
    ]),
    "",
  ].join("\n");
}

const INTRODUCTION: Localized = {
  en: `# Rules for configs and code

Generated from the tables in \`src/core/config/rules/index.ts\` and \`src/core/python/diagnostics/index.ts\` by \`npm run docs\`; do not edit.

\`posenc check\` and the editor report these. Severities follow transformers 5.18: **error** where it raises or computes
something other than what is written, **warning** where it warns or silently substitutes, **info** for facts worth
knowing. On model types whose encoding has not been checked, errors become warnings.

A project sets severities in \`.posenc.json\`: \`{"rules": {"rope/factor-mismatch": "off", "window/*": "info"}}\`. The
rules of the group \`code\` check Python code in the editor.`,
  zh: `# 配置与代码的规则

由 \`npm run docs\` 从 \`src/core/config/rules/index.ts\` 和 \`src/core/python/diagnostics/index.ts\` 中的表生成，请勿编辑。

\`posenc check\` 和编辑器会报告这些问题。严重程度以 transformers 5.18 为准：**error（错误）** 表示它会抛出异常，或计算出与所写不同的结果；**warning（警告）** 表示它会发出警告，或不加提示地改用其他值；**info（信息）** 是值得知道的事实。对编码未经核实的模型类型，错误降为警告。

项目可在 \`.posenc.json\` 中设置严重程度：\`{"rules": {"rope/factor-mismatch": "off", "window/*": "info"}}\`。\`code\` 组的规则在编辑器中检查 Python 代码。`,
};

function groupOf({ id }: AnyRule): string {
  return id.slice(0, id.indexOf("/"));
}

function rulesTable(rules: readonly AnyRule[], language: PageLanguage): string {
  const rows = rules.map(
    ({ id, severity, title }) => `| [\`${id}\`](#${anchor(id)}) | ${severity} | ${escapePipes(title[language])} |`,
  );
  const head = { en: "| rule | severity | what it finds |", zh: "| 规则 | 严重程度 | 发现的问题 |" };
  return [head[language], "| --- | --- | --- |", ...rows].join("\n");
}

/** GitHub drops the slash from the anchor of a heading. */
function anchor(id: string): string {
  return id.replace("/", "");
}

function escapePipes(text: string): string {
  return text.replaceAll("|", "\\|");
}

function ruleSection(
  { id, severity, formats, title, rationale, reference }: AnyRule,
  language: PageLanguage,
): string[] {
  const source = /^https?:/.test(reference) ? `<${reference}>` : `\`${reference}\``;
  const scope = formats?.map((format) => `\`${format}\``).join(", ") ?? "Python";
  const heading = {
    en: `${title.en}. *${severity}*, for ${scope}.`,
    zh: `${title.zh}。*${severity}*，适用于 ${scope}。`,
  };
  return [
    "",
    `### ${id}`,
    "",
    heading[language],
    "",
    rationale[language],
    "",
    language === "en" ? `Reference: ${source}` : `依据：${source}`,
  ];
}
