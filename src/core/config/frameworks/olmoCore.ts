import type { EncodingSpec, PairLayout } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { isNumbers } from "../huggingface/attributes.ts";
import type { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import { type Framework, hasAll } from "./framework.ts";
import type { FrameworkModel } from "./frameworkModel.ts";

/** Where a block has its attention, by version of OLMo-core. */
const ATTENTIONS = ["block.sequence_mixer", "block.attention"];
const inAttention = (key: string) => ATTENTIONS.map((name) => `${name}.${key}`);

/** OLMo-core: the `config.json` of a run or a checkpoint, with a `_CLASS_` in each dictionary. */
export const olmoCore: Framework = {
  format: "olmo-core",
  reference:
    "allenai/OLMo-core: src/olmo_core/nn/rope.py, src/olmo_core/nn/attention/__init__.py, src/olmo_core/nn/transformer/config.py",
  signs: ["sequence_mixer", "_CLASS_", "olmo_core"],
  findModels: (root) => {
    const model = [root.section("model"), root].find((section) => isOlmoCore(section));
    return model === undefined ? undefined : [{ section: model }];
  },
  keys: {
    num_heads: inAttention("n_heads"),
    num_kv_heads: inAttention("n_kv_heads"),
    num_layers: ["n_layers"],
    hidden_size: ["d_model"],
    head_dim: inAttention("head_dim"),
    max_position_embeddings: ["^dataset.sequence_length", "^train_module.max_sequence_length"],
    rope: inAttention("rope"),
    rope_name: inAttention("rope.name"),
    rope_theta: [...inAttention("rope.scaling.new_theta"), ...inAttention("rope.theta")],
    partial_rotary_factor: inAttention("rope.partial_rotary_factor"),
    no_global_rope: inAttention("rope.no_global_rope"),
    scaling_class: inAttention("rope.scaling._CLASS_"),
    factor: inAttention("rope.scaling.factor"),
    low_freq_factor: inAttention("rope.scaling.low_freq_factor"),
    high_freq_factor: inAttention("rope.scaling.high_freq_factor"),
    beta_fast: inAttention("rope.scaling.beta_fast"),
    beta_slow: inAttention("rope.scaling.beta_slow"),
    original_max_position_embeddings: inAttention("rope.scaling.old_context_len"),
    attention_factor: inAttention("rope.scaling.attention_rescale_factor"),
    pattern: inAttention("sliding_window.pattern"),
    full_first: inAttention("sliding_window.force_full_attention_on_first_layer"),
    full_last: inAttention("sliding_window.force_full_attention_on_last_layer"),
  },
  defaults: {
    num_heads: 16,
    rope_theta: 500_000,
    rope_name: "default",
    partial_rotary_factor: 1,
    full_first: true,
    full_last: true,
  },
  readModel: readOlmoCore,
};

function isOlmoCore(section: Section | undefined): boolean {
  if (section === undefined || !hasAll(section, "d_model", "n_layers")) return false;
  return ATTENTIONS.some((name) => section.section(name) !== undefined);
}

const LAYOUTS: Readonly<Record<string, PairLayout>> = { default: "half", fused: "half", complex: "interleaved" };

function readOlmoCore(model: FrameworkModel): readonly EncodingSpec[] {
  if (model.dictionary("rope") === undefined) return model.isUnresolved("rope") ? [] : [model.none()];
  const layout = ownValue(LAYOUTS, model.text("rope_name") ?? "");
  if (layout === undefined) {
    model.reportUnknown("rope_name");
    return [];
  }
  const builder = model.sizes();
  setScaling(model, builder);
  model.setRotation(builder, layout);
  return splitByWindow(model, builder);
}

function setScaling(model: FrameworkModel, builder: SpecBuilder): void {
  const name = model.text("scaling_class") ?? "";
  if (name.includes("Stepwise") || model.isWritten("low_freq_factor")) model.setLlama3(builder);
  else if (name.includes("YaRN") || model.isWritten("beta_fast")) model.setYarn(builder);
  else if (name.includes("PIRoPE")) model.setLinear(builder);
}

/** `pattern` repeats over the layers; -1 is full attention, which the first and last layer may be forced to have. */
function splitByWindow(model: FrameworkModel, builder: SpecBuilder): readonly EncodingSpec[] {
  const pattern = model.get("pattern")?.value;
  const count = builder.get("num_layers");
  if (!isNumbers(pattern) || pattern.length === 0 || typeof count !== "number") return [model.build(builder, "rope")];
  const isForced = (layer: number) =>
    (layer === 0 && model.flag("full_first")) || (layer === count - 1 && model.flag("full_last"));
  const shift = model.flag("full_first") ? 1 : 0;
  const groups = new Map<number, number[]>();
  for (let layer = 0; layer < Math.min(count, 1000); layer++) {
    const window = isForced(layer) ? -1 : (pattern[Math.max(0, layer - shift) % pattern.length] ?? -1);
    groups.set(window, [...(groups.get(window) ?? []), layer]);
  }
  return [...groups].map(([window, layers]) => {
    const own = groups.size === 1 ? "all" : layers;
    if (window <= 0 && model.flag("no_global_rope")) return model.none(own);
    const copy = builder.copy();
    return model.build(window > 0 ? copy.derive("sliding_window", window) : copy, "rope", own);
  });
}
