const OPENING = /^([ \t]*(?:>[ \t]?)*[ \t]*)(`{3,}|~{3,})[ \t]*\{?\.?(\w*)/;
const PYTHON = new Set(["python", "py", "python3", "py3", "ipython", "jupyter"]);

/**
 * The Python of a Markdown text: everything outside of Python fences is blank, so that every offset stays what it was.
 * Fences share their names, like cells of a notebook.
 */
export function fencedPython(markdown: string): string {
  let fence: { mark: string; prefix: string; python: boolean } | null = null;
  const lines = markdown.split("\n").map((line) => {
    const opening = OPENING.exec(line);
    if (fence === null) {
      if (opening !== null)
        fence = {
          mark: opening[2] ?? "",
          prefix: opening[1] ?? "",
          python: PYTHON.has((opening[3] ?? "").toLowerCase()),
        };
      return blank(line);
    }
    const { mark, prefix, python } = fence;
    if (opening !== null && (opening[2] ?? "").startsWith(mark) && opening[3] === "") {
      fence = null;
      return blank(line);
    }
    return python ? unquoted(line, prefix) : blank(line);
  });
  return lines.join("\n");
}

function blank(line: string): string {
  return " ".repeat(line.length);
}

/** Quote marks of a quoted fence are blanked, so that the code keeps its place. */
function unquoted(line: string, prefix: string): string {
  if (!prefix.includes(">")) return line;
  const quoted = /^[ \t]*(?:>[ \t]?)*/.exec(line)?.[0].length ?? 0;
  return " ".repeat(quoted) + line.slice(quoted);
}
