import { type ColourCurve, NAN_STEP } from "../colouring.ts";
import {
  type ColumnGroups,
  declarations,
  productsOfFour,
  SHADER_HEADER,
  type ShaderParts,
  valueFunctions,
  valueOfFour,
} from "./shaders.ts";

/** Programs that colour values: onto the canvas, or per cell for a canvas that is painted without WebGL. */

/** Where the colour domain comes from: set by the user, the whole picture's, or each row's. */
export type DomainOrigin = "set" | "all" | "rows";

export interface ColourVariant {
  readonly groups: ColumnGroups;
  readonly domainOrigin: DomainOrigin;
  readonly curve: ColourCurve;
}

/** Variants of what goes onto the canvas. */
export interface PictureVariant extends ColourVariant {
  /** Some pixels lie outside the matrix. */
  readonly margins: boolean;
}

const DOMAIN_GLSL: Readonly<Record<DomainOrigin, string>> = {
  set: "uniform vec2 domain; vec2 domainOf(int k) { return domain; }",
  // Written by the reduction on the GPU; the page does not read it before drawing.
  all: "layout(std140) uniform Reduced { vec4 reduced; }; vec2 domainOf(int k) { return reduced.xy; }",
  rows: "uniform sampler2D domains; vec2 domainOf(int k) { return texelFetch(domains, ivec2(0, k), 0).xy; }",
};

const LINEAR_GLSL = "float fractionOf(float value, vec2 d) { return (value - d.x) / (d.y - d.x); }";

function logarithmicGlsl(share: number): string {
  return `float signedLog(float value, float epsilon) {
  return sign(value) * log(1.0 + abs(value) / epsilon);
}
float fractionOf(float value, vec2 d) {
  if (d.x > 0.0) return log(max(value, d.x) / d.x) / log(d.y / d.x);
  float epsilon = max(-d.x, d.y) * ${share.toExponential()};
  float from = signedLog(d.x, epsilon);
  return (signedLog(value, epsilon) - from) / (signedLog(d.y, epsilon) - from);
}`;
}

/** Declares `stepOf(value, domain)`, equal to `colourStepper`, and `domainOf(row)`. */
function stepGlsl({ domainOrigin, curve }: ColourVariant): string {
  return `${DOMAIN_GLSL[domainOrigin]}
${curve === "linear" ? LINEAR_GLSL : logarithmicGlsl(curve)}
int stepOf(float value, vec2 d) {
  float fraction = d.y > d.x ? fractionOf(value, d) : 0.5;
  return isnan(value) ? ${NAN_STEP} : int(clamp(fraction * 256.0, 0.0, 255.0));
}`;
}

/** Pixel → sample, equal to `sampleOfPixel`. Row 0 is on top, but gl_FragCoord counts from the bottom. */
function pixelGlsl(margins: boolean): string {
  return `
uniform vec4 origin;
uniform float pixelHeight;
uniform vec3 background;
vec2 sampleHere() { return floor(origin.xy + vec2(gl_FragCoord.x, pixelHeight - gl_FragCoord.y) * origin.zw); }
${
  margins
    ? `uniform vec2 counts;
bool outside(vec2 at) { return any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, counts)); }`
    : ""
}`;
}

/** Draws coloured values onto the canvas. */
export function pictureShader(parts: ShaderParts, variant: PictureVariant): string {
  const { groups, margins } = variant;
  const hidden = [margins ? "outside(at)" : "", parts.ranges ? "!isIn(rangesOf(int(at.y)), int(at.x))" : ""].filter(
    (text) => text !== "",
  );
  return `${SHADER_HEADER}${declarations(parts)}${valueFunctions(parts, groups)}${pixelGlsl(margins)}${stepGlsl(variant)}
uniform sampler2D steps;
out vec4 colour;
void main() {
  vec2 at = sampleHere();
  ${hidden.length > 0 ? `if (${hidden.join(" || ")}) { colour = vec4(background, 1.0); return; }` : ""}
  int step = stepOf(valueAt(int(at.y), int(at.x)), domainOf(int(at.y)));
  colour = texelFetch(steps, ivec2(step, 0), 0);
}`;
}

/** Draws a function of δ whose colours are already computed: one fetch per pixel. */
export function profileShader(margins: boolean): string {
  return `${SHADER_HEADER}${pixelGlsl(margins)}
uniform vec3 steps;
uniform sampler2D colours;
out vec4 colour;
void main() {
  vec2 at = sampleHere();
  ${margins ? "if (outside(at)) { colour = vec4(background, 1.0); return; }" : ""}
  colour = texelFetch(colours, inList(int(at.y * steps.x - at.x * steps.y + steps.z)), 0);
}`;
}

/** Number of uvec4 that contain the packed colours of all steps. */
const STEP_VECTORS = Math.ceil((NAN_STEP + 1) / 4);

/**
 * Packed RGBA of four neighbouring cells per texel: a quarter of the invocations, and one fetch of a product for all
 * four.
 */
export function rgbaShader(parts: ShaderParts, variant: ColourVariant): string {
  const seen = (c: number) => (parts.ranges ? `isIn(r, l + ${c})` : "true");
  const cell = (c: number) => `${seen(c)} ? wordOf(${valueOfFour(parts, c)}, d) : backgroundWord`;
  return `${SHADER_HEADER}${declarations(parts)}${valueFunctions(parts, variant.groups)}${stepGlsl(variant)}
uniform uvec4 steps[${STEP_VECTORS}];
uniform uint backgroundWord;
out uvec4 words;
uint wordOf(float value, vec2 d) {
  int step = stepOf(value, d);
  return steps[step >> 2][step & 3];
}
void main() {
  int k = int(gl_FragCoord.y);
  int l = int(gl_FragCoord.x) * 4;
  ${parts.ranges ? `ivec4 r = rangesOf(k);\n  words = uvec4(backgroundWord);\n  if (!(${[0, 1, 2, 3].map(seen).join(" || ")})) return;` : ""}
  vec2 d = domainOf(k);
  ${productsOfFour(parts, variant.groups)}
  words = uvec4(${[0, 1, 2, 3].map(cell).join(",\n    ")});
}`;
}
