import { SpecBuilder } from "../specBuilder.ts";
import { type YamlReader, yamlAttributes } from "./yamlReader.ts";

/** Microsoft's Swin configurations: MODEL.SWIN, MODEL.SWINV2. */
export const swin: YamlReader = {
  matches: (section) => section.section("MODEL.SWIN") !== undefined || section.section("MODEL.SWINV2") !== undefined,
  read: (section, report) => {
    const second = section.section("MODEL.SWINV2");
    const attributes = yamlAttributes(second ?? section.section("MODEL.SWIN"), report);
    const builder = new SpecBuilder();
    builder
      .set("num_heads", attributes.numbers("NUM_HEADS"))
      .set("window_size", attributes.valueOrDefault("WINDOW_SIZE"));
    const depths = attributes.numbers("DEPTHS");
    if (depths !== undefined) builder.derive("num_layers", depths.value.length);
    builder.set("pretrained_window_sizes", attributes.numbers("PRETRAINED_WINDOW_SIZES"));
    return [builder.build(second === undefined ? "swin_bias" : "swinv2_cpb", "vision", "all", "automatic")];
  },
};
