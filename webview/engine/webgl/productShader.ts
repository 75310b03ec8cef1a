import { BLOCK_ROWS, type Groups, HEAD, times } from "./shaders.ts";

/** Variants of the product program. */
export interface ProductVariant {
  readonly groups: Groups;
  /** Sums carry their rounding errors along (Kahan): the exponent of a weight is exact where the weight is not small. */
  readonly compensated: boolean;
  /** Sums start from minus the row's normaliser. */
  readonly normalised: boolean;
  /** Blocks that no row sees are left out. */
  readonly ranges: boolean;
}

/**
 * Products of rows and columns in blocks, one render target for each row and group of four columns: a vector is
 * fetched once for a whole block (12 fetches for 32 cells and 4 dimensions; cell by cell it would be 64). Sampled, not
 * fetched by index: SwiftShader takes a third less time for it, and sides that are powers of two make it exact.
 */
export function productShader({ groups, compensated, normalised, ranges }: ProductVariant): string {
  const columns = 4 * groups;
  const targets = BLOCK_ROWS * groups;
  return `${HEAD}
uniform sampler2D rowVectors;
uniform sampler2D columnVectors;
uniform int texels;
${normalised ? "uniform sampler2D normalisers;" : ""}
${ranges ? SEEN_BLOCK : ""}
${times(targets, (n) => `layout(location = ${n}) out vec4 out${n};`)}
void main() {
  int row = int(gl_FragCoord.y) * ${BLOCK_ROWS};
  int column = int(gl_FragCoord.x) * ${columns};
  vec2 rowUnit = 1.0 / vec2(textureSize(rowVectors, 0));
  vec2 columnUnit = 1.0 / vec2(textureSize(columnVectors, 0));
  ${times(targets, (n) => `vec4 s${n} = vec4(0.0); ${compensated ? `vec4 e${n} = vec4(0.0);` : ""}`)}
  ${compensated ? "vec4 y; vec4 t;" : ""}
  ${normalised ? times(BLOCK_ROWS, (i) => startAtNormaliser(i, groups)) : ""}
  ${ranges ? `if (${rowsOfBlock((i) => `seen(row + ${i}, column, column + ${columns})`).join(" || ")})` : ""}
  for (int n = 0; n < texels; n++) {
    ${times(BLOCK_ROWS, (i) => `vec4 a${i} = texture(rowVectors, (vec2(n, row + ${i}) + 0.5) * rowUnit);`)}
    ${times(columns, (j) => `vec4 b${j} = texture(columnVectors, (vec2(n, column + ${j}) + 0.5) * columnUnit);`)}
    ${times(targets, (n) => addDots(n, groups, compensated))}
  }
  ${times(targets, (n) => `out${n} = s${n};`)}
}`;
}

function rowsOfBlock(text: (row: number) => string): string[] {
  return Array.from({ length: BLOCK_ROWS }, (_, row) => text(row));
}

const SEEN_BLOCK = `uniform isampler2D ranges;
bool seen(int k, int from, int to) {
  ivec4 r = texelFetch(ranges, inList(k), 0);
  return (r.x < to && r.y > from) || (r.z < to && r.w > from);
}`;

/** Adds four dimensions to the four cells of target n. */
function addDots(n: number, groups: Groups, compensated: boolean): string {
  const row = Math.floor(n / groups);
  const group = n % groups;
  const dots = `vec4(${[0, 1, 2, 3].map((c) => `dot(a${row}, b${group * 4 + c})`).join(", ")})`;
  if (!compensated) return `s${n} += ${dots};`;
  return `y = ${dots} - e${n}; t = s${n} + y; e${n} = (t - s${n}) - y; s${n} = t;`;
}

function startAtNormaliser(row: number, groups: Groups): string {
  const starts = times(
    groups,
    (g) => `s${row * groups + g} = vec4(-n${row}.x); e${row * groups + g} = vec4(n${row}.y);`,
  );
  return `vec2 n${row} = texelFetch(normalisers, inList(row + ${row}), 0).xy;\n${starts}`;
}
