import type { ConfigProblem } from "../problems.ts";
import { alibiHalfPrecision } from "./alibiHalfPrecision.ts";
import { alibiHeads } from "./alibiHeads.ts";
import { alibiMptIgnored } from "./alibiMptIgnored.ts";
import { alibiRopeUnused } from "./alibiRopeUnused.ts";
import { runRules } from "./check.ts";
import { configInteger } from "./configInteger.ts";
import { ggufDisagrees } from "./ggufDisagrees.ts";
import { headsDivide } from "./headsDivide.ts";
import { headsKeyValue } from "./headsKeyValue.ts";
import { headsRefused } from "./headsRefused.ts";
import { layersNopeLength } from "./layersNopeLength.ts";
import { layersNopeWords } from "./layersNopeWords.ts";
import { layersTypesLength } from "./layersTypesLength.ts";
import { layersTypesUnread } from "./layersTypesUnread.ts";
import { layersUnknownType } from "./layersUnknownType.ts";
import { metaScaledConstants } from "./metaScaledConstants.ts";
import { mistralThetaAmbiguous } from "./mistralThetaAmbiguous.ts";
import { ropeAttentionFactor } from "./ropeAttentionFactor.ts";
import { ropeBetaOrder } from "./ropeBetaOrder.ts";
import { ropeDbrxTheta } from "./ropeDbrxTheta.ts";
import { ropeDynamicCache } from "./ropeDynamicCache.ts";
import { ropeFactorBelowOne } from "./ropeFactorBelowOne.ts";
import { ropeFactorMismatch } from "./ropeFactorMismatch.ts";
import { ropeFlatOnLayered } from "./ropeFlatOnLayered.ts";
import { ropeFormsDisagree } from "./ropeFormsDisagree.ts";
import { ropeGptNeoxTop } from "./ropeGptNeoxTop.ts";
import { ropeHeadDimNull } from "./ropeHeadDimNull.ts";
import { ropeIntegerFactor } from "./ropeIntegerFactor.ts";
import { ropeLegacyType } from "./ropeLegacyType.ts";
import { ropeLlama3NeedsOriginalLength } from "./ropeLlama3NeedsOriginalLength.ts";
import { ropeLlama3Order } from "./ropeLlama3Order.ts";
import { ropeLlama3Original } from "./ropeLlama3Original.ts";
import { ropeLongropeFactor } from "./ropeLongropeFactor.ts";
import { ropeLongropeLists } from "./ropeLongropeLists.ts";
import { ropeLongropeNeedsOriginalLength } from "./ropeLongropeNeedsOriginalLength.ts";
import { ropeMissingKeys } from "./ropeMissingKeys.ts";
import { ropeMropeSections } from "./ropeMropeSections.ts";
import { ropeMscaleUnused } from "./ropeMscaleUnused.ts";
import { ropeNearMissKey } from "./ropeNearMissKey.ts";
import { ropeNestedOnFlat } from "./ropeNestedOnFlat.ts";
import { ropeNewFormOldVersion } from "./ropeNewFormOldVersion.ts";
import { ropeNotADictionary } from "./ropeNotADictionary.ts";
import { ropeOddDimension } from "./ropeOddDimension.ts";
import { ropeOldFormIgnored } from "./ropeOldFormIgnored.ts";
import { ropeOlmo3Sliding } from "./ropeOlmo3Sliding.ts";
import { ropeOriginalTwice } from "./ropeOriginalTwice.ts";
import { ropePartialBreaks } from "./ropePartialBreaks.ts";
import { ropePartialIgnored } from "./ropePartialIgnored.ts";
import { ropePhi3Su } from "./ropePhi3Su.ts";
import { ropePhi3Yarn } from "./ropePhi3Yarn.ts";
import { ropeProportionalFraction } from "./ropeProportionalFraction.ts";
import { ropeScalingUnread } from "./ropeScalingUnread.ts";
import { ropeThetaLost } from "./ropeThetaLost.ts";
import { ropeThetaNull } from "./ropeThetaNull.ts";
import { ropeThetaTwice } from "./ropeThetaTwice.ts";
import { ropeTruncateNested } from "./ropeTruncateNested.ts";
import { ropeTypesDisagree } from "./ropeTypesDisagree.ts";
import { ropeUnknownKeys } from "./ropeUnknownKeys.ts";
import { ropeUnknownType } from "./ropeUnknownType.ts";
import { ropeYarnNeedsOriginalLength } from "./ropeYarnNeedsOriginalLength.ts";
import type { Facts, Rule } from "./rule.ts";
import { t5CrossAttention } from "./t5CrossAttention.ts";
import { t5UnusedLength } from "./t5UnusedLength.ts";
import { tableGenerationLonger } from "./tableGenerationLonger.ts";
import { tablePaddingOffset } from "./tablePaddingOffset.ts";
import { tableRelativeKey } from "./tableRelativeKey.ts";
import { tableTokenizerLonger } from "./tableTokenizerLonger.ts";
import { windowDead } from "./windowDead.ts";
import { windowNeverReached } from "./windowNeverReached.ts";
import { windowTooLong } from "./windowTooLong.ts";

/** The table of rules: adding one is a file and a line here. The page of rules is made from it. */
export const RULES: readonly Rule[] = [
  alibiHalfPrecision,
  alibiHeads,
  alibiMptIgnored,
  alibiRopeUnused,
  configInteger,
  ggufDisagrees,
  headsDivide,
  headsKeyValue,
  headsRefused,
  layersNopeLength,
  layersNopeWords,
  layersTypesLength,
  layersTypesUnread,
  layersUnknownType,
  metaScaledConstants,
  mistralThetaAmbiguous,
  ropeAttentionFactor,
  ropeBetaOrder,
  ropeDbrxTheta,
  ropeDynamicCache,
  ropeFactorBelowOne,
  ropeFactorMismatch,
  ropeFlatOnLayered,
  ropeFormsDisagree,
  ropeGptNeoxTop,
  ropeHeadDimNull,
  ropeIntegerFactor,
  ropeLegacyType,
  ropeLlama3NeedsOriginalLength,
  ropeLlama3Order,
  ropeLlama3Original,
  ropeLongropeFactor,
  ropeLongropeLists,
  ropeLongropeNeedsOriginalLength,
  ropeMissingKeys,
  ropeMropeSections,
  ropeMscaleUnused,
  ropeNearMissKey,
  ropeNestedOnFlat,
  ropeNewFormOldVersion,
  ropeNotADictionary,
  ropeOddDimension,
  ropeOldFormIgnored,
  ropeOlmo3Sliding,
  ropeOriginalTwice,
  ropePartialBreaks,
  ropePartialIgnored,
  ropePhi3Su,
  ropePhi3Yarn,
  ropeProportionalFraction,
  ropeScalingUnread,
  ropeThetaLost,
  ropeThetaNull,
  ropeThetaTwice,
  ropeTruncateNested,
  ropeTypesDisagree,
  ropeUnknownKeys,
  ropeUnknownType,
  ropeYarnNeedsOriginalLength,
  t5CrossAttention,
  t5UnusedLength,
  tableGenerationLonger,
  tablePaddingOffset,
  tableRelativeKey,
  tableTokenizerLonger,
  windowDead,
  windowNeverReached,
  windowTooLong,
];

export function checkRules(facts: Facts): ConfigProblem[] {
  return runRules(RULES, facts);
}
