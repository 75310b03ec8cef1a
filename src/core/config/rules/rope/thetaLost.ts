import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachRotaryStack, ignoresFlatParameters } from "../support/ropeBlocks.ts";

export const ropeThetaLost: Rule = {
  id: "rope/theta-lost",
  severity: "error",
  formats: HUGGING_FACE,
  title: { en: "rope_theta in rope_parameters is ignored", zh: "rope_parameters 中的 rope_theta 会被忽略" },
  rationale: {
    en: "rope_scaling replaces rope_parameters, including its rope_theta; the model then silently runs with another base.",
    zh: "rope_scaling 会取代 rope_parameters，连同其中的 rope_theta；模型于是用另一个底数运行，且不报错。",
  },
  reference: "https://github.com/unslothai/unsloth/issues/7028",
  check: checkEachRotaryStack(({ attributes, specs }) => {
    const scaling = attributes.section?.section("rope_scaling");
    const theta = attributes.section?.section("rope_parameters")?.get("rope_theta");
    if (scaling === undefined || scaling.keys().length === 0 || typeof theta?.value !== "number") return [];
    // Other classes ignore this dictionary for another reason, which has its own rule.
    if (ignoresFlatParameters(attributes.type)) return [];
    const used = specs.find(({ encoding }) => encoding !== "none")?.params.rope_theta;
    if (typeof used !== "number" || used === theta.value) return [];
    const isTopRead = attributes.section?.has("rope_theta") === true && attributes.type.thetaKey === undefined;
    const read = isTopRead ? (attributes.section ?? scaling) : scaling;
    return findingAt(
      theta,
      {
        en: "{0} is ignored: rope_scaling replaces this dictionary, and the base is {1}",
        zh: "{0} 会被忽略：rope_scaling 取代了这个字典，实际底数为 {1}",
      },
      {
        args: [theta.value, used],
        fix: {
          title: { en: "Add rope_theta {0} where it is read", zh: "把 rope_theta {0} 写到会被读取的位置" },
          changes: [{ path: [...read.path, "rope_theta"], value: theta.value }],
        },
      },
    );
  }),
};
