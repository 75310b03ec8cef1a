import type { NameRecogniser } from "../recognition.ts";

/** Code of a model: elsewhere, "nope" is only a word. */
const MODEL_NAMES = / (?:\w*rope\w*|\w*rotary\w*|\w*attention\w*|\w*attn\w*|\w*pos(?:ition)?_(?:emb|enc)\w*) /;

/** Recognises the absence of a position encoding by name. */
export const NONE_RECOGNISERS: readonly NameRecogniser[] = [
  {
    id: "none/names",
    encoding: "none",
    part: "encoding",
    names:
      /^(?:no|disable|without|skip)_(?:rope|rotary)(?:_\w+)?$|^(?:is_|use_|with_)?nope(?:_(?:layers?|layer_\w+|interval|freq|every\w*))?$|^no_pos(?:ition(?:al)?)?_?(?:emb|enc)\w*$/,
    when: ({ fileHas }) => fileHas(MODEL_NAMES),
  },
  {
    id: "none/switched-off",
    encoding: "none",
    part: "encoding",
    names: /^(?:use|enable|with|apply)_(?:rope|rotary)(?:_\w+)?$/,
    kinds: ["keyword"],
    when: ({ occurrence }) => occurrence.value?.kind === "constant" && occurrence.value.value === false,
  },
];
