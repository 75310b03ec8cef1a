import { SpecBuilder } from "../specBuilder.ts";
import type { Framework } from "./framework.ts";

/** Microsoft's Swin configurations: MODEL.SWIN, MODEL.SWINV2. */
export const swin: Framework = {
  format: "swin-yaml",
  reference: "microsoft/Swin-Transformer: config.py, models/swin_transformer.py, models/swin_transformer_v2.py",
  signs: ["SWIN", "SWINV2"],
  findModels: (root) => {
    const section = root.section("MODEL.SWINV2") ?? root.section("MODEL.SWIN");
    return section === undefined ? undefined : [{ section, where: "vision" }];
  },
  keys: {
    num_heads: ["NUM_HEADS"],
    window_size: ["WINDOW_SIZE"],
    pretrained_window_sizes: ["PRETRAINED_WINDOW_SIZES"],
  },
  defaults: { window_size: 7 },
  readModel: (model) => {
    const builder = new SpecBuilder();
    builder.set("num_heads", model.numbers("num_heads")).set("window_size", model.number("window_size"));
    const depths = model.numbers("DEPTHS");
    if (depths !== undefined) builder.derive("num_layers", depths.value.length);
    builder.set("pretrained_window_sizes", model.numbers("pretrained_window_sizes"));
    const isSecond = model.root.section("MODEL.SWINV2") !== undefined;
    return [model.build(builder, isSecond ? "swinv2_cpb" : "swin_bias")];
  },
};
