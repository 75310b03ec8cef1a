import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const windowNeverReached: Rule = {
  id: "window/never-reached",
  severity: "warning",
  formats: HUGGING_FACE,
  title: { en: "Sliding window is used by no layer", zh: "没有任何层使用滑动窗口" },
  rationale: {
    en: "The window is enabled but starts at layer max_window_layers, which the model does not have.",
    zh: "窗口已启用，但从第 max_window_layers 层开始，而模型没有那一层。",
  },
  reference: "https://github.com/vllm-project/vllm/issues/17772",
  check: checkEachStack(({ attributes }) => {
    const found = attributes.fromFile("sliding_window");
    const from = attributes.valueOrDefault("max_window_layers")?.value;
    const count = attributes.scalarSize("num_hidden_layers")?.value;
    if (
      attributes.type.layerTypeRule?.[0] !== "window" ||
      typeof found?.value !== "number" ||
      from === undefined ||
      count === undefined
    )
      return [];
    if (!attributes.flag("use_sliding_window") || from < count || attributes.fromFile("layer_types") !== undefined)
      return [];
    return findingAt(
      found,
      {
        en: "{0} is used by no layer: max_window_layers is {1}, the model has {2} layers",
        zh: "没有任何层使用 {0}：max_window_layers 为 {1}，共 {2} 层",
      },
      { args: [found.value, from, count] },
    );
  }),
};
