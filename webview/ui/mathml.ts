import mathml from "../generated/mathml.json" with { type: "json" };

const MATHML: Readonly<Record<string, string>> = mathml;

/** Spaces of at least this many em stand between formulas: there a narrow column may begin a new line. */
const BREAK = 1;
/** Smaller than this nobody can read it; the rest can be scrolled to. */
const SMALLEST = 0.72;

function isBreak(node: Element): boolean {
  return node.localName === "mspace" && Number.parseFloat(node.getAttribute("width") ?? "0") >= BREAK;
}

/** What stands in a row of an alignment: each two cells are the sides of a formula. */
function formulasOf(row: Element): Element[][] {
  const cells = [...row.children].map((cell) => [...cell.children]);
  return cells.flatMap((cell, n) => (n % 2 === 0 ? [[...cell, ...(cells[n + 1] ?? [])], []] : []));
}

/** The children of a formula, one list for each line; a table at its top is an alignment, whose rows are lines. */
function linesOf(whole: Element): Element[][] {
  const lines: Element[][] = [[]];
  for (const child of [...whole.children]) {
    if (child.localName === "mtable") {
      for (const row of child.children) lines.push(...formulasOf(row));
    } else if (isBreak(child)) lines.push([]);
    else lines.at(-1)?.push(child);
  }
  return lines.flatMap(brokenAtSpaces).filter((line) => line.length > 0);
}

function brokenAtSpaces(line: Element[]): Element[][] {
  const parts: Element[][] = [[]];
  for (const child of line) {
    if (isBreak(child)) parts.push([]);
    else parts.at(-1)?.push(child);
  }
  return parts;
}

/**
 * A compiled formula as MathML, in lines for a narrow column (MathML breaks none by itself) and in a size that fits
 * it. Property: `formula`, the id. Empty where it was not compiled; its plain text always stands beside it.
 */
class FormulaElement extends HTMLElement {
  readonly #observer = new ResizeObserver(() => this.#fit());
  #id = "";
  #fitted = 0;

  set formula(id: string) {
    if (this.#id === id) return;
    this.#id = id;
    const whole = new DOMParser().parseFromString(MATHML[id] ?? "", "text/html").querySelector("math");
    const lines = whole === null ? [] : linesOf(whole);
    this.replaceChildren(
      ...lines.map((line) => {
        const math = document.createElementNS("http://www.w3.org/1998/Math/MathML", "math");
        math.setAttribute("display", "block");
        math.append(...line);
        return math;
      }),
    );
    this.#fitted = 0;
    this.#fit();
  }

  connectedCallback(): void {
    this.#observer.observe(this);
  }

  disconnectedCallback(): void {
    this.#observer.disconnect();
  }

  #fit(): void {
    const { clientWidth } = this;
    if (clientWidth === 0 || clientWidth === this.#fitted) return;
    this.#fitted = clientWidth;
    this.style.fontSize = "1.05em";
    const scale = Math.max(SMALLEST, Math.min(1, clientWidth / this.scrollWidth));
    if (scale < 1) this.style.fontSize = `${1.05 * scale}em`;
  }
}

export function defineFormula(): void {
  if (customElements.get("posenc-formula") === undefined) customElements.define("posenc-formula", FormulaElement);
}
