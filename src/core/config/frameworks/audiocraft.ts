import type { EncodingSpec } from "../../spec.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAll, type ModelPlace } from "./framework.ts";
import type { FrameworkModel } from "./frameworkModel.ts";

/** audiocraft's Hydra files (MusicGen, AudioGen) and the configuration of Moshi, which has the same Transformer. */
export const audiocraft: Framework = {
  format: "audiocraft-yaml",
  reference:
    "facebookresearch/audiocraft: audiocraft/modules/transformer.py (StreamingTransformer), audiocraft/modules/rope.py, config/model/lm/default.yaml",
  signs: ["transformer_lm", "depformer_num_layers"],
  findModels: (root) => {
    const model = root.section("transformer_lm");
    if (model !== undefined) return musicModels(model);
    return hasAll(root, "depformer_num_layers", "num_heads") ? [{ section: root }] : undefined;
  },
  keys: { hidden_size: ["dim"], rope_theta: ["max_period"], context: ["past_context", "context"] },
  defaults: { positional_embedding: "sin", rope_theta: 10_000 },
  readModel: readAudiocraft,
};

/** A file without the encoding completes another one, which may set it. */
function musicModels(model: Section): readonly ModelPlace[] {
  return [{ section: model, where: "audio", isComplete: model.has("positional_embedding") }];
}

function readAudiocraft(model: FrameworkModel): readonly EncodingSpec[] {
  const builder = model.sizes().set("sliding_window", model.number("context"));
  const theta = model.number("rope_theta");
  switch (model.text("positional_embedding")) {
    case "sin":
      return [model.sinusoidal({ layout: "concat", frequency: "tensor2tensor" }, builder.set("base", theta))];
    case "rope":
      if (model.flag("xpos")) return [model.build(model.setRotation(builder, "interleaved"), "xpos")];
      return [model.rope(builder, "interleaved")];
    case "sin_rope": {
      const rope = model.rope(builder.copy(), "interleaved");
      return [model.sinusoidal({ layout: "concat", frequency: "tensor2tensor" }, builder.set("base", theta)), rope];
    }
    case "none":
      return [model.none()];
    default:
      model.reportUnknown("positional_embedding");
      return [];
  }
}
