import mathml from "../generated/mathml.json" with { type: "json" };
import "./formulaElement.css";
import { ownValue } from "../../src/core/util/ownValue.ts";
import { breakLine, type LinePiece } from "./formulaLines.ts";

const MATHML_BY_FORMULA: Readonly<Record<string, string>> = mathml;

/** A space of at least this many em separates formulas; a narrow column may break there. */
const MIN_BREAK_EM = 1;
/** A formula that would have to shrink below this scale is broken into lines first. */
const MIN_UNBROKEN_SCALE = 0.9;
/** A formula that would still have to shrink below this scale is broken at its operators too. */
const MIN_SCALE = 0.8;

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

function measurePiece(child: Element): LinePiece {
  const { left, right } = child.getBoundingClientRect();
  return { operator: findOperator(child), isSpace: isBreak(child), left, right };
}

/** The text of an operator; a large bracket is wrapped in a row of its own. */
function findOperator(child: Element): string | null {
  if (child.localName === "mo") return child.textContent;
  const [only] = child.children;
  return child.localName === "mrow" && child.children.length === 1 && only !== undefined ? findOperator(only) : null;
}

/** Breaks the lines that are wider than `limit` pixels, as laid out in `shown`. */
function breakLines(shown: readonly Element[], limit: number, atOperators: boolean): Element[][] {
  return shown.flatMap((line) => {
    const children = [...line.children];
    const starts = [0, ...breakLine(children.map(measurePiece), limit, atOperators), children.length];
    return starts.slice(1).map((end, n) => {
      const part = children.slice(starts[n], end);
      // At the start of a line, an operator would be taken for a prefix, without the space after it.
      if (n > 0 && part[0]?.localName === "mo") part[0].setAttribute("form", "infix");
      return part.at(-1)?.localName === "mspace" ? part.slice(0, -1) : part;
    });
  });
}

/**
 * A compiled formula as MathML. MathML does not break lines, so this breaks and scales the formula to fit a narrow
 * column; what still does not fit scrolls, also by keyboard. Property: `formula`, the id. Empty for an unknown id; the
 * plain text is always shown beside it.
 */
class FormulaElement extends HTMLElement {
  readonly #observer = new ResizeObserver(() => this.#fit());
  #id = "";
  #source: Element | null = null;
  #fittedWidth = 0;

  set formula(id: string) {
    if (this.#id === id) return;
    this.#id = id;
    const content = ownValue(MATHML_BY_FORMULA, id);
    this.#source = new DOMParser()
      .parseFromString(content === undefined ? "" : `<math>${content}</math>`, "text/html")
      .querySelector("math");
    this.#fittedWidth = 0;
    this.#renderRows();
    this.#fit();
  }

  #renderRows(): void {
    const whole = this.#source?.cloneNode(true);
    this.#renderLines(whole instanceof Element ? formulaRows(whole) : []);
  }

  #renderLines(lines: readonly Element[][]): void {
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
    this.#renderRows();
    const limit = clientWidth / MIN_UNBROKEN_SCALE;
    if (this.scrollWidth > limit) this.#renderLines(breakLines([...this.children], limit, false));
    if (this.scrollWidth > clientWidth / MIN_SCALE) {
      this.#renderRows();
      this.#renderLines(breakLines([...this.children], limit, true));
    }
    const scale = Math.max(MIN_SCALE, Math.min(1, clientWidth / this.scrollWidth));
    if (scale < 1) this.style.fontSize = `${1.05 * scale}em`;
    // The width of text is not quite proportional to its size.
    this.toggleAttribute("tabindex", this.scrollWidth > clientWidth + 1);
    if (this.hasAttribute("tabindex")) this.tabIndex = 0;
  }
}

export function defineFormula(): void {
  if (customElements.get("posenc-formula") === undefined) customElements.define("posenc-formula", FormulaElement);
}
