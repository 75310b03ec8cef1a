import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

/** Classes of transformers 5.18 whose `validate_architecture` requires divisibility, even with an explicit head_dim. */
const MODEL_TYPES_REFUSING_REMAINDER: ReadonlySet<string> = new Set(
  "altclip_text_model altclip_vision_model arcee aria_text chinese_clip_text_model chinese_clip_vision_model clip_text_model clip_vision_model clipseg_text_model clipseg_vision_model cosmos3_edge_text cwm deepseek_ocr2_text deepseek_v2 esmc eurobert gemma2 gemma3_text gemma3n_text gpt_neox higgs_audio_v2 hrm_text hyperclovax jais2 llama metaclip_2_text_model metaclip_2_vision_model minicpm3 muse_glimmer_text nemotron3_diarization_audio t5_gemma_module t5gemma2_decoder t5gemma2_text tipsv2_text_model vaultgemma".split(
    " ",
  ),
);

export function refusesRemainder(typeName: string | null): boolean {
  return MODEL_TYPES_REFUSING_REMAINDER.has(typeName ?? "");
}

export const headsWidthRefused: Rule = {
  id: "heads/width-refused",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "hidden_size rejected by the model class", zh: "hidden_size 被模型类拒绝" },
  rationale: {
    en: "Some classes raise ValueError on loading if hidden_size is not divisible by the number of heads, even if head_dim is set.",
    zh: "有些类在 hidden_size 不能被头数整除时，加载即抛出 ValueError，即使写明了 head_dim。",
  },
  reference: "transformers/models/llama/configuration_llama.py: validate_architecture",
  check: checkEachStack(({ attributes, specs }) => {
    const heads = specs[0]?.params.num_heads;
    const width = attributes.fromFile("hidden_size");
    if (
      !refusesRemainder(attributes.typeName) ||
      typeof heads !== "number" ||
      heads <= 0 ||
      typeof width?.value !== "number"
    )
      return [];
    if (width.value % heads === 0) return [];
    return findingAt(
      width,
      {
        en: "{0} is not divisible by {1} heads: transformers raises ValueError",
        zh: "{0} 不能被 {1} 个头整除：transformers 会抛出 ValueError",
      },
      { args: [width.value, heads] },
    );
  }),
};
