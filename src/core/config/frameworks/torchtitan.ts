import type { EncodingSpec, PairLayout } from "../../spec.ts";
import { ownValue } from "../../util/ownValue.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import models from "./data/torchtitanModels.json" with { type: "json" };
import { type Framework, hasAny } from "./framework.ts";
import { defaultValue, type FrameworkModel } from "./frameworkModel.ts";

/** The arguments of one flavour of a model, as torchtitan's code has them. */
interface Flavor {
  readonly layers: number;
  readonly heads: number;
  readonly kvHeads?: number;
  readonly headDim: number;
  readonly theta: number;
  readonly layout: PairLayout;
  readonly scaling?: Readonly<Record<string, string | number | boolean>>;
  /** Scaled only if the training texts are longer. */
  readonly scalesBeyond?: number;
  readonly window?: number;
  readonly nopeInterval?: number;
}

/** torchtitan's training files: `[model]` names a model and its flavour, whose sizes are in the code. */
export const torchtitan: Framework = {
  format: "torchtitan-toml",
  reference:
    "pytorch/torchtitan before its configs became Python (76d5c72e2): torchtitan/models/*/__init__.py, torchtitan/models/*/model/args.py; torchtitan/models/*/model/model.py",
  signs: ["flavor"],
  findModels: (root) => {
    const model = root.section("model");
    const isOwn = hasAny(root, "job", "training", "parallelism", "optimizer");
    return isOwn && model?.string("name") !== undefined && model.string("flavor") !== undefined
      ? [{ section: model }]
      : undefined;
  },
  keys: { seq_len: ["^training.seq_len"] },
  defaults: { seq_len: 2048 },
  readModel: (model) => {
    const flavor = findFlavor(model.section);
    if (flavor !== undefined) return readFlavor(model, flavor);
    model.reportUnknown(Object.hasOwn(FLAVORS, model.text("name") ?? "") ? "flavor" : "name");
    return [];
  },
};

const FLAVORS: Readonly<Record<string, Readonly<Record<string, Flavor>>>> = parseFlavors();

/** JSON widens the names of layouts to strings. */
function parseFlavors(): Record<string, Record<string, Flavor>> {
  return Object.fromEntries(
    Object.entries(models).map(([name, flavors]) => [
      name,
      Object.fromEntries(
        Object.entries(flavors).map(([flavor, { layout, ...rest }]) => [
          flavor,
          { ...rest, layout: layout === "half" ? "half" : "interleaved" },
        ]),
      ),
    ]),
  );
}

function findFlavor(section: Section): Flavor | undefined {
  const name = section.string("name") ?? "";
  const flavor = section.string("flavor") ?? "";
  const flavors = ownValue(FLAVORS, name);
  return flavors !== undefined && Object.hasOwn(flavors, flavor) ? flavors[flavor] : undefined;
}

/** The model is built for the length of the training texts. */
function readFlavor(model: FrameworkModel, flavor: Flavor): readonly EncodingSpec[] {
  const sizes = new SpecBuilder();
  sizes.set("num_heads", defaultValue(flavor.heads)).set("num_layers", defaultValue(flavor.layers));
  sizes.set("num_kv_heads", defaultValue(flavor.kvHeads ?? flavor.heads)).set("head_dim", defaultValue(flavor.headDim));
  sizes.set("max_position_embeddings", model.number("seq_len"));
  const builder = sizes.copy().set("rope_type", defaultValue("default"));
  const length = model.number("seq_len")?.value ?? 0;
  const isScaled =
    flavor.scalesBeyond === undefined ? !isFromBeforeScaling(model, flavor) : length > flavor.scalesBeyond;
  for (const [key, value] of Object.entries(isScaled ? (flavor.scaling ?? {}) : {}))
    builder.set(key, defaultValue(value));
  model.setRotation(builder, flavor.layout).set("rope_theta", defaultValue(flavor.theta));
  return splitLayers(model, builder, sizes, flavor);
}

/** Until August 2025 a file named its tokenizer; Llama 3's scaling came in October (5bbda42c7). */
function isFromBeforeScaling(model: FrameworkModel, { scaling }: Flavor): boolean {
  const isOld = model.isWritten("tokenizer_path") || model.isWritten("norm_type");
  return isOld && scaling?.["rope_type"] === "llama3";
}

function splitLayers(
  model: FrameworkModel,
  builder: SpecBuilder,
  sizes: SpecBuilder,
  flavor: Flavor,
): readonly EncodingSpec[] {
  const layers = Array.from({ length: flavor.layers }, (_, layer) => layer);
  const { nopeInterval } = flavor;
  if (nopeInterval !== undefined) {
    const without = layers.filter((layer) => layer % nopeInterval === 0);
    const rotated = layers.filter((layer) => !without.includes(layer));
    return [model.build(builder, "rope", rotated), model.build(sizes, "none", without)];
  }
  if (flavor.window === undefined) return [model.build(builder, "rope")];
  const even = layers.filter((layer) => layer % 2 === 0);
  const windowed = builder.copy().set("sliding_window", defaultValue(flavor.window));
  const odd = layers.filter((layer) => layer % 2 === 1);
  return [model.build(windowed, "rope", even), model.build(builder, "rope", odd)];
}
