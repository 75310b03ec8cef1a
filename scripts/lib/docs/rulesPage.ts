import type { Rule } from "../../../src/core/config/rules/rule.ts";
import type { CodeRule } from "../../../src/core/python/diagnostics/diagnostic.ts";

/** A rule of either table; rules over code have no file formats. */
type AnyRule = Pick<Rule, "id" | "severity" | "title" | "rationale" | "reference"> & {
  readonly formats?: Rule["formats"];
};

/** `docs/rules.md`: every rule over configs and code, with its reason and reference. */
export function rulesPage(configRules: readonly Rule[], codeRules: readonly CodeRule[]): string {
  const rules: readonly AnyRule[] = [...configRules, ...codeRules];
  const groups = [...new Set(rules.map(groupOf))].sort();
  return [
    "# Rules for configs and code",
    "",
    "Generated from the tables in `src/core/config/rules/index.ts` and `src/core/python/diagnostics/index.ts` by `npm run docs`; do not edit.",
    "",
    INTRODUCTION,
    "",
    rulesTable(rules),
    ...groups.flatMap((group) => [
      "",
      `## ${group}`,
      ...rules.filter((rule) => groupOf(rule) === group).flatMap(ruleSection),
    ]),
    "",
  ].join("\n");
}

const INTRODUCTION = `\`posenc check\` and the editor report these. Severities follow transformers 5.18: **error** where it raises or computes
something other than what is written, **warning** where it warns or silently substitutes, **info** for facts worth
knowing. On model types whose encoding has not been checked, errors become warnings.

A project sets severities in \`.posenc.json\`: \`{"rules": {"rope/factor-mismatch": "off", "window/*": "info"}}\`. The
rules of the group \`code\` check Python code in the editor.`;

function groupOf({ id }: AnyRule): string {
  return id.slice(0, id.indexOf("/"));
}

function rulesTable(rules: readonly AnyRule[]): string {
  const rows = rules.map(
    ({ id, severity, title }) => `| [\`${id}\`](#${anchor(id)}) | ${severity} | ${escapePipes(title.en)} |`,
  );
  return ["| rule | severity | what it finds |", "| --- | --- | --- |", ...rows].join("\n");
}

/** GitHub drops the slash from the anchor of a heading. */
function anchor(id: string): string {
  return id.replace("/", "");
}

function escapePipes(text: string): string {
  return text.replaceAll("|", "\\|");
}

function ruleSection({ id, severity, formats, title, rationale, reference }: AnyRule): string[] {
  const source = /^https?:/.test(reference) ? `<${reference}>` : `\`${reference}\``;
  return [
    "",
    `### ${id}`,
    "",
    `${title.en}. *${severity}*, for ${formats?.map((format) => `\`${format}\``).join(", ") ?? "Python"}.`,
    "",
    rationale.en,
    "",
    `Reference: ${source}`,
  ];
}
