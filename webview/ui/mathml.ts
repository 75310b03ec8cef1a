import mathml from "../generated/mathml.json" with { type: "json" };

const MATHML: Readonly<Record<string, string>> = mathml;

/** Spaces of at least this many em stand between formulas: there a narrow column may begin a new line. */
const BREAK = 1;
/** A formula that would be smaller than this of its size is broken into lines. */
const ROOMY = 0.9;
/** Smaller than this nobody can read it; the rest can be scrolled to. */
const SMALLEST = 0.72;

function isBreak(node: Element): boolean {
  return node.localName === "mspace" && Number.parseFloat(node.getAttribute("width") ?? "0") >= BREAK;
}

/** The lines as they were written: the rows of a table at the top, which is an alignment. */
function rowsOf(whole: Element): Element[][] {
  const rows: Element[][] = [[]];
  for (const child of whole.children) {
    if (child.localName !== "mtable") rows.at(-1)?.push(child);
    else for (const row of child.children) rows.push([...row.children].flatMap(contentOf), []);
  }
  return rows.filter((row) => row.length > 0);
}

/** Each two cells are the sides of a formula: a space stands between those and the next two. */
function contentOf(cell: Element, number: number): Element[] {
  // MathJax writes how a line would go on; these lines are broken here.
  const content = [...cell.children].flatMap((child) =>
    child.hasAttribute("indentshift") ? [...child.children] : [child],
  );
  if (number === 0 || number % 2 === 1) return content;
  const space = element("mspace");
  space.setAttribute("width", "2em");
  return [space, ...content];
}

function element(name: "math" | "mspace"): Element {
  return document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
}

/** Lines for a narrow column: every formula of a row begins a new one. */
function broken(row: Element[]): Element[][] {
  const parts: Element[][] = [[]];
  for (const child of row) {
    if (isBreak(child)) parts.push([]);
    else parts.at(-1)?.push(child);
  }
  return parts.filter((part) => part.length > 0);
}

/**
 * A compiled formula as MathML, in lines for a narrow column (MathML breaks none by itself) and in a size that fits
 * it. Property: `formula`, the id. Empty where it was not compiled; its plain text always stands beside it.
 */
class FormulaElement extends HTMLElement {
  readonly #observer = new ResizeObserver(() => this.#fit());
  #id = "";
  #whole: Element | null = null;
  #fitted = 0;

  set formula(id: string) {
    if (this.#id === id) return;
    this.#id = id;
    this.#whole = new DOMParser().parseFromString(MATHML[id] ?? "", "text/html").querySelector("math");
    this.#fitted = 0;
    this.#show((row) => [row]);
    this.#fit();
  }

  /** @param linesOf the lines of a row */
  #show(linesOf: (row: Element[]) => Element[][]): void {
    const whole = this.#whole?.cloneNode(true);
    const lines = whole instanceof Element ? rowsOf(whole).flatMap(linesOf) : [];
    this.replaceChildren(
      ...lines.map((line) => {
        const math = element("math");
        math.setAttribute("display", "block");
        math.append(...line);
        return math;
      }),
    );
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
    this.#show((row) => [row]);
    if (clientWidth < ROOMY * this.scrollWidth) this.#show(broken);
    const scale = Math.max(SMALLEST, Math.min(1, clientWidth / this.scrollWidth));
    if (scale < 1) this.style.fontSize = `${1.05 * scale}em`;
  }
}

export function defineFormula(): void {
  if (customElements.get("posenc-formula") === undefined) customElements.define("posenc-formula", FormulaElement);
}
