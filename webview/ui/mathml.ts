import mathml from "../generated/mathml.json" with { type: "json" };

const MATHML: Readonly<Record<string, string>> = mathml;

/** Spaces of at least this many em stand between formulas: there a narrow column may begin a new line. */
const BREAK = 1;

function isBreak(node: Element): boolean {
  return node.localName === "mspace" && Number.parseFloat(node.getAttribute("width") ?? "0") >= BREAK;
}

/**
 * A compiled formula as MathML elements, one for each line of a narrow column: MathML breaks none by itself.
 * Empty where the formula was not compiled; its plain text always stands beside it.
 */
export function formulaLines(id: string): Element[] {
  const markup = MATHML[id];
  if (markup === undefined) return [];
  const whole = new DOMParser().parseFromString(markup, "text/html").querySelector("math");
  if (whole === null) return [];
  const lines: Element[] = [];
  let line = whole.cloneNode(false);
  for (const child of [...whole.children]) {
    if (!isBreak(child)) line.appendChild(child);
    else if (line.hasChildNodes()) {
      if (line instanceof Element) lines.push(line);
      line = whole.cloneNode(false);
    }
  }
  if (line instanceof Element && line.hasChildNodes()) lines.push(line);
  return lines;
}
