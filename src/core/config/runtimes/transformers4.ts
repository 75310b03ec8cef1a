import type { ParamValue } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { IGNORES_ROPE_PARAMETERS, legacyScaling, readLegacyTheta, readLegacyValue } from "./classic.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { asRead, type Runtime, type RuntimeRead, refused, unknown } from "./runtime.ts";
import { NOT_A_LIMIT, readAsTransformers5 } from "./transformers5.ts";

const NO_CLASS = { en: "4.57.6 has no class for this model type", zh: "4.57.6 没有此模型类型的类" };
const TYPE_WINS = { en: "type overwrites rope_type", zh: "type 会覆盖 rope_type" };
const LONGROPE_TOP_LEVEL_ONLY = {
  en: "LongRoPE reads it at the top level, not in the dictionary",
  zh: "LongRoPE 只读文件顶层的值，不读字典里的",
};
const TABLES_IGNORE_SPLIT = {
  en: "the tables have this width whether or not the model's code splits the head",
  zh: "无论模型代码是否拆分注意力头，表格都取此宽度",
};
const TYPE_MISSING = { en: "dictionary without a type: KeyError", zh: "字典没有类型：KeyError" };

/** Default base of the class in 4.57.6. */
export function defaultVersion4Theta(file: RopeFile): ParamValue {
  const ofLayers = file.layerRope?.thetaKey === undefined ? undefined : file.layerRope.theta;
  return ofLayers ?? file.facts.transformers4?.defaultTheta ?? file.attributes.type.defaultTheta ?? 10_000;
}

/** The `rope_type` that 4.57.6 uses: whether `type` or `rope_type` wins depends on the class. */
export function readVersion4RopeType(file: RopeFile): RuntimeRead {
  const dictionary = legacyScaling(file);
  if (dictionary === undefined)
    return asRead(
      "default",
      file.param("rope_type") === "default" || file.ropeScaling ? null : IGNORES_ROPE_PARAMETERS,
    );
  const old = valueIn(dictionary, "type");
  const named = valueIn(dictionary, "rope_type");
  const copied = file.facts.transformers4?.typeOverridesRopeType === true && old !== null;
  const type = copied ? old : (named ?? old);
  if (type === null) return refused(TYPE_MISSING);
  const disagree = old !== null && named !== null && old !== named;
  return asRead(resolveTypeAlias(file, type), disagree && copied ? TYPE_WINS : null);
}

function resolveTypeAlias(file: RopeFile, type: ParamValue): ParamValue {
  if (type === "mrope" && file.spec.encoding === "mrope") return "default";
  // Aliases of classes that came later are not known here.
  if (file.facts.transformers4?.hasNoClass === true || type === "mrope") return type;
  return ownValue(file.attributes.type.ropeTypeAliases ?? {}, String(type)) ?? type;
}

function readVersion4OriginalLength(file: RopeFile): RuntimeRead {
  const type = readVersion4RopeType(file).value;
  const longest = file.param("max_position_embeddings");
  const top = file.topLevel("original_max_position_embeddings");
  if (type === "longrope") {
    const inside = valueIn(legacyScaling(file), "original_max_position_embeddings");
    return asRead(top ?? longest, top === null && inside !== null ? LONGROPE_TOP_LEVEL_ONLY : null);
  }
  const read = readLegacyValue(file, "original_max_position_embeddings");
  return read.value === null && type === "yarn" ? asRead(longest) : read;
}

/** All classes read `partial_rotary_factor` at the top level, none in `rope_parameters`. */
function readVersion4RotaryDim(file: RopeFile): RuntimeRead {
  const head = file.number("head_dim");
  const key = file.attributes.type.partialFactorKey ?? "partial_rotary_factor";
  const written = file.topLevel(key);
  if (head === null || file.hasFixedTheta) return asRead(file.param("rotary_dim"));
  const width = (share: number) => Math.trunc(head * share);
  if (typeof written === "number") {
    const own = width(written);
    return asRead(own, own === file.number("rotary_dim") ? null : TABLES_IGNORE_SPLIT);
  }
  const inside = valueIn(file.ropeParameters, "partial_rotary_factor");
  return inside === null
    ? asRead(file.param("rotary_dim"))
    : asRead(width(file.attributes.type.defaultPartialFactor ?? 1), IGNORES_ROPE_PARAMETERS);
}

function ifClassExists(read: (file: RopeFile) => RuntimeRead): (file: RopeFile) => RuntimeRead {
  return (file) => (file.facts.transformers4?.hasNoClass === true ? unknown(NO_CLASS) : read(file));
}

export const transformers4: Runtime = {
  id: "transformers-4",
  name: "transformers 4.x",
  version: "4.57.6",
  source: "huggingface/transformers v4.57.6: src/transformers/modeling_rope_utils.py, models/*/configuration_*.py",
  reads: {
    rope_theta: ifClassExists((file) => readLegacyTheta(file, defaultVersion4Theta(file))),
    rope_type: ifClassExists(readVersion4RopeType),
    factor: ifClassExists((file) => readLegacyValue(file, "factor")),
    original_max_position_embeddings: ifClassExists(readVersion4OriginalLength),
    attention_factor: ifClassExists((file) => readLegacyValue(file, "attention_factor")),
    truncate: ifClassExists((file) => {
      const read = readLegacyValue(file, "truncate");
      return read.value === null ? asRead(readVersion4RopeType(file).value === "yarn" ? true : null, read.note) : read;
    }),
    rotary_dim: ifClassExists(readVersion4RotaryDim),
    layout: ifClassExists(readAsTransformers5("layout")),
    sliding_window: ifClassExists(readAsTransformers5("sliding_window")),
    context: ifClassExists((file) => asRead(file.param("max_position_embeddings"), NOT_A_LIMIT)),
  },
};
