import type { ConfigProblem } from "../problems.ts";
import { alibiHalfPrecision } from "./alibi/bfloat16.ts";
import { alibiHeads } from "./alibi/headsNotPowerOfTwo.ts";
import { alibiMptIgnored } from "./alibi/mptIgnored.ts";
import { alibiRopeUnused } from "./alibi/ropeUnused.ts";
import { runRules } from "./check.ts";
import { configInteger } from "./config/notAnInteger.ts";
import { ggufDisagrees } from "./gguf/disagrees.ts";
import { headsDivide } from "./heads/doNotDivide.ts";
import { headsKeyValue } from "./heads/keyValue.ts";
import { headsRefused } from "./heads/widthRefused.ts";
import { layersNopeWords } from "./layers/noRopeLayers.ts";
import { layersNopeLength } from "./layers/noRopeLength.ts";
import { layersTypesLength } from "./layers/typesLength.ts";
import { layersTypesUnread } from "./layers/typesUnread.ts";
import { layersUnknownType } from "./layers/unknownType.ts";
import { metaScaledConstants } from "./meta/scalingConstants.ts";
import { mistralThetaAmbiguous } from "./mistral/thetaAmbiguous.ts";
import { ropeAttentionFactor } from "./rope/attentionFactor.ts";
import { ropeBetaOrder } from "./rope/betaOrder.ts";
import { ropeDbrxTheta } from "./rope/dbrxTheta.ts";
import { ropeDynamicCache } from "./rope/dynamicWithCache.ts";
import { ropeFactorBelowOne } from "./rope/factorBelowOne.ts";
import { ropeFactorMismatch } from "./rope/factorMismatch.ts";
import { ropeFlatOnLayered } from "./rope/flatOnLayered.ts";
import { ropeFormsDisagree } from "./rope/formsDisagree.ts";
import { ropeGptNeoxTop } from "./rope/gptNeoxTopLevel.ts";
import { ropeHeadDimNull } from "./rope/headDimNull.ts";
import { ropeIntegerFactor } from "./rope/integerFactor.ts";
import { ropeLegacyType } from "./rope/legacyTypeUnread.ts";
import { ropeLlama3Order } from "./rope/llama3FrequencyOrder.ts";
import { ropeLlama3NeedsOriginalLength } from "./rope/llama3NeedsOriginalLength.ts";
import { ropeLlama3Original } from "./rope/llama3OriginalLength.ts";
import { ropeLongropeFactor } from "./rope/longropeFactor.ts";
import { ropeLongropeLists } from "./rope/longropeListLength.ts";
import { ropeLongropeNeedsOriginalLength } from "./rope/longropeNeedsOriginalLength.ts";
import { ropeMissingKeys } from "./rope/missingKeys.ts";
import { ropeMropeSections } from "./rope/mropeSections.ts";
import { ropeMscaleUnused } from "./rope/mscaleUnused.ts";
import { ropeNearMissKey } from "./rope/nearMissKey.ts";
import { ropeNestedOnFlat } from "./rope/nestedOnFlat.ts";
import { ropeNewFormOldVersion } from "./rope/newFormOldVersion.ts";
import { ropeNotADictionary } from "./rope/notADictionary.ts";
import { ropeOddDimension } from "./rope/oddDimension.ts";
import { ropeOldFormIgnored } from "./rope/oldFormIgnored.ts";
import { ropeOlmo3Sliding } from "./rope/olmo3SlidingBase.ts";
import { ropeOriginalTwice } from "./rope/originalLengthTwice.ts";
import { ropePartialBreaks } from "./rope/partialBreaks.ts";
import { ropePartialIgnored } from "./rope/partialIgnored.ts";
import { ropePhi3Su } from "./rope/phi3Su.ts";
import { ropePhi3Yarn } from "./rope/phi3Yarn.ts";
import { ropeProportionalFraction } from "./rope/proportionalWithoutFraction.ts";
import { ropeScalingUnread } from "./rope/scalingUnread.ts";
import { ropeThetaLost } from "./rope/thetaLost.ts";
import { ropeThetaNull } from "./rope/thetaNull.ts";
import { ropeThetaTwice } from "./rope/thetaTwice.ts";
import { ropeTruncateNested } from "./rope/truncateNested.ts";
import { ropeTypesDisagree } from "./rope/typesDisagree.ts";
import { ropeUnknownKeys } from "./rope/unknownKeys.ts";
import { ropeUnknownType } from "./rope/unknownType.ts";
import { ropeYarnNeedsOriginalLength } from "./rope/yarnNeedsOriginalLength.ts";
import type { Facts, Rule } from "./rule.ts";
import { t5CrossAttention } from "./t5/crossAttention.ts";
import { t5UnusedLength } from "./t5/unusedLength.ts";
import { tableGenerationLonger } from "./table/generationLonger.ts";
import { tablePaddingOffset } from "./table/paddingOffset.ts";
import { tableRelativeKey } from "./table/relativeKeyIgnored.ts";
import { tableTokenizerLonger } from "./table/tokenizerLonger.ts";
import { windowDead } from "./window/dead.ts";
import { windowTooLong } from "./window/longerThanContext.ts";
import { windowNeverReached } from "./window/neverReached.ts";

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
