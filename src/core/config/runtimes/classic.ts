import type { ParamValue } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { is, type Read, unknown } from "./runtime.ts";

/** Classes whose 4.x form is not that of one base and one dictionary. */
const OTHER_FORMS: ReadonlySet<string> = new Set([
  "as_written",
  "neomme",
  "step3p5",
  "deepseek_v4",
  "params_only",
  "bamba",
]);

export const IGNORES_PARAMETERS = {
  en: "does not read rope_parameters",
  zh: "不读取 rope_parameters",
};

/** The key of the base, by the class and the kind of layer. */
export function thetaKey(file: RopeFile): string {
  const { s } = file.attributes.type;
  if (s === "gemma3") return file.slides ? "rope_local_base_freq" : "rope_theta";
  if (s === "modernbert") return file.slides ? "local_rope_theta" : "global_rope_theta";
  return s === "gpt_neox" ? "rotary_emb_base" : "rope_theta";
}

/** @param fallback the default of the runtime's own class */
export function classicTheta(file: RopeFile, fallback: ParamValue): Read {
  if (file.isFixed) return is(file.param("rope_theta"));
  if (OTHER_FORMS.has(file.attributes.type.s ?? "")) return unknown();
  const written = file.top(thetaKey(file));
  if (typeof written === "number") return is(written);
  return is(fallback, file.parameters === undefined ? null : IGNORES_PARAMETERS);
}

/** `rope_scaling`, for the layers that scale: the sliding ones of Gemma 3 and OLMo 3 do not. */
export function classicScaling(file: RopeFile): Section | undefined {
  const unscaled = ["gemma3", "olmo3"].includes(file.attributes.type.s ?? "") && file.slides;
  return unscaled ? undefined : file.scaling;
}

/** A value of `rope_scaling`; one that stands in `rope_parameters` alone is passed over. */
export function classicValue(file: RopeFile, key: string): Read {
  const value = valueIn(classicScaling(file), key);
  if (value !== null || file.param(key) === null) return is(value);
  return is(null, file.parameters === undefined ? null : IGNORES_PARAMETERS);
}
