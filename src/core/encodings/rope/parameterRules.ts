import * as l10n from "@vscode/l10n";
import type { Params } from "../../spec.ts";
import type { ParamProblem } from "../../util/errors.ts";
import { ownValue } from "../../util/ownValue.ts";
import { getNumber, getString, optionalNumber, optionalNumbers } from "../support/schema.ts";
import { ropeTrainingContext, rotaryDim } from "./frequencies.ts";

/** Checks across the parameters of `rope`; each message names the parameter to change. */
export function checkRopeParams(params: Params): ParamProblem[] {
  const problems = checkRotaryDim(params);
  if (problems.length > 0) return problems;
  return [
    ...checkListLengths(params),
    ...(ownValue(CHECK_BY_ROPE_TYPE, getString(params, "rope_type"))?.(params) ?? []),
  ];
}

function problem(params: Params, param: string, rule: string): ParamProblem {
  return { param, value: params[param], rule };
}

/** The parameter that determines the rotary dimension, which a message about it names. */
function findDimensionParam(params: Params): string {
  if (params.rope_type === "proportional" || params.rope_type === "axial") return "head_dim";
  if (optionalNumber(params, "rotary_dim") !== undefined) return "rotary_dim";
  return optionalNumber(params, "partial_rotary_factor") === 1 ? "head_dim" : "partial_rotary_factor";
}

function checkRotaryDim(params: Params): ParamProblem[] {
  const dim = rotaryDim(params);
  const param = findDimensionParam(params);
  const headDim = getNumber(params, "head_dim");
  if (dim > headDim)
    return [problem(params, param, l10n.t("must not rotate more than head_dim = {0} dimensions", headDim))];
  if (dim < 2) return [problem(params, param, l10n.t("must leave at least 2 dimensions to rotate, not {0}", dim))];
  if (dim % 2 === 1) {
    return [
      problem(params, param, l10n.t("must give an even rotary dimension, not {0}: dimensions rotate in pairs", dim)),
    ];
  }
  if (params.rope_type === "axial" && dim % 4 !== 0) {
    return [
      problem(
        params,
        param,
        l10n.t("must give a rotary dimension that is a multiple of 4: each axis takes half of the pairs"),
      ),
    ];
  }
  return [];
}

function checkListLengths(params: Params): ParamProblem[] {
  const pairCount = params.rope_type === "axial" ? rotaryDim(params) / 4 : rotaryDim(params) / 2;
  const lists = params.rope_type === "longrope" ? ["short_factor", "long_factor", "inv_freq"] : ["inv_freq"];
  return lists.flatMap((name) => {
    const list = optionalNumbers(params, name);
    if (list === undefined || list.length === pairCount) return [];
    return [problem(params, name, l10n.t("must have one number per pair ({0}), not {1}", pairCount, list.length))];
  });
}

function requireFactor(params: Params): ParamProblem[] {
  return optionalNumber(params, "factor") === undefined
    ? [problem(params, "factor", l10n.t("is required for rope_type {0}", getString(params, "rope_type")))]
    : [];
}

function checkNtk(params: Params): ParamProblem[] {
  const tooSmall = rotaryDim(params) === 2;
  const rule = l10n.t("must rotate more than 2 dimensions: NTK's exponent d/(d − 2) divides by zero");
  return [...requireFactor(params), ...(tooSmall ? [problem(params, findDimensionParam(params), rule)] : [])];
}

function checkYarn(params: Params): ParamProblem[] {
  const fast = optionalNumber(params, "beta_fast") ?? 32;
  const slow = optionalNumber(params, "beta_slow") ?? 1;
  return [
    ...(fast >= slow ? [] : [problem(params, "beta_fast", l10n.t("must be at least beta_slow = {0}", slow))]),
    ...(getNumber(params, "rope_theta") > 1
      ? []
      : [problem(params, "rope_theta", l10n.t("must be greater than {0}", 1))]),
  ];
}

function checkLongrope(params: Params): ParamProblem[] {
  const missing = ["short_factor", "long_factor"].filter((name) => optionalNumbers(params, name) === undefined);
  return [
    ...missing.map((name) => problem(params, name, l10n.t("is required for rope_type {0}", "longrope"))),
    ...(ropeTrainingContext(params) > 1
      ? []
      : [problem(params, "original_max_position_embeddings", l10n.t("must be greater than {0}", 1))]),
  ];
}

function checkLlama3(params: Params): ParamProblem[] {
  const low = optionalNumber(params, "low_freq_factor") ?? 1;
  const high = optionalNumber(params, "high_freq_factor") ?? 4;
  const orderProblems =
    high >= low ? [] : [problem(params, "high_freq_factor", l10n.t("must be at least low_freq_factor = {0}", low))];
  return [...requireFactor(params), ...orderProblems];
}

const CHECK_BY_ROPE_TYPE: Readonly<Record<string, (params: Params) => ParamProblem[]>> = {
  linear: requireFactor,
  ntk: checkNtk,
  dynamic: checkNtk,
  yarn: checkYarn,
  longrope: checkLongrope,
  llama3: checkLlama3,
};
