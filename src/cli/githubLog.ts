import type { FileProblem } from "./check.ts";

const COMMANDS: Readonly<Record<FileProblem["problem"]["severity"], string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** Values of properties end at a comma or a colon. */
function property(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Workflow commands of GitHub Actions: each is an annotation of the pull request, without code scanning. */
export function githubLog(problems: readonly FileProblem[]): string {
  const lines = problems.map(({ file, problem: { severity, rule, message, range } }) => {
    const { start, end } = range;
    const place = `line=${start.line},endLine=${end.line},col=${start.column},endColumn=${end.column}`;
    return `::${COMMANDS[severity]} file=${property(file)},${place},title=${property(rule)}::${escaped(message)}\n`;
  });
  return lines.join("");
}
