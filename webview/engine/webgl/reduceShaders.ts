import { LOG_FLOOR } from "../colouring.ts";
import {
  type ColumnGroups,
  declarations,
  productsOfFour,
  repeatLines,
  SHADER_HEADER,
  type ShaderParts,
  valueFunctions,
  valueOfFour,
} from "./shaders.ts";

/** Cells per invocation of the first reduction. */
export const CELLS_PER_STRETCH = 64;

const WIDEN_GLSL = `
const float HUGE = 3.4e38;
vec2 widen(vec2 range, float value) {
  // NaN and infinities fail this comparison and are left out.
  return abs(value) <= HUGE ? vec2(min(range.x, value), max(range.y, value)) : range;
}
`;

/** First reduction: (smallest, largest) of each row's stretches of cells; an empty one is (HUGE, −HUGE). */
export function stretchShader(parts: ShaderParts, groups: ColumnGroups): string {
  const seen = (c: number) => (parts.ranges ? `l + ${c} < to && isIn(r, l + ${c})` : `l + ${c} < to`);
  return `${SHADER_HEADER}${declarations(parts)}${valueFunctions(parts, groups)}${WIDEN_GLSL}
uniform int columnCount;
out vec4 range;
void main() {
  int k = int(gl_FragCoord.y);
  int from = int(gl_FragCoord.x) * ${CELLS_PER_STRETCH};
  int to = min(from + ${CELLS_PER_STRETCH}, columnCount);
  vec2 found = vec2(HUGE, -HUGE);
  ${parts.ranges ? "ivec4 r = rangesOf(k);" : ""}
  for (int l = from; l < to; l += 4) {
    ${productsOfFour(parts, groups)}
    ${repeatLines(4, (c) => `if (${seen(c)}) found = widen(found, ${valueOfFour(parts, c)});`)}
  }
  range = vec4(found, 0.0, 1.0);
}`;
}

/** Second and third reduction: over the stretches of a row, then over the rows. Resolved as `resolveDomain` does. */
export function reduceShader(along: "x" | "y"): string {
  return `${SHADER_HEADER}${WIDEN_GLSL}
uniform sampler2D ranges;
uniform int count;
uniform bool symmetric;
uniform bool logarithmic;
uniform bool weights;
uniform bool settled;
out vec4 range;
vec2 settle(vec2 d) {
  if (!(d.x <= d.y)) return vec2(0.0, 1.0);
  float reach = max(abs(d.x), abs(d.y));
  if (symmetric) return vec2(-reach, reach);
  if (logarithmic && d.x >= 0.0 && d.y > 0.0) return vec2(max(d.x, d.y * ${LOG_FLOOR.toExponential()}), d.y);
  return weights ? vec2(0.0, d.y) : d;
}
void main() {
  vec2 found = vec2(HUGE, -HUGE);
  for (int n = 0; n < count; n++) {
    vec2 part = texelFetch(ranges, ${along === "x" ? "ivec2(n, int(gl_FragCoord.y))" : "ivec2(0, n)"}, 0).xy;
    found = vec2(min(found.x, part.x), max(found.y, part.y));
  }
  range = vec4(settled ? settle(found) : found, 0.0, 1.0);
}`;
}
