import type { Rule } from "../../src/core/config/rules/rule.ts";

/** `docs/rules.md`: what every rule over configs says, why, and on what ground. */
export function rulesPage(rules: readonly Rule[]): string {
  const groups = [...new Set(rules.map(groupOf))].sort();
  return [
    "# Rules over configs",
    "",
    "Generated from the table in `src/core/config/rules/index.ts` by `npm run docs`; do not edit.",
    "",
    INTRODUCTION,
    "",
    table(rules),
    ...groups.flatMap((group) => [
      "",
      `## ${group}`,
      ...rules.filter((rule) => groupOf(rule) === group).flatMap(section),
    ]),
    "",
  ].join("\n");
}

const INTRODUCTION = `\`posenc check\` and the editor report these. Severities follow transformers 5.18: **error** where it raises or computes
something else than what is written, **warning** where it warns or silently substitutes, **info** for what is good to
know. On model types whose encoding is not checked, errors become warnings.

A project sets severities in \`.posenc.json\`: \`{"rules": {"rope/factor-mismatch": "off", "window/*": "info"}}\`.`;

function groupOf({ id }: Rule): string {
  return id.slice(0, id.indexOf("/"));
}

function table(rules: readonly Rule[]): string {
  const rows = rules.map(
    ({ id, severity, title }) => `| [\`${id}\`](#${anchor(id)}) | ${severity} | ${cell(title.en)} |`,
  );
  return ["| rule | severity | what it finds |", "| --- | --- | --- |", ...rows].join("\n");
}

/** GitHub drops the slash of a heading for its anchor. */
function anchor(id: string): string {
  return id.replace("/", "");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function section({ id, severity, formats, title, rationale, reference }: Rule): string[] {
  const source = /^https?:/.test(reference) ? `<${reference}>` : `\`${reference}\``;
  return [
    "",
    `### ${id}`,
    "",
    `${title.en}. *${severity}*, for ${formats.map((format) => `\`${format}\``).join(", ")}.`,
    "",
    rationale.en,
    "",
    `Reference: ${source}`,
  ];
}
