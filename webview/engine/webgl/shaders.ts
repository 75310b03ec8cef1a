import { LIST_WIDTH } from "./textures.ts";

/**
 * Text of the shader programs. A program's features are in its text, and what changes between frames is in its
 * uniforms, so that only a few texts are compiled.
 */

export const SHADER_HEADER = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler2DArray;
precision highp isampler2D;
ivec2 inList(int n) { return ivec2(n & ${LIST_WIDTH - 1}, n >> ${Math.log2(LIST_WIDTH)}); }
`;

/** The contributions that add up to a value. */
export interface ShaderParts {
  readonly profile: boolean;
  readonly products: readonly { readonly everywhere: boolean }[];
  readonly relatives: readonly { readonly side: "rows" | "columns"; readonly everywhere: boolean }[];
  readonly cells: boolean;
  readonly ranges: boolean;
  /**
   * Where the row's normaliser is subtracted: in this program (`here`), in the cells (`cells`), or in each product
   * (`products`; this program then corrects cells with none or several products).
   */
  readonly weights: "no" | "here" | "cells" | "products";
}

/** One invocation of the product program computes 4 rows × 4 · `groups` columns. */
export type ColumnGroups = 1 | 2;

export const BLOCK_ROWS = 4;

/** One line of text for each number from 0. */
export const repeatLines = (count: number, text: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => text(n)).join("\n");

/** Declares the uniforms that `valueFunctions` needs. */
export function declarations(parts: ShaderParts): string {
  const region = (everywhere: boolean, name: string) => (everywhere ? "" : `uniform ivec4 ${name};`);
  return `
uniform ivec3 slots;
${parts.profile ? "uniform sampler2D profile;" : ""}
${parts.products.map(({ everywhere }, n) => `uniform sampler2DArray product${n}; ${region(everywhere, `productRegion${n}`)}`).join("\n")}
${parts.relatives.map(({ everywhere }, n) => `uniform sampler2DArray relative${n}; ${region(everywhere, `relativeRegion${n}`)}`).join("\n")}
${parts.relatives.length > 0 ? "uniform isampler2D relativeSlots;" : ""}
${parts.cells ? "uniform sampler2D cells;" : ""}
${parts.ranges ? "uniform isampler2D ranges;" : ""}
${usesNormalisers(parts) ? "uniform sampler2D normalisers;" : ""}
`;
}

/**
 * Declares `valueOf(k, l, products of the cell)`, `valueAt(k, l)` and, with masked cells, `isIn(rangesOf(k), l)`.
 * A region is (first slot, slot after the last, rows, columns): 0 any, 1 the first, 2 all but the first, 3 none.
 */
export function valueFunctions(parts: ShaderParts, groups: ColumnGroups): string {
  const anyRegion = [...parts.products, ...parts.relatives].some(({ everywhere }) => !everywhere);
  return `
${anyRegion ? REGION_TEST_GLSL : ""}
${parts.weights === "no" ? PLAIN_SUM_GLSL : COMPENSATED_SUM_GLSL}
float valueOf(int k, int l${parts.products.map((_, n) => `, float p${n}`).join("")}) {
  int slot = k * slots.x - l * slots.y + slots.z;
  sum = vec2(0.0);
  ${usesNormalisers(parts) ? "vec2 n = texelFetch(normalisers, inList(k), 0).xy;" : ""}
  ${parts.weights === "here" ? "add(-n.x); add(-n.y);" : ""}
  ${parts.profile ? "vec2 p = texelFetch(profile, inList(slot), 0).xy; add(p.x); add(p.y);" : ""}
  ${parts.cells ? "add(texelFetch(cells, ivec2(l, k), 0).x);" : ""}
  ${productSumGlsl(parts)}
  ${parts.relatives.length > 0 ? "ivec4 at = texelFetch(relativeSlots, inList(slot), 0);" : ""}
  ${parts.relatives.map((part, n) => relativeTermGlsl(part, n, groups)).join("\n  ")}
  return ${parts.weights === "no" ? "sum.x" : "exp(sum.x + sum.y)"};
}
float valueAt(int k, int l) {
  return valueOf(k, l${parts.products.map((_, n) => `, ${fetchBlock(`product${n}`, "k", "l", groups)}[l & 3]`).join("")});
}
${parts.ranges ? RANGE_TEST_GLSL : ""}
`;
}

const REGION_TEST_GLSL = `bool holds(ivec4 region, int slot, int k, int l) {
  bool row = region.z == 0 || (region.z == 1 && k == 0) || (region.z == 2 && k > 0);
  bool column = region.w == 0 || (region.w == 1 && l == 0) || (region.w == 2 && l > 0);
  return slot >= region.x && slot < region.y && row && column;
}`;

const PLAIN_SUM_GLSL = `vec2 sum;
void add(float value) { sum.x += value; }`;

/** Keeps the exact error of each addition (Knuth's two-sum), because large parts may cancel to a small exponent. */
const COMPENSATED_SUM_GLSL = `vec2 sum;
void add(float value) {
  float total = sum.x + value;
  float part = total - sum.x;
  sum = vec2(total, sum.y + ((sum.x - (total - part)) + (value - part)));
}`;

const RANGE_TEST_GLSL = `ivec4 rangesOf(int k) { return texelFetch(ranges, inList(k), 0); }
bool isIn(ivec4 r, int l) { return (l >= r.x && l < r.y) || (l >= r.z && l < r.w); }`;

/** Products of the cells (k, l) … (k, l + 3): `p0`, `p1` … */
export function productsOfFour({ products }: ShaderParts, groups: ColumnGroups): string {
  return products.map((_, n) => `vec4 p${n} = ${fetchBlock(`product${n}`, "k", "l", groups)};`).join("\n  ");
}

/** Value of cell (k, l + c), one of four whose products were fetched. */
export function valueOfFour({ products }: ShaderParts, c: number): string {
  return `valueOf(k, l + ${c}${products.map((_, n) => `, p${n}[${c}]`).join("")})`;
}

/** Fetches four neighbouring cells from a product's blocks. */
export function fetchBlock(name: string, row: string, column: string, groups: ColumnGroups): string {
  const layer = groups === 2 ? `((${row} & 3) << 1) | ((${column} >> 2) & 1)` : `${row} & 3`;
  return `texelFetch(${name}, ivec3(${column} >> ${groups === 2 ? 3 : 2}, ${row} >> 2, ${layer}), 0)`;
}

function productSumGlsl({ products, weights }: ShaderParts): string {
  const counted = weights === "products" && products.some(({ everywhere }) => !everywhere);
  const terms = products.map(({ everywhere }, n) => {
    const condition = everywhere ? "" : `if (holds(productRegion${n}, slot, k, l)) `;
    return `${condition}{ add(p${n}); ${counted ? "count += 1.0;" : ""} }`;
  });
  const sum = terms.join("\n");
  if (weights !== "products") return sum;
  // Each product that applies has subtracted the normaliser; it must be subtracted exactly once.
  if (counted)
    return `float count = 0.0;\n${sum}\nif (count != 1.0) { add((count - 1.0) * n.x); add((count - 1.0) * n.y); }`;
  return products.length === 1
    ? sum
    : `${sum}\nadd(${products.length - 1}.0 * n.x); add(${products.length - 1}.0 * n.y);`;
}

function relativeTermGlsl(
  { side, everywhere }: ShaderParts["relatives"][number],
  n: number,
  groups: ColumnGroups,
): string {
  const cell = `${fetchBlock(`relative${n}`, side === "rows" ? "k" : "l", `at[${n}]`, groups)}[at[${n}] & 3]`;
  return everywhere ? `add(${cell});` : `if (holds(relativeRegion${n}, slot, k, l)) add(${cell});`;
}

function usesNormalisers({ weights }: ShaderParts): boolean {
  return weights === "here" || weights === "products";
}

/** Writes values to a float target, one texel per cell. */
export function valueShader(parts: ShaderParts, groups: ColumnGroups): string {
  return `${SHADER_HEADER}${declarations(parts)}${valueFunctions(parts, groups)}
out vec4 value;
void main() {
  value = vec4(valueAt(int(gl_FragCoord.y), int(gl_FragCoord.x)), 0.0, 0.0, 1.0);
}`;
}
