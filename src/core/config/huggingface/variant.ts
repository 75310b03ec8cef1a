import type { SpecBuilder } from "../specBuilder.ts";
import type { Attributes } from "./attributes.ts";
import type { StackType } from "./modelTypes.ts";

/** What tells this model's form of an encoding from others, under the encoding's own parameter names. */
export function setVariant(attributes: Attributes, stack: StackType, builder: SpecBuilder): void {
  for (const [name, value] of Object.entries(stack.c ?? {})) builder.set(name, { value, source: "default" });
  if (stack.i === "learned_absolute" && stack.off !== undefined)
    builder.set("offset", { value: stack.off, source: "default" });
  if (stack.p?.pad === 1 || stack.p?.zero === 1)
    builder.set("padding_idx", attributes.valueOrDefault("pad_token_id") ?? { value: 1, source: "default" });
  setScale(attributes, stack, builder);
}

/** Words times √d before positions are added: said with a flag. */
function setScale(attributes: Attributes, stack: StackType, builder: SpecBuilder): void {
  const key = stack.p?.scale;
  if (typeof key !== "string") return;
  const flag = attributes.get(key) ?? { value: false, source: "default" };
  builder.set("embed_scale", { ...flag, value: attributes.flag(key) ? "sqrt(embedding_dim)" : "1" });
}
