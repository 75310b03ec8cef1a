import type { Encoding, Formula, Paper, Parameter } from "../../../src/core/encodings/encoding.ts";
import { checkParams } from "../../../src/core/encodings/support/schema.ts";
import type { ParamValue } from "../../../src/core/spec.ts";

/** `docs/encodings.md`: the table of encodings as one page, in English. */

const KIND = { absolute: "absolute", relative: "relative", both: "absolute and relative", none: "none" };

const ACTS = {
  input: "on the input vectors",
  query_key: "on queries and keys",
  scores: "on the scores",
  keys_values: "on keys and values",
  nowhere: "nowhere",
};

const FATE = { kept: "unchanged", changed: "changed", dropped: "dropped" };

const TERMS = [
  ["content_content", "content · content"],
  ["content_position", "content · position"],
  ["position_content", "position · content"],
  ["position_position", "position · position"],
] as const;

/** Text inside a table cell. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function trainedCount(encoding: Encoding): string {
  const count = encoding.classification.trainedParameters(checkParams(encoding, {}).params);
  if (encoding.classification.trained === "fixed") return "fixed";
  const kind = encoding.classification.trained === "either" ? "fixed or trained" : "trained";
  return count === 0 ? kind : `${kind}, ${count.toLocaleString("en")} parameters by default`;
}

function overview(encodings: readonly Encoding[]): string {
  const rows = encodings.map((encoding) => [
    `[\`${encoding.id}\`](#${encoding.id})`,
    encoding.title.en,
    KIND[encoding.classification.kind],
    ACTS[encoding.classification.acts],
    encoding.classification.trained === "either" ? "fixed or trained" : encoding.classification.trained,
  ]);
  return table(["id", "name", "kind", "acts", "values"], rows);
}

/** The other way round: which model has which. */
function byModel(encodings: readonly Encoding[]): string {
  const rows = encodings.flatMap((encoding) => encoding.explanation.models.map((model) => [model, encoding] as const));
  const sorted = rows.sort(([a], [b]) => a.localeCompare(b, "en"));
  return table(
    ["model", "encoding"],
    sorted.map(([model, encoding]) => [model, `[${encoding.title.en}](#${encoding.id})`]),
  );
}

function fates(encoding: Encoding): string {
  return TERMS.map(([role, name]) => `${name} ${FATE[encoding.fate[role]]}`).join(", ");
}

function formulaText({ tex, text, meaning }: Formula): string {
  return [...(meaning === undefined ? [] : [meaning.en]), `\`\`\`math\n${tex}\n\`\`\``, `In plain text: ${text}`].join(
    "\n\n",
  );
}

function bounds({ min, max, above, choices }: Parameter): string {
  if (choices !== undefined) return choices.map(({ value }) => `\`${value}\``).join(", ");
  const low = above === undefined ? (min === undefined ? "" : `from ${min}`) : `greater than ${above}`;
  return [low, max === undefined ? "" : `up to ${max.toLocaleString("en")}`].filter(Boolean).join(", ");
}

function shown(value: ParamValue): string {
  return value === null ? "not set" : `\`${JSON.stringify(value)}\``;
}

function parameterTable(encoding: Encoding): string {
  const rows = encoding.parameters.map((parameter) => [
    [parameter.name, ...(parameter.aliases ?? [])].map((name) => `\`${name}\``).join(", "),
    shown(parameter.default),
    bounds(parameter),
    parameter.help.en,
  ]);
  return table(["parameter", "default", "range", "meaning"], rows);
}

function paper({ title, arxiv, url, year }: Paper): string {
  const link = arxiv === undefined ? url : `https://arxiv.org/abs/${arxiv}`;
  const named = link === undefined ? title : `[${title}](${link})`;
  return `${named}, ${year}${arxiv === undefined ? "" : `, arXiv ${arxiv}`}`;
}

function domainText(encoding: Encoding): string {
  const domain = encoding.domain(checkParams(encoding, {}).params);
  const row = encoding.local ? "" : " A cell depends on its whole row.";
  if (domain.kind === "any") return `Defined at every position.${row}`;
  if (domain.kind === "table")
    return `Defined at positions 0 to ${domain.size - 1} by default. ${domain.reason.en}${row}`;
  return `Must be computed from the start. ${domain.reason.en}${row}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

function section(encoding: Encoding): string {
  const { classification, explanation, aliases, learned } = encoding;
  const facts = [
    `Id \`${encoding.id}\`; ${KIND[classification.kind]}; acts ${ACTS[classification.acts]}; ${trainedCount(encoding)}.`,
    `Of the expansion: ${fates(encoding)}.`,
    domainText(encoding),
    ...(aliases.length === 0 ? [] : [`Also found as ${aliases.join(", ")}.`]),
    ...(learned.length === 0 ? [] : [`Learned arrays: ${learned.map((name) => `\`${name}\``).join(", ")}.`]),
  ];
  const formulas = encoding.formulas.map((formula) =>
    encoding.formulas.length === 1 ? formulaText(formula) : `#### \`${formula.id}\`\n\n${formulaText(formula)}`,
  );
  return [
    `<a id="${encoding.id}"></a>`,
    `## ${encoding.title.en}`,
    explanation.summary.en,
    list(facts),
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
    list([
      ...encoding.papers.map(paper),
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
  const parts = [INTRODUCTION, overview(encodings), "## By model", byModel(encodings), ...encodings.map(section)];
  return `${parts.join("\n\n")}\n`;
}
