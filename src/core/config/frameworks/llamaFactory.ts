import { SpecBuilder } from "../specBuilder.ts";
import { type Framework, hasAny } from "./framework.ts";

/** LLaMA-Factory's files: `rope_scaling` is a string; the factor follows from `cutoff_len` and the model. */
export const llamaFactory: Framework = {
  format: "llamafactory-yaml",
  reference:
    "hiyouga/LLaMA-Factory: src/llamafactory/hparams/model_args.py, src/llamafactory/model/model_utils/rope.py",
  signs: ["model_name_or_path"],
  findModels: (root) =>
    root.has("model_name_or_path") && hasAny(root, "stage", "finetuning_type", "cutoff_len", "template", "rope_scaling")
      ? [{ section: root, isComplete: false }]
      : undefined,
  keys: {},
  readModel: (model) => {
    const type = model.get("rope_scaling");
    if (typeof type?.value !== "string") return [];
    return [model.build(new SpecBuilder().set("rope_type", type), "rope")];
  },
};
