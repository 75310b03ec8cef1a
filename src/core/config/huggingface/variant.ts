import type { SpecBuilder } from "../specBuilder.ts";
import type { ConfigAttributes } from "./attributes.ts";
import type { StackType } from "./modelTypes.ts";

/** Sets the parameters that distinguish this model's variant of an encoding, under the encoding's own names. */
export function setVariant(attributes: ConfigAttributes, stack: StackType, builder: SpecBuilder): void {
  for (const [name, value] of Object.entries(stack.constants ?? {})) builder.set(name, { value, source: "default" });
  if (stack.encoding === "learned_absolute" && stack.tableOffset !== undefined)
    builder.set("offset", { value: stack.tableOffset, source: "default" });
  if (stack.paddingRows !== undefined)
    builder.set("padding_idx", attributes.valueOrDefault("pad_token_id") ?? { value: 1, source: "default" });
  for (const key of attributes.type.furtherKeys ?? []) builder.set(key, attributes.fromFile(key));
  setScale(attributes, stack, builder);
}

/** A flag of the file tells whether embeddings are multiplied by √d before positions are added. */
function setScale(attributes: ConfigAttributes, stack: StackType, builder: SpecBuilder): void {
  const key = stack.parameterKeys?.embed_scale;
  if (key === undefined) return;
  const flag = attributes.get(key) ?? { value: false, source: "default" };
  builder.set("embed_scale", { ...flag, value: attributes.flag(key) ? "sqrt(embedding_dim)" : "1" });
}
