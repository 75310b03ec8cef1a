import type { Section } from "../text/section.ts";

/** Width and heads under the names that published configs use; a dictionary with one of each is a model's own. */
const WIDTH_KEYS = ["hidden_size", "d_model", "n_embd", "n_embed", "embed_dim", "emb_dim", "dim", "model_dim", "width"];
const HEAD_KEYS = [
  "num_attention_heads",
  "num_heads",
  "n_heads",
  "n_head",
  "attention_heads",
  "encoder_attention_heads",
  "decoder_attention_heads",
  "heads",
];

/** Published configs nest models three deep (`thinker_config.text_config`); one more leaves room. */
const MAX_DEPTH = 4;
/** Published models have at most five. */
const MAX_SUB_MODELS = 32;
/** Objects that are looked at; a hostile file may have thousands. */
const MAX_OBJECTS = 500;

/** Parts of keys, in this order, that name a stack. Others are named by their key. */
const STACK_NAMES: readonly (readonly [part: RegExp, where: string])[] = [
  [/vision|visual|image/, "vision"],
  [/audio|speech/, "audio"],
  [/^encoder(?:_config|_args)?$/, "encoder"],
  [/^decoder(?:_config|_args)?$/, "decoder"],
  [/text|llm|language|(?:^|_)lm(?:_|$)/, "text"],
];

/** Keys of what goes with a model and may name its type. */
const NO_MODELS = /processor|tokeni[sz]er|scheduler|optimi[sz]er|feature_extractor/;

/** A dictionary inside a config that describes a model of its own. */
export interface SubModel {
  /** Its key; dots separate levels. */
  readonly key: string;
  readonly where: string;
}

/** Finds the models inside a config, whatever their keys are. What is inside of a found one is that one's own. */
export function findSubModels(section: Section | undefined): SubModel[] {
  if (section === undefined) return [];
  const found: SubModel[] = [];
  let level: { readonly section: Section; readonly key: string }[] = [{ section, key: "" }];
  let objects = 0;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    const below: typeof level = [];
    for (const parent of level) {
      for (const name of parent.section.keys()) {
        const child = objects < MAX_OBJECTS && !name.includes(".") ? parent.section.section(name) : undefined;
        if (child === undefined) continue;
        objects++;
        const key = parent.key === "" ? name : `${parent.key}.${name}`;
        if (!describesModel(child)) below.push({ section: child, key });
        else if (found.length < MAX_SUB_MODELS && !NO_MODELS.test(name))
          found.push({ key, where: nameStack(key, found) });
      }
    }
    level = below;
  }
  return found;
}

export function describesModel(section: Section): boolean {
  const hasOne = (keys: readonly string[]) => keys.some((key) => section.has(key));
  return section.string("model_type") !== undefined || (hasOne(WIDTH_KEYS) && hasOne(HEAD_KEYS));
}

/** `text`, `vision`, … for the first dictionary of a kind; the key for the others. */
function nameStack(key: string, others: readonly SubModel[]): string {
  const last = key.slice(key.lastIndexOf(".") + 1);
  const where = STACK_NAMES.find(([part]) => part.test(last))?.[1];
  return where === undefined || others.some((other) => other.where === where) ? key : where;
}
