import type { LiteElement } from "@mathjax/src/js/adaptors/lite/Element.js";

/** MathJax draws 1000 units per em. At 250 a unit is a fifteenth of a pixel and takes a third fewer digits. */
const COORDINATE_SCALE = 0.25;

/** x → a·x + e, y → d·y + f; MathJax's output uses no other transforms. */
interface Transform {
  readonly a: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

const parseFinite = (value: string | undefined): number => {
  const parsed = Number.parseFloat(value ?? "0");
  if (!Number.isFinite(parsed)) throw new Error(`not a number in MathJax's output: ${value}`);
  return parsed;
};

function composeTransform(outer: Transform, text: string | undefined): Transform {
  let now = outer;
  for (const [, name, list] of (text ?? "").matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [x = 0, y] = (list ?? "").split(/[\s,]+/).map(parseFinite);
    if (name === "translate") now = { ...now, e: now.e + now.a * x, f: now.f + now.d * (y ?? 0) };
    else if (name === "scale") now = { ...now, a: now.a * x, d: now.d * (y ?? x) };
    else throw new Error(`transform ${name} is not understood`);
  }
  return now;
}

/** The numbers after a path command: 0 for an x, 1 for a y. */
const COMMAND_AXES: Readonly<Record<string, readonly (0 | 1)[]>> = {
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
    const axes = COMMAND_AXES[command];
    if (axes === undefined) throw new Error(`path command ${command} is not understood`);
    const numbers = (rest.match(/-?(?:\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    for (let first = 0; first < numbers.length; first += axes.length) {
      const end: [number, number] = [...at];
      const moved = axes.map((axis, index) => {
        const absolute = Math.round((numbers[first + index] ?? 0) * (axis === 0 ? scaleX : scaleY));
        end[axis] = absolute;
        return absolute - at[axis];
      });
      out +=
        (first === 0 ? command.toLowerCase() : implicitCommand(command)) +
        joinNumbers(moved, first > 0 && command !== "M");
      [at[0], at[1]] = end;
      if (command === "M" && first === 0) [start[0], start[1]] = end;
    }
  }
  return out;
}

const implicitCommand = (command: string): string => (command === "M" ? "l" : "");

function joinNumbers(numbers: readonly number[], continues: boolean): string {
  return numbers.map((value, index) => ((index > 0 || continues) && value >= 0 ? ` ${value}` : `${value}`)).join("");
}

/** A placed glyph, kept separate so that repeated ones are written once; or finished markup. */
type SvgShape = { readonly markup: string } | Glyph;

interface Glyph {
  readonly d: string;
  readonly at: Transform;
}

const elementAttributes = (element: LiteElement): Record<string, string | undefined> => element.attributes;

function collectShapes(element: LiteElement, outer: Transform, shapes: SvgShape[]): void {
  const attributes = elementAttributes(element);
  const here = composeTransform(outer, attributes["transform"]);
  if (element.kind === "path") shapes.push({ d: attributes["d"] ?? "", at: here });
  else if (element.kind === "rect") shapes.push(rectangleShape(attributes, here));
  else if (element.kind === "svg") shapes.push(clippedShape(element, here));
  else if (element.kind === "g") {
    for (const child of childElements(element)) collectShapes(child, here, shapes);
  } else throw new Error(`<${element.kind}> in a formula: a character that MathJax has no glyph for?`);
}

const childElements = (element: LiteElement): LiteElement[] =>
  element.children.filter((child): child is LiteElement => "children" in child);

function rectangleShape(attributes: Record<string, string | undefined>, { a, d, e, f }: Transform): SvgShape {
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => parseFinite(attributes[name]));
  const left = Math.round(e + a * (x ?? 0));
  const top = Math.round(f + Math.min(d * (y ?? 0), d * ((y ?? 0) + (height ?? 0))));
  const tall = Math.max(1, Math.round(Math.abs(d) * (height ?? 0)));
  return { markup: `<path d="m${left} ${top}h${Math.round(a * (width ?? 0))}v${tall}H${left}z"/>` };
}

/** The stretched middle of a tall brace: a nested <svg> that clips its child. */
function clippedShape(element: LiteElement, { a, d, e, f }: Transform): SvgShape {
  const attributes = elementAttributes(element);
  const inner: SvgShape[] = [];
  for (const child of childElements(element)) collectShapes(child, { a: 1, d: 1, e: 0, f: 0 }, inner);
  const box = ["x", "y", "width", "height", "viewBox"].map((name) => `${name}="${attributes[name] ?? "0"}"`).join(" ");
  const matrix = [a, 0, 0, d, e, f].map((value) => Number(value.toFixed(3))).join(" ");
  return { markup: `<g transform="matrix(${matrix})"><svg ${box}>${buildMarkup(inner, false)}</svg></g>` };
}

/** @param shared whether repeated glyphs are written once; not inside a clipped part, which has other units */
function buildMarkup(shapes: readonly SvgShape[], shared: boolean): string {
  const counts = new Map<string, number>();
  for (const shape of shapes) if ("d" in shape && shape.d !== "") counts.set(shape.d, (counts.get(shape.d) ?? 0) + 1);
  const names = new Map<string, string>();
  for (const [d, count] of counts) if (shared && count > 1 && d.length > 100) names.set(d, `g${names.size}`);
  const defs = [...names]
    .map(([d, name]) => `<path id="${name}" d="${relativePath(d, COORDINATE_SCALE, -COORDINATE_SCALE)}"/>`)
    .join("");
  return (defs === "" ? "" : `<defs>${defs}</defs>`) + shapes.map((shape) => placeShape(shape, names)).join("");
}

/** Shared glyphs are written upright (MathJax's y axis points up) at text size; other sizes are scaled. */
function placeShape(shape: SvgShape, names: ReadonlyMap<string, string>): string {
  if ("markup" in shape) return shape.markup;
  const { a, d: down, e, f } = shape.at;
  const [x, y] = [Math.round(e), Math.round(f)];
  const name = names.get(shape.d);
  if (name === undefined) {
    const path = relativePath(shape.d, a, down);
    const moved = path.replace(/^m(-?\d+) ?(-?\d+)/, (_, dx, dy) => `m${x + Number(dx)} ${y + Number(dy)}`);
    return path === "" ? "" : `<path d="${moved}"/>`;
  }
  if (a === COORDINATE_SCALE && down === -COORDINATE_SCALE) return `<use href="#${name}" x="${x}" y="${y}"/>`;
  const scales = [a, -down].map((value) => Number((value / COORDINATE_SCALE).toFixed(3)));
  const scale = scales[0] === scales[1] ? scales[0] : scales.join(" ");
  return `<use href="#${name}" transform="translate(${x} ${y})scale(${scale})"/>`;
}

export interface CompactSvg {
  readonly svg: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Flattens MathJax's SVG to a list of paths in `currentColor`, without ids or styles that could clash.
 * @param pixelsPerEm font size
 * @param maxWidth in pixels; a wider formula is scaled down
 */
export function compactSvg(source: LiteElement, pixelsPerEm: number, maxWidth: number): CompactSvg {
  const [left = 0, top = 0, width = 0, height = 0] = (elementAttributes(source)["viewBox"] ?? "")
    .split(" ")
    .map(parseFinite);
  const shapes: SvgShape[] = [];
  const origin = { a: COORDINATE_SCALE, d: COORDINATE_SCALE, e: -left * COORDINATE_SCALE, f: -top * COORDINATE_SCALE };
  for (const child of childElements(source)) if (child.kind !== "defs") collectShapes(child, origin, shapes);
  const pixels = Math.min(pixelsPerEm / 1000, maxWidth / width);
  const size = { width: Math.ceil(width * pixels), height: Math.ceil(height * pixels) };
  const box = `0 0 ${Math.ceil(width * COORDINATE_SCALE)} ${Math.ceil(height * COORDINATE_SCALE)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${box}" fill="currentColor">${buildMarkup(shapes, true)}</svg>`;
  return { svg, ...size };
}
