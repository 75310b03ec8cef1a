import { escapeControls } from "../core/util/escapeControls.ts";
import type { FileProblem } from "./check.ts";

const WORKFLOW_COMMANDS: Readonly<Record<FileProblem["problem"]["severity"], string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

/** Of what is left, nothing may act on a terminal that shows the log. */
function escapeData(text: string): string {
  return escapeControls(encodeData(text));
}

function encodeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** A comma or a colon ends a property, so that both are escaped too. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Formats findings as GitHub Actions workflow commands, which annotate a pull request without code scanning. */
export function formatGithubLog(problems: readonly FileProblem[]): string {
  const lines = problems.map(({ file, problem: { severity, rule, message, range } }) => {
    const { start, end } = range;
    const place = `line=${start.line},endLine=${end.line},col=${start.column},endColumn=${end.column}`;
    return `::${WORKFLOW_COMMANDS[severity]} file=${escapeProperty(file)},${place},title=${escapeProperty(rule)}::${escapeData(message)}\n`;
  });
  return lines.join("");
}
