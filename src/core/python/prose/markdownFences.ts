const FENCE = /^((?:[ \t]*>)*[ \t]*)(`{3,}|~{3,})[ \t]*\{?\.?(\w*)/;
const PYTHON_LANGUAGES = new Set(["python", "py", "python3", "py3", "ipython", "jupyter"]);

/**
 * The Python of a Markdown text: everything outside of Python fences is blanked, so that offsets stay the same. Fences
 * share their names, like the cells of a notebook.
 */
export function extractFencedPython(markdown: string): string {
  let fence: { mark: string; prefix: string; python: boolean } | null = null;
  const lines = markdown.split("\n").map((line) => {
    const opening = FENCE.exec(line);
    if (fence === null) {
      if (opening !== null)
        fence = {
          mark: opening[2] ?? "",
          prefix: opening[1] ?? "",
          python: PYTHON_LANGUAGES.has((opening[3] ?? "").toLowerCase()),
        };
      return blankLine(line);
    }
    const { mark, prefix, python } = fence;
    if (opening !== null && (opening[2] ?? "").startsWith(mark) && opening[3] === "") {
      fence = null;
      return blankLine(line);
    }
    return python ? blankQuoteMarks(line, prefix) : blankLine(line);
  });
  return lines.join("\n");
}

function blankLine(line: string): string {
  return " ".repeat(line.length);
}

/** Blanks the quote marks of a quoted fence, so that the code keeps its offsets. */
function blankQuoteMarks(line: string, prefix: string): string {
  if (!prefix.includes(">")) return line;
  const quoted = /^[ \t]*(?:>[ \t]?)*/.exec(line)?.[0].length ?? 0;
  return " ".repeat(quoted) + line.slice(quoted);
}
