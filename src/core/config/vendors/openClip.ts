import type { EncodingSpec } from "../../spec.ts";
import { type ConfigAttributes, isNumbers, type Sourced } from "../huggingface/attributes.ts";
import type { ReportProblem } from "../problems.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { fixed, makerAttributes, setHeads, setPlainRope } from "./otherMakers.ts";
import { readTimmSpecs } from "./timm.ts";

/** Defaults of CLIPTextCfg and CLIPVisionCfg (open_clip/model.py), and of EVA-CLIP's (eva_clip/model.py). */
const TEXT_DEFAULTS = { context_length: 77, width: 512, heads: 8, layers: 12, rope_temperature: 10_000 };
const VISION_DEFAULTS = {
  image_size: 224,
  width: 768,
  layers: 12,
  head_width: 64,
  patch_size: 16,
  pt_hw_seq_len: 16,
};

/**
 * Reads a model file of mlfoundations/open_clip (`model_configs/*.json`, `open_clip_config.json`) or EVA-CLIP. A tower
 * that is only named (`hf_model_name`) is unknown here: its own file describes it.
 */
export function readOpenClipSpecs(section: Section, report: ReportProblem): { modelType: null; specs: EncodingSpec[] } {
  const model = section.section("model_cfg") ?? section;
  const vision = model.section("vision_cfg");
  const text = model.section("text_cfg");
  return {
    modelType: null,
    specs: [
      ...readTextTower(text, report),
      ...readVisionTower(vision, report),
      ...readMultimodalTower(model.section("genlap_cfg") ?? model.section("genlip_cfg"), report),
    ],
  };
}

function readTextTower(section: Section | undefined, report: ReportProblem): EncodingSpec[] {
  // Without a width of its own, the tower is another library's.
  if (section === undefined || section.has("hf_model_name") || !section.has("width")) return [];
  const attributes = makerAttributes(section, TEXT_DEFAULTS, report);
  const builder = new SpecBuilder();
  setHeads(builder, attributes.valueOrDefault("heads"), attributes.valueOrDefault("width"));
  builder.set("num_layers", attributes.valueOrDefault("layers"));
  const length = attributes.valueOrDefault("context_length");
  builder.set("max_position_embeddings", length);
  if (section.string("text_arch") === "modern") return readModernText(attributes, builder);
  // CoCa's class token has a row of its own.
  const rows: Sourced | undefined =
    length !== undefined && attributes.flag("embed_cls") ? { value: length.value + 1, source: "derived" } : length;
  builder.set("max_position_embeddings", rows).set("usable_positions", rows);
  return [builder.build("learned_absolute", "text", "all", "automatic")];
}

function readModernText(attributes: ConfigAttributes, builder: SpecBuilder): EncodingSpec[] {
  const kind = attributes.get("pos_embed")?.value ?? "rope";
  if (kind !== "rope") return [builder.build("none", "text", "all", "automatic")];
  const theta = attributes.valueOrDefault("rope_temperature") ?? fixed(10_000);
  setPlainRope(builder, { theta, rotaryDim: fixed(builder.get("head_dim")), layout: "interleaved" });
  return [builder.build("rope", "text", "all", "automatic")];
}

function readVisionTower(section: Section | undefined, report: ReportProblem): EncodingSpec[] {
  if (section === undefined) return [];
  const name = section.string("timm_model_name");
  if (name !== undefined) return readTimmSpecs(name);
  const attributes = makerAttributes(section, VISION_DEFAULTS, report);
  const stages = section.get("layers")?.value;
  const builder = new SpecBuilder();
  if (isNumbers(stages)) return readResidualTower(attributes, builder);
  setVisionSizes(attributes, builder);
  const sides = gridSide(attributes);
  const rows: Sourced | undefined = sides === undefined ? undefined : { value: sides ** 2 + 1, source: "derived" };
  const encoding = section.string("pos_embed_type") === "sin_cos_2d" ? "sincos_2d" : "learned_absolute";
  const rotation = attributes.flag("rope") ? [rotateByPatch(attributes, builder.copy(), sides)] : [];
  builder.set("max_position_embeddings", rows).set("usable_positions", rows);
  return [builder.build(encoding, "vision", "all", "automatic"), ...rotation];
}

function setVisionSizes(attributes: ConfigAttributes, builder: SpecBuilder): void {
  const width = attributes.valueOrDefault("width");
  const head = attributes.valueOrDefault("head_width");
  builder.set("num_layers", attributes.valueOrDefault("layers")).set("head_dim", head);
  if (width === undefined || head === undefined || head.value <= 0) return;
  const heads = Math.floor(width.value / head.value);
  builder.derive("num_heads", heads).derive("num_kv_heads", heads);
}

function gridSide(attributes: ConfigAttributes): number | undefined {
  const [image, patch] = ["image_size", "patch_size"].map((key) => attributes.scalarSize(key)?.value);
  return image === undefined || patch === undefined || patch <= 0 ? undefined : Math.floor(image / patch);
}

/** Positions only in the attention that pools the last map, 32 times smaller than the image. */
function readResidualTower(attributes: ConfigAttributes, builder: SpecBuilder): EncodingSpec[] {
  const image = attributes.scalarSize("image_size")?.value;
  if (image !== undefined) {
    const rows = Math.floor(image / 32) ** 2 + 1;
    builder.derive("max_position_embeddings", rows).derive("usable_positions", rows);
  }
  return [builder.build("learned_absolute", "vision", "all", "automatic")];
}

/** EVA-02: rotation by row and column beside the table. */
function rotateByPatch(attributes: ConfigAttributes, builder: SpecBuilder, side: number | undefined): EncodingSpec {
  const head = builder.get("head_dim");
  builder.set("rope_theta", fixed(10_000)).derive("rope_type", "axial").derive("layout", "interleaved");
  builder.derive("rotary_dim", head).set("partial_rotary_factor", fixed(1)).derive("variant", "eva02");
  builder.set("pt_seq_len", attributes.valueOrDefault("pt_hw_seq_len"));
  // Without `intp_freq`, the grid of pre-training is the grid in use.
  if (attributes.flag("intp_freq") && side !== undefined) builder.derive("ft_seq_len", side);
  else builder.derive("ft_seq_len", builder.get("pt_seq_len"));
  return builder.build("axial_rope", "vision", "all", "automatic");
}

/** One decoder over image (or audio) and text, with multimodal RoPE. */
function readMultimodalTower(section: Section | undefined, report: ReportProblem): EncodingSpec[] {
  if (section === undefined) return [];
  const attributes = makerAttributes(section, { rope_theta: 10_000 }, report);
  const sections = attributes.numbers("mrope_section");
  if (sections === undefined) return [];
  const builder = new SpecBuilder();
  setHeads(builder, attributes.valueOrDefault("num_heads"), attributes.valueOrDefault("width"));
  builder.set("num_layers", attributes.valueOrDefault("depth"));
  builder.set("max_position_embeddings", attributes.valueOrDefault("max_position_embeddings"));
  const theta = attributes.valueOrDefault("rope_theta") ?? fixed(10_000);
  setPlainRope(builder, { theta, rotaryDim: fixed(builder.get("head_dim")), layout: "half" });
  builder.set("mrope_section", sections);
  builder.set("mrope_interleaved", attributes.get("mrope_interleaved") ?? fixed(false));
  return [builder.build("mrope", "text", "all", "automatic")];
}
