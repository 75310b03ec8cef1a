import { BLOCK_ROWS, type ColumnGroups, repeatLines, SHADER_HEADER } from "./shaders.ts";

/** Variants of the product program. */
export interface ProductVariant {
  readonly groups: ColumnGroups;
  /** Kahan sums: an exponent is exact where the weight is not small. */
  readonly compensated: boolean;
  /** Sums start at minus the row's normaliser. */
  readonly normalised: boolean;
  /** Blocks that no row sees are skipped. */
  readonly ranges: boolean;
}

/**
 * Products of rows and columns in blocks, with one render target for each row and group of four columns. A vector is
 * fetched once for a whole block: 12 fetches for 32 cells and 4 dimensions, where cell by cell would take 64. Vectors
 * are sampled, not fetched by index, because SwiftShader takes a third less time for it; power-of-two sides make that
 * exact.
 */
export function productShader({ groups, compensated, normalised, ranges }: ProductVariant): string {
  const columns = 4 * groups;
  const targets = BLOCK_ROWS * groups;
  return `${SHADER_HEADER}
uniform sampler2D rowVectors;
uniform sampler2D columnVectors;
uniform int texels;
${normalised ? "uniform sampler2D normalisers;" : ""}
${ranges ? SEEN_BLOCK_GLSL : ""}
${repeatLines(targets, (n) => `layout(location = ${n}) out vec4 out${n};`)}
void main() {
  int row = int(gl_FragCoord.y) * ${BLOCK_ROWS};
  int column = int(gl_FragCoord.x) * ${columns};
  vec2 rowUnit = 1.0 / vec2(textureSize(rowVectors, 0));
  vec2 columnUnit = 1.0 / vec2(textureSize(columnVectors, 0));
  ${repeatLines(targets, (n) => `vec4 s${n} = vec4(0.0); ${compensated ? `vec4 e${n} = vec4(0.0);` : ""}`)}
  ${compensated ? "vec4 y; vec4 t;" : ""}
  ${normalised ? repeatLines(BLOCK_ROWS, (i) => startAtNormaliser(i, groups)) : ""}
  ${ranges ? `if (${rowsOfBlock((i) => `seen(row + ${i}, column, column + ${columns})`).join(" || ")})` : ""}
  for (int n = 0; n < texels; n++) {
    ${repeatLines(BLOCK_ROWS, (i) => `vec4 a${i} = texture(rowVectors, (vec2(n, row + ${i}) + 0.5) * rowUnit);`)}
    ${repeatLines(columns, (j) => `vec4 b${j} = texture(columnVectors, (vec2(n, column + ${j}) + 0.5) * columnUnit);`)}
    ${repeatLines(targets, (n) => addDots(n, groups, compensated))}
  }
  ${repeatLines(targets, (n) => `out${n} = s${n};`)}
}`;
}

function rowsOfBlock(text: (row: number) => string): string[] {
  return Array.from({ length: BLOCK_ROWS }, (_, row) => text(row));
}

const SEEN_BLOCK_GLSL = `uniform isampler2D ranges;
bool seen(int k, int from, int to) {
  ivec4 r = texelFetch(ranges, inList(k), 0);
  return (r.x < to && r.y > from) || (r.z < to && r.w > from);
}`;

/** Adds four dimensions to the four cells of target n. */
function addDots(n: number, groups: ColumnGroups, compensated: boolean): string {
  const row = Math.floor(n / groups);
  const group = n % groups;
  const dots = `vec4(${[0, 1, 2, 3].map((c) => `dot(a${row}, b${group * 4 + c})`).join(", ")})`;
  if (!compensated) return `s${n} += ${dots};`;
  return `y = ${dots} - e${n}; t = s${n} + y; e${n} = (t - s${n}) - y; s${n} = t;`;
}

function startAtNormaliser(row: number, groups: ColumnGroups): string {
  const starts = repeatLines(
    groups,
    (g) => `s${row * groups + g} = vec4(-n${row}.x); e${row * groups + g} = vec4(n${row}.y);`,
  );
  return `vec2 n${row} = texelFetch(normalisers, inList(row + ${row}), 0).xy;\n${starts}`;
}
