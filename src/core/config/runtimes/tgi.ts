import { readLegacyTheta, readLegacyValue } from "./classic.ts";
import type { RopeFile } from "./ropeFile.ts";
import { asRead, ignored, type Runtime, type RuntimeRead, refused, unknown } from "./runtime.ts";
import { defaultVersion4Theta, readVersion4RopeType as typeOf4 } from "./transformers4.ts";

const FACTOR_UNUSED = {
  en: "linear is accepted, but its factor is not used",
  zh: "接受 linear，但不使用其倍数",
};
const YARN_CONSTANTS = {
  en: "not read: attention factor 1, beta_fast 32 and beta_slow 1 are constants",
  zh: "不读取：注意力系数 1、beta_fast 32 与 beta_slow 1 是常量",
};
const ALWAYS_ROUNDED = { en: "not read: always rounded", zh: "不读取：总是取整" };
const NOT_IMPLEMENTED = { en: "raises NotImplementedError", zh: "抛出 NotImplementedError" };
const KEY_MISSING = { en: "raises KeyError: must be in the dictionary", zh: "抛出 KeyError：必须写在字典里" };
const TOP_LEVEL_ONLY = { en: "read only at the top level of the file", zh: "只读文件顶层" };

const TGI_ROPE_TYPES: ReadonlySet<unknown> = new Set([
  "default",
  "linear",
  "mrope",
  "dynamic",
  "llama3",
  "yarn",
  "su",
  "longrope",
]);

function readTgiRopeType(file: RopeFile): RuntimeRead {
  const read = typeOf4(file);
  return read.outcome !== "value" || TGI_ROPE_TYPES.has(read.value) ? read : refused(NOT_IMPLEMENTED);
}

function readTgiOriginalLength(file: RopeFile): RuntimeRead {
  const type = typeOf4(file).value;
  const read = readLegacyValue(file, "original_max_position_embeddings");
  if (type === "longrope" || type === "su") {
    const top = file.topLevel("original_max_position_embeddings");
    return top === null ? refused(TOP_LEVEL_ONLY) : asRead(top);
  }
  return read.value === null && (type === "yarn" || type === "llama3") ? refused(KEY_MISSING) : read;
}

const WHOLE_HEAD_ROTATES = {
  en: "the whole head rotates, whatever the fraction",
  zh: "无论比例如何，整个头都旋转",
};

function readTgiRotaryDim(file: RopeFile): RuntimeRead {
  if (file.facts.tgi === undefined) return unknown();
  if (file.facts.tgi.honoursPartialFactor === true) return asRead(file.param("rotary_dim"));
  const head = file.param("head_dim");
  return asRead(head, head === file.param("rotary_dim") ? null : WHOLE_HEAD_ROTATES);
}

function readTgiLayout(file: RopeFile): RuntimeRead {
  const layout = file.facts.tgi?.layout;
  return layout === undefined ? unknown() : asRead(layout);
}

export const tgi: Runtime = {
  id: "tgi",
  name: "TGI",
  version: "0666316",
  source:
    "huggingface/text-generation-inference: server/text_generation_server/layers/rotary.py, models/custom_modeling/flash_*_modeling.py",
  reads: {
    rope_theta: (file) => readLegacyTheta(file, defaultVersion4Theta(file)),
    rope_type: readTgiRopeType,
    factor: (file) => (typeOf4(file).value === "linear" ? ignored(FACTOR_UNUSED) : readLegacyValue(file, "factor")),
    original_max_position_embeddings: readTgiOriginalLength,
    attention_factor: (file) => (file.param("attention_factor") === null ? asRead(null) : ignored(YARN_CONSTANTS)),
    rotary_dim: readTgiRotaryDim,
    layout: readTgiLayout,
    truncate: (file) => (file.param("truncate") === false ? ignored(ALWAYS_ROUNDED) : asRead(file.param("truncate"))),
  },
};
