import { LIST_WIDTH } from "./textures.ts";

/**
 * Text of the programs. What a program can do is in its text, what changes from frame to frame in its uniforms:
 * a handful of texts is compiled once each.
 */

export const HEAD = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DArray;
precision highp isampler2D;
ivec2 inList(int n) { return ivec2(n & ${LIST_WIDTH - 1}, n >> ${Math.log2(LIST_WIDTH)}); }
`;

/** Which contributions a value has. */
export interface Parts {
  readonly profile: boolean;
  readonly products: readonly { readonly everywhere: boolean }[];
  readonly relatives: readonly { readonly side: "rows" | "columns"; readonly everywhere: boolean }[];
  readonly cells: boolean;
  readonly ranges: boolean;
  /**
   * Where the row's normaliser is taken off: in this program (`here`), in the cells (`cells`), or in each product
   * (`products`; this program then sees to cells where none or several of them hold).
   */
  readonly weights: "no" | "here" | "cells" | "products";
}

/** Blocks of cells that one invocation of the product program computes: 4 rows × 4 · `groups` columns. */
export type Groups = 1 | 2;

export const BLOCK_ROWS = 4;

/** Lines of text, one for each number from 0. */
export const times = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join("\n");

/** Declares what `values` needs. */
export function declarations(parts: Parts): string {
  const region = (everywhere: boolean, name: string) => (everywhere ? "" : `uniform ivec4 ${name};`);
  return `
uniform ivec3 slots;
${parts.profile ? "uniform sampler2D profile;" : ""}
${parts.products.map(({ everywhere }, n) => `uniform sampler2DArray product${n}; ${region(everywhere, `productRegion${n}`)}`).join("\n")}
${parts.relatives.map(({ everywhere }, n) => `uniform sampler2DArray relative${n}; ${region(everywhere, `relativeRegion${n}`)}`).join("\n")}
${parts.relatives.length > 0 ? "uniform isampler2D relativeSlots;" : ""}
${parts.cells ? "uniform sampler2D cells;" : ""}
${parts.ranges ? "uniform isampler2D ranges;" : ""}
${normalised(parts) ? "uniform sampler2D normalisers;" : ""}
`;
}

/**
 * `valueOf(k, l, products of the cell)`, `valueAt(k, l)` and, where rows see parts, `isIn(rangesOf(k), l)`.
 * A region is (first slot, slot after the last, rows, columns): 0 any, 1 the first, 2 all but it, 3 none.
 */
export function values(parts: Parts, groups: Groups): string {
  const anyRegion = [...parts.products, ...parts.relatives].some(({ everywhere }) => !everywhere);
  return `
${anyRegion ? HOLDS : ""}
${parts.weights === "no" ? PLAIN_SUM : COMPENSATED_SUM}
float valueOf(int k, int l${parts.products.map((_, n) => `, float p${n}`).join("")}) {
  int slot = k * slots.x - l * slots.y + slots.z;
  sum = vec2(0.0);
  ${normalised(parts) ? "vec2 n = texelFetch(normalisers, inList(k), 0).xy;" : ""}
  ${parts.weights === "here" ? "add(-n.x); add(-n.y);" : ""}
  ${parts.profile ? "vec2 p = texelFetch(profile, inList(slot), 0).xy; add(p.x); add(p.y);" : ""}
  ${parts.cells ? "add(texelFetch(cells, ivec2(l, k), 0).x);" : ""}
  ${productSum(parts)}
  ${parts.relatives.length > 0 ? "ivec4 at = texelFetch(relativeSlots, inList(slot), 0);" : ""}
  ${parts.relatives.map((part, n) => relativeTerm(part, n, groups)).join("\n  ")}
  return ${parts.weights === "no" ? "sum.x" : "exp(sum.x + sum.y)"};
}
float valueAt(int k, int l) {
  return valueOf(k, l${parts.products.map((_, n) => `, ${block(`product${n}`, "k", "l", groups)}[l & 3]`).join("")});
}
${parts.ranges ? RANGE_TEST : ""}
`;
}

const HOLDS = `bool holds(ivec4 region, int slot, int k, int l) {
  bool row = region.z == 0 || (region.z == 1 && k == 0) || (region.z == 2 && k > 0);
  bool column = region.w == 0 || (region.w == 1 && l == 0) || (region.w == 2 && l > 0);
  return slot >= region.x && slot < region.y && row && column;
}`;

const PLAIN_SUM = `vec2 sum;
void add(float value) { sum.x += value; }`;

/** The exact error of each addition is kept (Knuth's two-sum): large parts may cancel to a small exponent. */
const COMPENSATED_SUM = `vec2 sum;
void add(float value) {
  float total = sum.x + value;
  float part = total - sum.x;
  sum = vec2(total, sum.y + ((sum.x - (total - part)) + (value - part)));
}`;

const RANGE_TEST = `ivec4 rangesOf(int k) { return texelFetch(ranges, inList(k), 0); }
bool isIn(ivec4 r, int l) { return (l >= r.x && l < r.y) || (l >= r.z && l < r.w); }`;

/** Products of the cells (k, l) … (k, l + 3): `p0`, `p1` … */
export function productsOfFour({ products }: Parts, groups: Groups): string {
  return products.map((_, n) => `vec4 p${n} = ${block(`product${n}`, "k", "l", groups)};`).join("\n  ");
}

/** Value of the cell (k, l + c) of four whose products are fetched. */
export function valueOfFour({ products }: Parts, c: number): string {
  return `valueOf(k, l + ${c}${products.map((_, n) => `, p${n}[${c}]`).join("")})`;
}

/** Four cells of a product's blocks. */
export function block(name: string, row: string, column: string, groups: Groups): string {
  const layer = groups === 2 ? `((${row} & 3) << 1) | ((${column} >> 2) & 1)` : `${row} & 3`;
  return `texelFetch(${name}, ivec3(${column} >> ${groups === 2 ? 3 : 2}, ${row} >> 2, ${layer}), 0)`;
}

function productSum({ products, weights }: Parts): string {
  const counted = weights === "products" && products.some(({ everywhere }) => !everywhere);
  const terms = products.map(({ everywhere }, n) => {
    const condition = everywhere ? "" : `if (holds(productRegion${n}, slot, k, l)) `;
    return `${condition}{ add(p${n}); ${counted ? "count += 1.0;" : ""} }`;
  });
  const sum = terms.join("\n");
  if (weights !== "products") return sum;
  // Each product that holds brought the normaliser along; it must be there once.
  if (counted)
    return `float count = 0.0;\n${sum}\nif (count != 1.0) { add((count - 1.0) * n.x); add((count - 1.0) * n.y); }`;
  return products.length === 1
    ? sum
    : `${sum}\nadd(${products.length - 1}.0 * n.x); add(${products.length - 1}.0 * n.y);`;
}

function relativeTerm({ side, everywhere }: Parts["relatives"][number], n: number, groups: Groups): string {
  const cell = `${block(`relative${n}`, side === "rows" ? "k" : "l", `at[${n}]`, groups)}[at[${n}] & 3]`;
  return everywhere ? `add(${cell});` : `if (holds(relativeRegion${n}, slot, k, l)) add(${cell});`;
}

function normalised({ weights }: Parts): boolean {
  return weights === "here" || weights === "products";
}

/** Values themselves into a float target, one texel a cell. */
export function valueShader(parts: Parts, groups: Groups): string {
  return `${HEAD}${declarations(parts)}${values(parts, groups)}
out vec4 value;
void main() {
  value = vec4(valueAt(int(gl_FragCoord.y), int(gl_FragCoord.x)), 0.0, 0.0, 1.0);
}`;
}
