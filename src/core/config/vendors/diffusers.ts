import { ENCODING_IDS, type EncodingId, type EncodingSpec } from "../../spec.ts";
import { ConfigAttributes, isNumbers, type Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { type DiffusersClass, type DiffusersStack, findDiffusersClass } from "./diffusersClasses.ts";

/** Base of a class that fixes it. */
const DEFAULT_THETA = 10_000;

/**
 * Reads the configuration of a diffusion model's part (transformer, UNet, autoencoder) by its `_class_name`. A class
 * that is not in the table is unknown.
 */
export function readDiffusersSpecs(
  section: Section,
  report: ReportProblem,
): { modelType: string | null; specs: EncodingSpec[] } {
  const modelType = section.string("_class_name") ?? null;
  const found = findDiffusersClass(modelType ?? "");
  if (found === undefined) return { modelType, specs: guessAxes(section, report) };
  const attributes = new ConfigAttributes({
    section,
    type: { stacks: [], defaults: found.defaults ?? {} },
    typeName: undefined,
    confidence: "automatic",
    report,
  });
  const stacks = found.stacks.filter((stack) => isUsed(attributes, stack));
  const where = found.stacks[0]?.where ?? "vision";
  const used = stacks.length > 0 ? stacks : [{ where, encoding: "none" }];
  return { modelType, specs: used.map((stack) => readStack(attributes, found, stack)) };
}

/** Names under which classes have the dimensions of their axes. */
const AXES_KEYS = ["axes_dims_rope", "rope_axes_dim", "axes_dim_rope", "axes_dims", "axes_dim"];

/** A class that is not in the table, with the keys of those that rotate by axes. */
function guessAxes(section: Section, report: ReportProblem): EncodingSpec[] {
  const axesKey = AXES_KEYS.find((key) => section.has(key));
  if (axesKey === undefined) return [];
  const type = { stacks: [] };
  const attributes = new ConfigAttributes({ section, type, typeName: undefined, confidence: "guess", report });
  const builder = new SpecBuilder();
  const stack = { where: "vision", encoding: "axial_rope", axesKey, thetaKey: "rope_theta", headDimFromAxes: true };
  const sizes = { code: "", heads: "num_attention_heads", headDim: "attention_head_dim", layers: ["num_layers"] };
  setSizes(attributes, { ...sizes, stacks: [] }, stack, builder);
  setAxes(attributes, stack, builder);
  return [builder.build("axial_rope", "vision", "all", "guess")];
}

function isUsed(attributes: ConfigAttributes, { when, whenSet }: DiffusersStack): boolean {
  if (whenSet !== undefined) return (attributes.get(whenSet)?.value ?? null) !== null;
  if (when === undefined) return true;
  const [keys, wanted] = when;
  const values = String(keys)
    .split("|")
    .map((key) => attributes.get(key)?.value);
  return wanted === false ? !values.includes(true) : values.includes(wanted);
}

function readStack(attributes: ConfigAttributes, found: DiffusersClass, stack: DiffusersStack): EncodingSpec {
  const builder = new SpecBuilder();
  setSizes(attributes, found, stack, builder);
  if (stack.encoding === "axial_rope") setAxes(attributes, stack, builder);
  else if (stack.encoding === "rope") setRotation(attributes, stack, builder);
  else setRows(attributes, stack, builder);
  const encoding: EncodingId = ENCODING_IDS.find((id) => id === stack.encoding) ?? "none";
  return builder.build(encoding, stack.where, "all", "automatic");
}

function setSizes(
  attributes: ConfigAttributes,
  { heads, headDim, layers = [] }: DiffusersClass,
  { widthKey }: DiffusersStack,
  builder: SpecBuilder,
): void {
  const count = heads === undefined ? undefined : attributes.valueOrDefault(heads);
  builder.set("num_heads", count).set("num_kv_heads", readKeyValueHeads(attributes) ?? count);
  const counts = layers.map((key) => attributes.valueOrDefault(key));
  const total = counts.reduce((sum, layer) => sum + (layer?.value ?? 0), 0);
  if (counts.length === 1) builder.set("num_layers", counts[0]);
  else if (counts.length > 1) builder.derive("num_layers", total);
  if (headDim !== undefined) builder.set("head_dim", attributes.valueOrDefault(headDim));
  const width = widthKey === undefined ? undefined : attributes.valueOrDefault(widthKey);
  if (width !== undefined && count !== undefined && count.value > 0)
    builder.derive("head_dim", Math.floor(width.value / count.value));
}

function readKeyValueHeads(attributes: ConfigAttributes): Sourced<number> | undefined {
  return attributes.valueOrDefault(
    "num_kv_heads",
    "num_key_value_heads",
    "num_key_value_attention_heads",
    "n_kv_heads",
  );
}

function readTheta(attributes: ConfigAttributes, { thetaKey, theta = DEFAULT_THETA }: DiffusersStack): Sourced<number> {
  const written = thetaKey === undefined ? undefined : attributes.valueOrDefault(thetaKey);
  return written ?? { value: theta, source: "default" };
}

/** Rotation by frame (or text), row and column. */
function setAxes(attributes: ConfigAttributes, stack: DiffusersStack, builder: SpecBuilder): void {
  builder.derive("rope_type", "axial");
  if (stack.learnedFrequencies !== true) builder.set("rope_theta", readTheta(attributes, stack));
  if (stack.ownFrequencies === true) {
    builder.derive("variant", "own_frequencies");
    return;
  }
  const dims = readAxes(attributes, stack, builder);
  if (dims === undefined) return;
  builder.set("axes_dims", dims);
  const rotated = dims.value.reduce((sum, dim) => sum + dim, 0);
  if (stack.headDimFromAxes === true) builder.derive("head_dim", rotated);
  builder.derive("rotary_dim", rotated).set("partial_rotary_factor", { value: 1, source: "default" });
  builder.derive("variant", stack.variant ?? "axes");
  builder.derive("layout", stack.variant === "axes_half" ? "half" : "interleaved");
  for (const key of ["rope_max_seq_len", "axes_lens"]) builder.set(key, attributes.fromFile(key));
  setScaledBases(attributes, stack, builder, dims.value);
}

function readAxes(
  attributes: ConfigAttributes,
  { axesKey, axesSplit }: DiffusersStack,
  builder: SpecBuilder,
): Sourced<readonly number[]> | undefined {
  if (axesKey !== undefined) return attributes.numbers(axesKey);
  const head = builder.get("head_dim");
  if (axesSplit === undefined || typeof head !== "number") return undefined;
  const written = axesSplit.map((split) => {
    const [divisor = 1, times = 1] = split ?? [];
    return split === null ? undefined : Math.floor(head / divisor) * times;
  });
  const rest = head - written.reduce<number>((sum, dim) => sum + (dim ?? 0), 0);
  return { value: written.map((dim) => dim ?? rest), source: "derived" };
}

/** NTK-aware scaling of each axis: θ · s^(d / (d − 2)). */
function setScaledBases(
  attributes: ConfigAttributes,
  { scaleKey }: DiffusersStack,
  builder: SpecBuilder,
  dims: readonly number[],
): void {
  const scales = scaleKey === undefined ? undefined : attributes.get(scaleKey)?.value;
  const theta = builder.get("rope_theta");
  if (!isNumbers(scales) || typeof theta !== "number") return;
  const bases = dims.map((dim, axis) => theta * (scales[axis] ?? 1) ** (dim / (dim - 2)));
  builder.set("axes_theta", { value: bases, source: "derived" });
}

function setRotation(attributes: ConfigAttributes, stack: DiffusersStack, builder: SpecBuilder): void {
  builder.set("rope_type", { value: "default", source: "default" }).set("rope_theta", readTheta(attributes, stack));
  builder.derive("layout", stack.layout ?? "half");
  const head = builder.get("head_dim");
  const fraction = stack.fraction ?? 1;
  builder.set("partial_rotary_factor", { value: fraction, source: "default" });
  if (typeof head === "number") builder.derive("rotary_dim", Math.floor(head * fraction));
}

/** Rows of a table, if the file determines them. */
function setRows(attributes: ConfigAttributes, stack: DiffusersStack, builder: SpecBuilder): void {
  const rows = readRows(attributes, stack);
  builder.set("max_position_embeddings", rows).set("usable_positions", rows);
}

function readRows(
  attributes: ConfigAttributes,
  { encoding, rowsKey, rowsAlsoKey, tableSideKey }: DiffusersStack,
): Sourced | undefined {
  if (rowsKey !== undefined) {
    const rows = attributes.valueOrDefault(rowsKey);
    const more = rowsAlsoKey === undefined ? undefined : attributes.valueOrDefault(rowsAlsoKey);
    return rows === undefined || more === undefined ? rows : { value: rows.value + more.value, source: "derived" };
  }
  if (encoding !== "sincos_2d") return undefined;
  const side = tableSideKey === undefined ? undefined : attributes.valueOrDefault(tableSideKey);
  if (side !== undefined) return { value: side.value ** 2, source: "derived" };
  const [image, patch] = ["sample_size", "patch_size"].map((key) => attributes.get(key)?.value);
  if (typeof image !== "number" || typeof patch !== "number" || patch <= 0) return undefined;
  return { value: Math.floor(image / patch) ** 2, source: "derived" };
}
