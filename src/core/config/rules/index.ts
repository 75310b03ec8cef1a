import type { StackFacts } from "../huggingface/readHuggingFace.ts";
import { type ConfigProblem, limitSeverity } from "../problems.ts";
import { alibiBfloat16 } from "./alibi/bfloat16.ts";
import { alibiHeadsNotPowerOfTwo } from "./alibi/headsNotPowerOfTwo.ts";
import { alibiRopeUnused } from "./alibi/ropeUnused.ts";
import { configNotAnInteger } from "./config/notAnInteger.ts";
import { configReadOtherwise } from "./config/readOtherwise.ts";
import { ggufDisagrees } from "./gguf/disagrees.ts";
import { headsDoNotDivide } from "./heads/doNotDivide.ts";
import { headsKeyValue } from "./heads/keyValue.ts";
import { headsWidthRefused } from "./heads/widthRefused.ts";
import { layersNoRopeLayers } from "./layers/noRopeLayers.ts";
import { layersNoRopeLength } from "./layers/noRopeLength.ts";
import { layersTypesLength } from "./layers/typesLength.ts";
import { layersTypesUnread } from "./layers/typesUnread.ts";
import { layersUnknownType } from "./layers/unknownType.ts";
import { metaScalingConstants } from "./meta/scalingConstants.ts";
import { mistralThetaAmbiguous } from "./mistral/thetaAmbiguous.ts";
import { ropeAttentionFactor } from "./rope/attentionFactor.ts";
import { ropeBetaOrder } from "./rope/betaOrder.ts";
import { ropeDynamicWithCache } from "./rope/dynamicWithCache.ts";
import { ropeFactorBelowOne } from "./rope/factorBelowOne.ts";
import { ropeFactorMismatch } from "./rope/factorMismatch.ts";
import { ropeFlatOnLayered } from "./rope/flatOnLayered.ts";
import { ropeFormsDisagree } from "./rope/formsDisagree.ts";
import { ropeGptNeoxTopLevel } from "./rope/gptNeoxTopLevel.ts";
import { ropeHeadDimNull } from "./rope/headDimNull.ts";
import { ropeIntegerFactor } from "./rope/integerFactor.ts";
import { ropeLegacyTypeUnread } from "./rope/legacyTypeUnread.ts";
import { ropeLlama3FrequencyOrder } from "./rope/llama3FrequencyOrder.ts";
import { ropeLlama3NeedsOriginalLength } from "./rope/llama3NeedsOriginalLength.ts";
import { ropeLlama3OriginalLength } from "./rope/llama3OriginalLength.ts";
import { ropeLongropeFactor } from "./rope/longropeFactor.ts";
import { ropeLongropeListLength } from "./rope/longropeListLength.ts";
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
import { ropeOriginalLengthTwice } from "./rope/originalLengthTwice.ts";
import { ropePartialBreaks } from "./rope/partialBreaks.ts";
import { ropePhi3Su } from "./rope/phi3Su.ts";
import { ropePhi3Yarn } from "./rope/phi3Yarn.ts";
import { ropeProportionalWithoutFraction } from "./rope/proportionalWithoutFraction.ts";
import { ropeScalingUnread } from "./rope/scalingUnread.ts";
import { ropeThetaLost } from "./rope/thetaLost.ts";
import { ropeThetaNull } from "./rope/thetaNull.ts";
import { ropeThetaTwice } from "./rope/thetaTwice.ts";
import { ropeTruncateNested } from "./rope/truncateNested.ts";
import { ropeTypesDisagree } from "./rope/typesDisagree.ts";
import { ropeUnknownKeys } from "./rope/unknownKeys.ts";
import { ropeUnknownType } from "./rope/unknownType.ts";
import { ropeYarnNeedsOriginalLength } from "./rope/yarnNeedsOriginalLength.ts";
import type { Rule, RuleFacts, RuleFinding } from "./rule.ts";
import { t5CrossAttention } from "./t5/crossAttention.ts";
import { t5UnusedLength } from "./t5/unusedLength.ts";
import { tableGenerationLonger } from "./table/generationLonger.ts";
import { tablePaddingOffset } from "./table/paddingOffset.ts";
import { tableTokenizerLonger } from "./table/tokenizerLonger.ts";
import { windowDead } from "./window/dead.ts";
import { windowLongerThanContext } from "./window/longerThanContext.ts";
import { windowNeverReached } from "./window/neverReached.ts";

/** All rules. A new one needs its file and a line here; the documentation is generated from this table. */
export const RULES: readonly Rule[] = [
  alibiBfloat16,
  alibiHeadsNotPowerOfTwo,
  alibiRopeUnused,
  configNotAnInteger,
  configReadOtherwise,
  ggufDisagrees,
  headsDoNotDivide,
  headsKeyValue,
  headsWidthRefused,
  layersNoRopeLength,
  layersNoRopeLayers,
  layersTypesLength,
  layersTypesUnread,
  layersUnknownType,
  metaScalingConstants,
  mistralThetaAmbiguous,
  ropeAttentionFactor,
  ropeBetaOrder,
  ropeDynamicWithCache,
  ropeFactorBelowOne,
  ropeFactorMismatch,
  ropeFlatOnLayered,
  ropeFormsDisagree,
  ropeGptNeoxTopLevel,
  ropeHeadDimNull,
  ropeIntegerFactor,
  ropeLegacyTypeUnread,
  ropeLlama3NeedsOriginalLength,
  ropeLlama3FrequencyOrder,
  ropeLlama3OriginalLength,
  ropeLongropeFactor,
  ropeLongropeListLength,
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
  ropeOriginalLengthTwice,
  ropePartialBreaks,
  ropePhi3Su,
  ropePhi3Yarn,
  ropeProportionalWithoutFraction,
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
  tableTokenizerLonger,
  windowDead,
  windowNeverReached,
  windowLongerThanContext,
];

/** Runs all rules. Errors become warnings if the model type's encoding is not checked, and notes if it is a guess. */
export function checkRules(facts: RuleFacts): ConfigProblem[] {
  return RULES.filter(({ formats }) => formats.includes(facts.format)).flatMap((rule) =>
    rule.check(facts).map(({ checked, ...finding }) => ({
      rule: rule.id,
      severity: isAboutGuess(finding, facts)
        ? limitSeverity(rule.severity, "guess")
        : limitSeverity(rule.severity, checked === false ? "automatic" : "checked"),
      ...finding,
    })),
  );
}

/** Whether the stack around a finding is a guess; a finding outside of all stacks is, if all of them are. */
function isAboutGuess({ path }: RuleFinding, { stacks, specs }: RuleFacts): boolean {
  const around = stacks
    .filter(({ attributes: { section } }) => section?.path.every((part, i) => path[i] === part) === true)
    .toSorted((a, b) => depthOf(b) - depthOf(a));
  const nearest = around[0];
  if (nearest !== undefined) return nearest.attributes.confidence === "guess";
  return specs.length > 0 && specs.every(({ confidence }) => confidence === "guess");
}

const depthOf = ({ attributes: { section } }: StackFacts): number => section?.path.length ?? 0;
