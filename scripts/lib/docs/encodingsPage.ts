import type { Encoding, Formula, Paper, Parameter } from "../../../src/core/encodings/encoding.ts";
import { checkParams } from "../../../src/core/encodings/support/schema.ts";
import { fullTitle } from "../../../src/core/encodings/support/title.ts";
import type { ParamValue } from "../../../src/core/spec.ts";

/** `docs/encodings.md`: all encodings on one page, in English. */

const KIND_TEXTS = { absolute: "absolute", relative: "relative", both: "absolute and relative", none: "none" };

const ACTS_ON_TEXTS = {
  input: "on the input vectors",
  query_key: "on queries and keys",
  scores: "on the scores",
  keys_values: "on keys and values",
  nowhere: "nowhere",
};

const FATE = { kept: "unchanged", changed: "changed", dropped: "dropped" };

const EXPANSION_TERMS = [
  ["content_content", "content · content"],
  ["content_position", "content · position"],
  ["position_content", "position · content"],
  ["position_position", "position · position"],
] as const;

/** Text inside a table cell. */
function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function trainedCount(encoding: Encoding): string {
  const count = encoding.classification.trainedParameters(checkParams(encoding, {}).params);
  if (encoding.classification.trained === "fixed") return "fixed";
  const kind = encoding.classification.trained === "either" ? "fixed or trained" : "trained";
  return count === 0 ? kind : `${kind}, ${count.toLocaleString("en")} parameters by default`;
}

function overviewTable(encodings: readonly Encoding[]): string {
  const rows = encodings.map((encoding) => [
    `[\`${encoding.id}\`](#${encoding.id})`,
    fullTitle(encoding).en,
    KIND_TEXTS[encoding.classification.kind],
    ACTS_ON_TEXTS[encoding.classification.actsOn],
    encoding.classification.trained === "either" ? "fixed or trained" : encoding.classification.trained,
  ]);
  return markdownTable(["id", "name", "kind", "acts", "values"], rows);
}

/** Encodings by model. */
function modelTable(encodings: readonly Encoding[]): string {
  const rows = encodings.flatMap((encoding) => encoding.explanation.models.map((model) => [model, encoding] as const));
  const sorted = rows.sort(([a], [b]) => a.localeCompare(b, "en"));
  return markdownTable(
    ["model", "encoding"],
    sorted.map(([model, encoding]) => [model, `[${fullTitle(encoding).en}](#${encoding.id})`]),
  );
}

function expansionSummary(encoding: Encoding): string {
  return EXPANSION_TERMS.map(([role, name]) => `${name} ${FATE[encoding.effect[role]]}`).join(", ");
}

function formulaText({ tex, text, meaning }: Formula): string {
  return [...(meaning === undefined ? [] : [meaning.en]), `\`\`\`math\n${tex}\n\`\`\``, `In plain text: ${text}`].join(
    "\n\n",
  );
}

function rangeText({ min, max, above, choices }: Parameter): string {
  if (choices !== undefined) return choices.map(({ value }) => `\`${value}\``).join(", ");
  const low = above === undefined ? (min === undefined ? "" : `from ${min}`) : `greater than ${above}`;
  return [low, max === undefined ? "" : `up to ${max.toLocaleString("en")}`].filter(Boolean).join(", ");
}

function defaultText(value: ParamValue): string {
  return value === null ? "not set" : `\`${JSON.stringify(value)}\``;
}

function parameterTable(encoding: Encoding): string {
  const rows = encoding.parameters.map((parameter) => [
    [parameter.name, ...(parameter.aliases ?? [])].map((name) => `\`${name}\``).join(", "),
    defaultText(parameter.default),
    rangeText(parameter),
    parameter.help.en,
  ]);
  return markdownTable(["parameter", "default", "range", "meaning"], rows);
}

function paperLink({ title, arxiv, url, year }: Paper): string {
  const link = arxiv === undefined ? url : `https://arxiv.org/abs/${arxiv}`;
  const named = link === undefined ? title : `[${title}](${link})`;
  return `${named}, ${year}${arxiv === undefined ? "" : `, arXiv ${arxiv}`}`;
}

function domainText(encoding: Encoding): string {
  const domain = encoding.domain(checkParams(encoding, {}).params);
  const row = encoding.cellsAreIndependent ? "" : " A cell depends on its whole row.";
  if (domain.kind === "any") return `Defined at every position.${row}`;
  if (domain.kind === "table")
    return `Defined at positions 0 to ${domain.size - 1} by default. ${domain.reason.en}${row}`;
  return `Must be computed from the start. ${domain.reason.en}${row}`;
}

function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function encodingSection(encoding: Encoding): string {
  const { classification, explanation, aliases, learnedArrays } = encoding;
  const facts = [
    `Id \`${encoding.id}\`; ${KIND_TEXTS[classification.kind]}; acts ${ACTS_ON_TEXTS[classification.actsOn]}; ${trainedCount(encoding)}.`,
    `Of the expansion: ${expansionSummary(encoding)}.`,
    domainText(encoding),
    ...(aliases.length === 0 ? [] : [`Also found as ${aliases.join(", ")}.`]),
    ...(learnedArrays.length === 0
      ? []
      : [`Learned arrays: ${learnedArrays.map((name) => `\`${name}\``).join(", ")}.`]),
  ];
  const formulas = encoding.formulas.map((formula) =>
    encoding.formulas.length === 1 ? formulaText(formula) : `#### \`${formula.id}\`\n\n${formulaText(formula)}`,
  );
  return [
    `<a id="${encoding.id}"></a>`,
    `## ${fullTitle(encoding).en}`,
    explanation.summary.en,
    bulletList(facts),
    "### Formula",
    ...formulas,
    "### Parameters",
    parameterTable(encoding),
    "### Beyond the training context",
    explanation.extrapolation.en,
    "### Strengths and weaknesses",
    explanation.strengths.en,
    explanation.weaknesses.en,
    "### Pitfalls",
    explanation.pitfalls.en,
    ...(explanation.models.length === 0 ? [] : ["### Models", `${explanation.models.join(", ")}.`]),
    "### Sources",
    bulletList([
      ...encoding.papers.map(paperLink),
      ...encoding.repositories.map((name) => `[${name}](https://github.com/${name})`),
    ]),
  ].join("\n\n");
}

const INTRODUCTION = `# Position encodings

Generated from the table in \`src/core/encodings/index.ts\` by \`npm run docs\`; do not edit.

Attention without positions only permutes its output rows when the tokens are permuted. There are two ways out: put
the position into the input (absolute), or change attention (relative). Both are cases of one expansion. With content
x and position p, a logit is a sum of four terms,

\`\`\`math
(x_i + p_i) W_Q \\cdot (x_j + p_j) W_K = \\underbrace{x_i W_Q \\cdot x_j W_K}_{\\text{content · content}} + \\underbrace{x_i W_Q \\cdot p_j W_K}_{\\text{content · position}} + \\underbrace{p_i W_Q \\cdot x_j W_K}_{\\text{position · content}} + \\underbrace{p_i W_Q \\cdot p_j W_K}_{\\text{position · position}}
\`\`\`

of which only the last three depend on position. Every encoding below says which of them it keeps, changes or drops.
Throughout, i is the query, j the key and δ = i − j; θ is \`rope_theta\`, ω_k the inverse frequency of pair k, d the
head dimension.`;

/** The whole page. */
export function encodingsPage(encodings: readonly Encoding[]): string {
  const parts = [
    INTRODUCTION,
    overviewTable(encodings),
    "## By model",
    modelTable(encodings),
    ...encodings.map(encodingSection),
  ];
  return `${parts.join("\n\n")}\n`;
}
