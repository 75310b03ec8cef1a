import type { LiteElement } from "@mathjax/src/js/adaptors/lite/Element.js";

/** x → a·x + e, y → d·y + f: all that MathJax's output uses. */
interface Transform {
  readonly a: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

const number = (value: string | undefined): number => {
  const parsed = Number.parseFloat(value ?? "0");
  if (!Number.isFinite(parsed)) throw new Error(`not a number in MathJax's output: ${value}`);
  return parsed;
};

function compose(outer: Transform, text: string | undefined): Transform {
  let now = outer;
  for (const [, name, list] of (text ?? "").matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x = 0, y] = (list ?? "").split(/[\s,]+/).map(number);
    if (name === "translate") now = { ...now, e: now.e + now.a * x, f: now.f + now.d * (y ?? 0) };
    else if (name === "scale") now = { ...now, a: now.a * x, d: now.d * (y ?? x) };
    else throw new Error(`transform ${name} is not understood`);
  }
  return now;
}

/** How many numbers follow a path command, and whether each one is an x (0) or a y (1). */
const AXES: Readonly<Record<string, readonly (0 | 1)[]>> = {
  M: [0, 1],
  L: [0, 1],
  H: [0],
  V: [1],
  C: [0, 1, 0, 1, 0, 1],
  S: [0, 1, 0, 1],
  Q: [0, 1, 0, 1],
  T: [0, 1],
};

/** Rewrites an absolute path relative to its own start, with integer coordinates: half the size. */
export function relativePath(source: string, scaleX: number, scaleY: number): string {
  const at: [number, number] = [0, 0];
  const start: [number, number] = [0, 0];
  let out = "";
  for (const [, command = "", rest = ""] of source.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    if (command === "Z" || command === "z") {
      out += "z";
      [at[0], at[1]] = start;
      continue;
    }
    const axes = AXES[command];
    if (axes === undefined) throw new Error(`path command ${command} is not understood`);
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    for (let first = 0; first < numbers.length; first += axes.length) {
      const end: [number, number] = [...at];
      const moved = axes.map((axis, index) => {
        const absolute = Math.round((numbers[first + index] ?? 0) * (axis === 0 ? scaleX : scaleY));
        end[axis] = absolute;
        return absolute - at[axis];
      });
      out += (first === 0 ? command.toLowerCase() : implicit(command)) + joined(moved, first > 0 && command !== "M");
      [at[0], at[1]] = end;
      if (command === "M" && first === 0) [start[0], start[1]] = end;
    }
  }
  return out;
}

const implicit = (command: string): string => (command === "M" ? "l" : "");

function joined(numbers: readonly number[], continues: boolean): string {
  return numbers.map((value, index) => ((index > 0 || continues) && value >= 0 ? ` ${value}` : `${value}`)).join("");
}

interface Shape {
  readonly markup: string;
  /** For repeated glyphs: everything but the place. */
  readonly glyph?: string;
  readonly x: number;
  readonly y: number;
}

const attributesOf = (element: LiteElement): Record<string, string | undefined> => element.attributes;

function shapesOf(element: LiteElement, outer: Transform, shapes: Shape[]): void {
  const attributes = attributesOf(element);
  const here = compose(outer, attributes["transform"]);
  if (element.kind === "path") shapes.push(glyph(attributes["d"] ?? "", here));
  else if (element.kind === "rect") shapes.push(rectangle(attributes, here));
  else if (element.kind === "svg") shapes.push(clipped(element, here));
  else if (element.kind === "g") {
    for (const child of childrenOf(element)) shapesOf(child, here, shapes);
  } else throw new Error(`<${element.kind}> in a formula: a character that MathJax has no glyph for?`);
}

const childrenOf = (element: LiteElement): LiteElement[] =>
  element.children.filter((child): child is LiteElement => "children" in child);

function glyph(d: string, { a, d: scaleY, e, f }: Transform): Shape {
  return { markup: "", glyph: relativePath(d, a, scaleY), x: Math.round(e), y: Math.round(f) };
}

function rectangle(attributes: Record<string, string | undefined>, { a, d, e, f }: Transform): Shape {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => number(attributes[name]));
  const left = Math.round(e + a * (x ?? 0));
  const top = Math.round(f + Math.min(d * (y ?? 0), d * ((y ?? 0) + (height ?? 0))));
  const tall = Math.max(1, Math.round(Math.abs(d) * (height ?? 0)));
  return { markup: `<path d="m${left} ${top}h${Math.round(a * (width ?? 0))}v${tall}H${left}z"/>`, x: 0, y: 0 };
}

/** The stretched middle of a tall brace: a nested <svg> that clips its child. */
function clipped(element: LiteElement, { a, d, e, f }: Transform): Shape {
  const attributes = attributesOf(element);
  const inner: Shape[] = [];
  for (const child of childrenOf(element)) shapesOf(child, { a: 1, d: 1, e: 0, f: 0 }, inner);
  const box = ["x", "y", "width", "height", "viewBox"].map((name) => `${name}="${attributes[name] ?? "0"}"`).join(" ");
  const matrix = [a, 0, 0, d, e, f].map((value) => Number(value.toFixed(3))).join(" ");
  return { markup: `<g transform="matrix(${matrix})"><svg ${box}>${markupOf(inner)}</svg></g>`, x: 0, y: 0 };
}

function markupOf(shapes: readonly Shape[]): string {
  const counts = new Map<string, number>();
  for (const { glyph: d } of shapes) if (d !== undefined) counts.set(d, (counts.get(d) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const [d, count] of counts) if (count > 1 && d.length > 30) names.set(d, `g${names.size}`);
  const defs = [...names].map(([d, name]) => `<path id="${name}" d="${d}"/>`).join("");
  return (defs === "" ? "" : `<defs>${defs}</defs>`) + shapes.map((shape) => place(shape, names)).join("");
}

function place({ markup, glyph: d, x, y }: Shape, names: ReadonlyMap<string, string>): string {
  if (d === undefined) return markup;
  if (d === "") return "";
  const name = names.get(d);
  if (name !== undefined) return `<use href="#${name}" x="${x}" y="${y}"/>`;
  return `<path d="${d.replace(/^m(-?\d+) ?(-?\d+)/, (_, dx, dy) => `m${x + Number(dx)} ${y + Number(dy)}`)}"/>`;
}

export interface CompactSvg {
  readonly svg: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * MathJax's SVG as one flat list of paths in `currentColor`, without ids or styles that could clash.
 * @param pixelsPerEm size of the type
 * @param maxWidth pixels; a wider formula is scaled down to it
 */
export function compactSvg(source: LiteElement, pixelsPerEm: number, maxWidth: number): CompactSvg {
  const [left = 0, top = 0, width = 0, height = 0] = (attributesOf(source)["viewBox"] ?? "").split(" ").map(number);
  // MathJax draws 1000 units an em. At 250 one is a fifteenth of a pixel, and a third fewer digits.
  const unit = 0.25;
  const shapes: Shape[] = [];
  const origin = { a: unit, d: unit, e: -left * unit, f: -top * unit };
  for (const child of childrenOf(source)) if (child.kind !== "defs") shapesOf(child, origin, shapes);
  const pixels = Math.min(pixelsPerEm / 1000, maxWidth / width);
  const size = { width: Math.ceil(width * pixels), height: Math.ceil(height * pixels) };
  const box = `0 0 ${Math.ceil(width * unit)} ${Math.ceil(height * unit)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${box}" fill="currentColor">${markupOf(shapes)}</svg>`;
  return { svg, ...size };
}
