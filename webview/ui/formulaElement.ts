import mathml from "../generated/mathml.json" with { type: "json" };
import "./formulaElement.css";
import { ownValue } from "../../src/core/util/ownValue.ts";

const MATHML_BY_FORMULA: Readonly<Record<string, string>> = mathml;

/** A space of at least this many em separates formulas; a narrow column may break there. */
const MIN_BREAK_EM = 1;
/** A formula that would have to shrink below this scale is broken into lines first. */
const MIN_UNBROKEN_SCALE = 0.9;
/** Smallest readable scale; a wider formula scrolls. */
const MIN_SCALE = 0.72;

function isBreak(node: Element): boolean {
  return node.localName === "mspace" && Number.parseFloat(node.getAttribute("width") ?? "0") >= MIN_BREAK_EM;
}

/** The rows of the formula: those of a top-level alignment table, else a single one. */
function formulaRows(whole: Element): Element[][] {
  const rows: Element[][] = [[]];
  for (const child of whole.children) {
    if (child.localName !== "mtable") rows.at(-1)?.push(child);
    else for (const row of child.children) rows.push([...row.children].flatMap(cellContent), []);
  }
  return rows.filter((row) => row.length > 0);
}

/** Cells of an alignment come in pairs, the sides of an equation; a space separates pairs. */
function cellContent(cell: Element, column: number): Element[] {
  // MathJax wraps continuation lines in an indent element; here lines are broken anew, so it is unwrapped.
  const content = [...cell.children].flatMap((child) =>
    child.hasAttribute("indentshift") ? [...child.children] : [child],
  );
  if (column === 0 || column % 2 === 1) return content;
  const space = mathElement("mspace");
  space.setAttribute("width", "2em");
  return [space, ...content];
}

function mathElement(name: "math" | "mspace"): Element {
  return document.createElementNS("http://www.w3.org/1998/Math/MathML", name);
}

/** Breaks a row so that each formula starts a new line. */
function breakRow(row: Element[]): Element[][] {
  const parts: Element[][] = [[]];
  for (const child of row) {
    if (isBreak(child)) parts.push([]);
    else parts.at(-1)?.push(child);
  }
  return parts.filter((part) => part.length > 0);
}

/**
 * A compiled formula as MathML. MathML does not break lines, so this breaks and scales the formula to fit a narrow
 * column. Property: `formula`, the id. Empty for an unknown id; the plain text is always shown beside it.
 */
class FormulaElement extends HTMLElement {
  readonly #observer = new ResizeObserver(() => this.#fit());
  #id = "";
  #source: Element | null = null;
  #fittedWidth = 0;

  set formula(id: string) {
    if (this.#id === id) return;
    this.#id = id;
    this.#source = new DOMParser()
      .parseFromString(ownValue(MATHML_BY_FORMULA, id) ?? "", "text/html")
      .querySelector("math");
    this.#fittedWidth = 0;
    this.#renderLines((row) => [row]);
    this.#fit();
  }

  /** @param linesOf splits a row into lines */
  #renderLines(linesOf: (row: Element[]) => Element[][]): void {
    const whole = this.#source?.cloneNode(true);
    const lines = whole instanceof Element ? formulaRows(whole).flatMap(linesOf) : [];
    this.replaceChildren(
      ...lines.map((line) => {
        const math = mathElement("math");
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
    if (clientWidth === 0 || clientWidth === this.#fittedWidth) return;
    this.#fittedWidth = clientWidth;
    this.style.fontSize = "1.05em";
    this.#renderLines((row) => [row]);
    if (clientWidth < MIN_UNBROKEN_SCALE * this.scrollWidth) this.#renderLines(breakRow);
    const scale = Math.max(MIN_SCALE, Math.min(1, clientWidth / this.scrollWidth));
    if (scale < 1) this.style.fontSize = `${1.05 * scale}em`;
  }
}

export function defineFormula(): void {
  if (customElements.get("posenc-formula") === undefined) customElements.define("posenc-formula", FormulaElement);
}
