import { encodingById } from "../../../encodings/index.ts";
import { localize } from "../../../l10n/l10n.ts";
import type { EncodingSpec, Evidence, Params, ParamValue } from "../../../spec.ts";
import { ownValue } from "../../../util/ownValue.ts";
import { findFirstDivergence } from "../../compare/firstDivergence.ts";
import { formatForMessage } from "../../huggingface/attributes.ts";
import type { StackFacts } from "../../huggingface/readHuggingFace.ts";
import { TRANSFORMERS_RUN } from "../../huggingface/readingView.ts";
import { specAsRun } from "../../runs.ts";
import { type FindingOptions, findingAt, HUGGING_FACE, type Rule, type RuleFacts, type RuleFinding } from "../rule.ts";

export const configReadOtherwise: Rule = {
  id: "config/read-otherwise",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "transformers computes something else than the file declares", zh: "transformers 的计算与文件声明不符" },
  rationale: {
    en: "Files are read as the model's own published code reads them, and as transformers 5.18 does. The library silently uses another value where a class no longer reads a key: DBRX's attn_config.rope_theta, MPT's attn_config, position_embedding_type of the BERT family, rope_theta beside a default rope_parameters, partial_rotary_factor in models that rotate the whole head.",
    zh: "文件按模型自己发布的代码读取，也按 transformers 5.18 读取。类不再读取某个键时，库会悄悄使用别的值：DBRX 的 attn_config.rope_theta、MPT 的 attn_config、BERT 系列的 position_embedding_type、与默认 rope_parameters 并存的 rope_theta，以及旋转整个头的模型中的 partial_rotary_factor。",
  },
  reference: "transformers/modeling_rope_utils.py: convert_rope_params_to_dict; huggingface/transformers#48652",
  check: (facts) => facts.specs.flatMap((spec) => checkSpec(spec, facts)),
};

/** Parameters that follow from another, which the file has. */
const WRITTEN_AS: Readonly<Record<string, string>> = { rotary_dim: "partial_rotary_factor" };

function checkSpec(spec: EncodingSpec, facts: RuleFacts): readonly RuleFinding[] {
  const differing = spec.runs?.[TRANSFORMERS_RUN];
  if (differing === undefined) return [];
  const places = findPlaces(spec, differing);
  const stack = findStack(spec, facts, places[0]?.place);
  return places.flatMap(({ name, place }) => {
    const written = facts.root.textOf(place.path) ?? "";
    return describeDifference({ spec, differing, name, place, stack, written });
  });
}

interface DifferencePlace {
  /** The differing parameter. */
  readonly name: string;
  readonly place: Evidence;
}

/** The keys that are read otherwise, each once; of another encoding, the first key that decides it. */
function findPlaces({ evidence }: EncodingSpec, differing: Params): readonly DifferencePlace[] {
  const names = "encoding" in differing ? ["encoding"] : Object.keys(differing);
  const found = names.flatMap((name): DifferencePlace[] => {
    const place = evidence.find(({ param }) => param === name || param === ownValue(WRITTEN_AS, name));
    return place === undefined ? [] : [{ name, place }];
  });
  const [first] = evidence;
  const [name] = names;
  return found.length > 0 || first === undefined || name === undefined ? found : [{ name, place: first }];
}

function findStack(spec: EncodingSpec, { stacks }: RuleFacts, place: Evidence | undefined): StackFacts | undefined {
  const isAround = ({ attributes }: StackFacts) =>
    attributes.section?.path.every((step, i) => place?.path[i] === step) === true;
  return (
    stacks.find((stack) => isAround(stack) && stack.specs.some(({ where }) => where === spec.where)) ??
    stacks.find(isAround)
  );
}

interface Difference extends DifferencePlace {
  readonly spec: EncodingSpec;
  readonly differing: Params;
  readonly stack: StackFacts | undefined;
  /** The value as it is spelt in the file. */
  readonly written: string;
}

function describeDifference(difference: Difference): readonly RuleFinding[] {
  const { spec, place, stack, written } = difference;
  const key = place.path.join(".");
  const isPublished = stack?.attributes.type.published?.publishedKeys?.some((known) => key.endsWith(known)) === true;
  const fix = findFix(difference);
  return findingAt(
    place,
    { en: "{0} {1} is not read by {2}, which uses {3}{4}", zh: "{2} 不读取 {0} {1}，而使用 {3}{4}" },
    {
      args: [key, shorten(written), TRANSFORMERS_RUN, describeUsed(difference), describeEffect(spec)],
      // Who publishes such a file did nothing wrong.
      checked: stack?.attributes.confidence === "checked" && !isPublished,
      ...(fix === undefined ? {} : { fix }),
    },
  );
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** The value where transformers reads it, if that is known. */
function findFix({ spec, name, stack }: Difference): FindingOptions["fix"] {
  const { section, type } = stack?.attributes ?? {};
  const key = type?.published?.readAt?.[name];
  if (section === undefined || key === undefined) return undefined;
  return {
    title: { en: "Write {1} where {2} reads it", zh: "把 {1} 写到 {2} 读取的位置" },
    changes: [{ path: [...section.path, key], value: spec.params[name] ?? null }],
  };
}

function describeUsed({ spec, differing, name }: Difference): string {
  const value: ParamValue = differing[name] ?? null;
  if (name === "encoding") {
    const encoding = encodingById(String(value));
    return encoding === undefined ? String(value) : localize(encoding.name);
  }
  if (name === "rotary_dim" && value === spec.params.head_dim)
    return localize({ en: `all ${value} dimensions`, zh: `全部 ${value} 维` });
  return ownValue(WRITTEN_AS, name) !== undefined ? `${name} ${formatForMessage(value)}` : formatForMessage(value);
}

/** From which distance the scores differ, if they can be compared. */
function describeEffect(spec: EncodingSpec): string {
  const found = findFirstDivergence(spec, specAsRun(spec, TRANSFORMERS_RUN));
  if (found.kind !== "diverges") return "";
  const { distance } = found;
  return localize({ en: `: scores differ from distance ${distance}`, zh: `：从距离 ${distance} 起分数不同` });
}
