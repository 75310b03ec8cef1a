import type { ParamValue } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type RopeFile, valueIn } from "./ropeFile.ts";
import { asRead, type RuntimeRead, unknown } from "./runtime.ts";

export const IGNORES_ROPE_PARAMETERS = {
  en: "does not read rope_parameters",
  zh: "不读取 rope_parameters",
};

/** @param fallback default of the runtime's own class */
export function readLegacyTheta(file: RopeFile, fallback: ParamValue): RuntimeRead {
  if (file.hasFixedTheta) return asRead(file.param("rope_theta"));
  if (file.facts.transformers4?.otherThetaForm === true) return unknown();
  const written = file.topLevel(file.layerRope?.thetaKey ?? file.attributes.type.thetaKey ?? "rope_theta");
  if (typeof written === "number") return asRead(written);
  return asRead(fallback, file.ropeParameters === undefined ? null : IGNORES_ROPE_PARAMETERS);
}

/** `rope_scaling`, unless the class uses it only for layers of another type. */
export function legacyScaling(file: RopeFile): Section | undefined {
  const labels = Object.values(file.attributes.type.ropeByLayerType ?? {});
  const isMerged = labels.some(({ mergesRopeScaling }) => mergesRopeScaling === true);
  return isMerged && file.layerRope?.mergesRopeScaling !== true ? undefined : file.ropeScaling;
}

/** A value of `rope_scaling`; values that only `rope_parameters` has are ignored. */
export function readLegacyValue(file: RopeFile, key: string): RuntimeRead {
  const value = valueIn(legacyScaling(file), key);
  if (value !== null || file.param(key) === null) return asRead(value);
  return asRead(null, file.ropeParameters === undefined ? null : IGNORES_ROPE_PARAMETERS);
}
