import type { ParamValue } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { asRead, type RuntimeRead, unknown } from "./runtime.ts";

/** Conversions whose transformers 4 form is not one base and one dictionary. */
const OTHER_LEGACY_FORMS: ReadonlySet<string> = new Set([
  "as_written",
  "neomme",
  "step3p5",
  "deepseek_v4",
  "params_only",
  "bamba",
]);

export const IGNORES_ROPE_PARAMETERS = {
  en: "does not read rope_parameters",
  zh: "不读取 rope_parameters",
};

/** The key of the base, by class and layer type. */
export function legacyThetaKey(file: RopeFile): string {
  const { ropeConversion } = file.attributes.type;
  if (ropeConversion === "gemma3") return file.usesWindow ? "rope_local_base_freq" : "rope_theta";
  if (ropeConversion === "modernbert") return file.usesWindow ? "local_rope_theta" : "global_rope_theta";
  return ropeConversion === "gpt_neox" ? "rotary_emb_base" : "rope_theta";
}

/** @param fallback default of the runtime's own class */
export function readLegacyTheta(file: RopeFile, fallback: ParamValue): RuntimeRead {
  if (file.hasFixedTheta) return asRead(file.param("rope_theta"));
  if (OTHER_LEGACY_FORMS.has(file.attributes.type.ropeConversion ?? "")) return unknown();
  const written = file.topLevel(legacyThetaKey(file));
  if (typeof written === "number") return asRead(written);
  return asRead(fallback, file.ropeParameters === undefined ? null : IGNORES_ROPE_PARAMETERS);
}

/** `rope_scaling`, for layers that it applies to: not the sliding layers of Gemma 3 and OLMo 3. */
export function legacyScaling(file: RopeFile): Section | undefined {
  const unscaled = ["gemma3", "olmo3"].includes(file.attributes.type.ropeConversion ?? "") && file.usesWindow;
  return unscaled ? undefined : file.ropeScaling;
}

/** A value of `rope_scaling`; values that only `rope_parameters` has are ignored. */
export function readLegacyValue(file: RopeFile, key: string): RuntimeRead {
  const value = valueIn(legacyScaling(file), key);
  if (value !== null || file.param(key) === null) return asRead(value);
  return asRead(null, file.ropeParameters === undefined ? null : IGNORES_ROPE_PARAMETERS);
}
