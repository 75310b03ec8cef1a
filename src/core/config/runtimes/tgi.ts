import { classicTheta, classicValue } from "./classic.ts";
import { tgiLayout, tgiRotaryDim } from "./layouts.ts";
import type { RopeFile } from "./ropeFile.ts";
import { ignored, is, type Read, type Runtime, refused } from "./runtime.ts";
import { defaultBase, typeOf as typeOf4 } from "./transformers4.ts";

const UNSCALED = {
  en: "linear is accepted, but its factor is not used",
  zh: "接受 linear，但不使用其倍数",
};
const FIXED = {
  en: "not read: attention factor 1, beta_fast 32 and beta_slow 1 are constants",
  zh: "不读取：注意力系数 1、beta_fast 32 与 beta_slow 1 是常量",
};
const FLOORED = { en: "not read: always rounded", zh: "不读取：总是取整" };
const NOT_IMPLEMENTED = { en: "raises NotImplementedError", zh: "抛出 NotImplementedError" };
const MISSING = { en: "raises KeyError: must be in the dictionary", zh: "抛出 KeyError：必须写在字典里" };
const TOP = { en: "read only at the top level of the file", zh: "只读文件顶层" };

const TYPES: ReadonlySet<unknown> = new Set([
  "default",
  "linear",
  "mrope",
  "dynamic",
  "llama3",
  "yarn",
  "su",
  "longrope",
]);

function typeOf(file: RopeFile): Read {
  const read = typeOf4(file);
  return read.fate !== "value" || TYPES.has(read.value) ? read : refused(NOT_IMPLEMENTED);
}

function original(file: RopeFile): Read {
  const type = typeOf4(file).value;
  const read = classicValue(file, "original_max_position_embeddings");
  if (type === "longrope" || type === "su") {
    const top = file.top("original_max_position_embeddings");
    return top === null ? refused(TOP) : is(top);
  }
  return read.value === null && (type === "yarn" || type === "llama3") ? refused(MISSING) : read;
}

export const tgi: Runtime = {
  id: "tgi",
  name: "TGI",
  version: "0666316",
  source:
    "huggingface/text-generation-inference: server/text_generation_server/layers/rotary.py, models/custom_modeling/flash_*_modeling.py",
  reads: {
    rope_theta: (file) => classicTheta(file, defaultBase(file)),
    rope_type: typeOf,
    factor: (file) => (typeOf4(file).value === "linear" ? ignored(UNSCALED) : classicValue(file, "factor")),
    original_max_position_embeddings: original,
    attention_factor: (file) => (file.param("attention_factor") === null ? is(null) : ignored(FIXED)),
    rotary_dim: tgiRotaryDim,
    layout: tgiLayout,
    truncate: (file) => (file.param("truncate") === false ? ignored(FLOORED) : is(file.param("truncate"))),
  },
};
