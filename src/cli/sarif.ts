import { relative, resolve, sep } from "node:path";
import { RULES } from "../core/config/rules/index.ts";
import type { Rule } from "../core/config/rules/rule.ts";
import type { FileProblem } from "./check.ts";
import { formatJson } from "./output.ts";

/** SARIF's names of our severities. */
const SARIF_LEVELS = { error: "error", warning: "warning", info: "note" } as const;

/** Findings of the reader itself, which are not in the table of rules. */
const READER_RULES: readonly (readonly [id: string, text: string])[] = [
  ["config/unreadable", "File cannot be parsed"],
  ["config/wrong-type", "Required key has a value of the wrong type"],
  ["config/missing-value", "Required key is missing"],
  ["config/duplicate-key", "Key occurs more than once in an object"],
  ["config/too-large", "Size is larger than any model has"],
  ["config/unread-position-key", "Key about positions is not read"],
  ["config/too-many", "More findings than are listed"],
];

/**
 * Formats findings as a SARIF 2.1.0 log (OASIS), with URIs relative to the working folder and columns in UTF-16 units.
 */
export function formatSarif(problems: readonly FileProblem[]): string {
  const rules = [
    ...READER_RULES.map(([id, text]) => ({ id, shortDescription: { text } })),
    ...RULES.map(ruleDescriptor),
  ];
  const index = new Map(rules.map(({ id }, i) => [id, i]));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "posenc", rules } },
        columnKind: "utf16CodeUnits",
        results: problems.map((found) => sarifResult(found, index)),
      },
    ],
  };
  return formatJson(log, 2);
}

function ruleDescriptor({ id, severity, title, rationale, reference }: Rule) {
  return {
    id,
    shortDescription: { text: title.en },
    fullDescription: { text: rationale.en },
    help: { text: `${rationale.en}\n${reference}` },
    defaultConfiguration: { level: SARIF_LEVELS[severity] },
  };
}

function sarifResult({ file, problem }: FileProblem, index: ReadonlyMap<string, number>) {
  const { start, end } = problem.range;
  return {
    ruleId: problem.rule,
    ruleIndex: index.get(problem.rule) ?? -1,
    level: SARIF_LEVELS[problem.severity],
    message: { text: problem.path.length === 0 ? problem.message : `${problem.path.join(".")}: ${problem.message}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: relativeUri(file) },
          region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
        },
      },
    ],
  };
}

function relativeUri(file: string): string {
  return relative(process.cwd(), resolve(file)).split(sep).map(encodeURIComponent).join("/");
}
