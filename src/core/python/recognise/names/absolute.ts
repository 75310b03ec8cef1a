import type { NameContext, NameRecogniser } from "../recognition.ts";

const GRID_TABLE_NAMES =
  /sincos_?2d|2d_?sin_?cos|sin_?cos_?2d|get_1d_sincos_pos_embed|sine_position_embedding|position_embedding_sine|pos_?embed(?:ding)?_sine|gen_sineembed|build_2d_sin|build_fourier_pos_embed|^fourier_embed$|fourier_pos/;
const TIME_STEP_NAMES = /time_?step|time_embed|diffusion|layer_timing/;

function isNotTimeStep(context: NameContext): boolean {
  return (
    !TIME_STEP_NAMES.test(context.name) && !context.definitionHas(/ (?:timesteps?|time_embed\w*|time_proj|time_emb) /)
  );
}

/** GPT-J calls its rotary cache "sinusoidal positions". */
function isRotaryHelper(context: NameContext): boolean {
  return (
    /^(?:create_sinusoidal_positions|sinusoidal_pos)$/.test(context.name) &&
    context.fileHas(/ (?:rotate_every_two|apply_rotary_pos_emb|apply_rotary_position_embeddings) /)
  );
}

/** Recognises absolute encodings by name. */
export const ABSOLUTE_RECOGNISERS: readonly NameRecogniser[] = [
  { id: "sincos-2d/names", encoding: "sincos_2d", part: "table", names: GRID_TABLE_NAMES, when: isNotTimeStep },
  {
    id: "sinusoidal/names",
    encoding: "sinusoidal",
    part: "table",
    names:
      /sinusoid(?:al|s)?_?(?:pos|embed|enc|table|posit)|^sinusoids$|get_sinusoid|create_sinusoidal|^sinusoid_(?:table|encoding)|sine_position_enc|fixed_positional_enc|sinu_pos_emb|^sinusoidal_(?:positional|position)|sinusoidal_init|timing_signal|^sinusoidal$/,
    when: (context) =>
      isNotTimeStep(context) &&
      !context.definitionHas(/ apply_rotary_position_embeddings /) &&
      !isRotaryHelper(context),
  },
  {
    id: "sinusoidal/divisor",
    encoding: "sinusoidal",
    part: "inverse frequencies",
    names: /^div_term$|^angle_(?:rads|rates|defn)$|^get_angles$|^log_timescale_increment$/,
    when: isNotTimeStep,
  },
  {
    id: "conv/names",
    encoding: "conv",
    part: "convolution",
    names:
      /^pos_conv(?:_embed|_depth)?$|positional_?conv|^conv_pos(?:_\w+)?$|^make_conv_pos$|^num_conv_pos_embedding|conv_pos_enc|^pos_conv|conditional_pos_enc|^peg$|^cpe\d?$|^pos_?cnn$|conv_position/,
    when: ({ name, fileHas }) => !/^(?:peg|cpe\d?)$/i.test(name) || fileHas(/ conv\w*_?2d | conv_?pos\w* /),
  },
  {
    id: "recursive/names",
    encoding: "recursive",
    part: "encoding",
    names:
      /(?:^|_)floater(?:_|$)|^(?:recursive|recurrent)_pos(?:ition)?|^pos(?:ition(?:al)?)?_(?:rnn|gru|lstm|ode|flow)(?:_|$)/,
  },
  {
    id: "multiplicative/names",
    encoding: "multiplicative",
    part: "table",
    names: /^multiplicative_pos(?:ition)?|^pos(?:ition)?_multiplier$|^complex_(?:order|word)_(?:emb|pos)/,
  },
  {
    id: "learned/offset-ids",
    encoding: "learned_absolute",
    part: "distances",
    names: /^create_position_ids_from_(?:input_ids|inputs_embeds)$/,
  },
  {
    id: "learned/resize",
    encoding: "learned_absolute",
    part: "table",
    names:
      /^interpolate_pos_(?:encoding|embed\w*)$|^resample_abs_pos_embed\w*$|^resize_pos_embed\w*$|^interpolate_position\w*$|^no_embed_class$|^resample_patch_pos/,
  },
  {
    id: "learned/class",
    encoding: "learned_absolute",
    part: "table",
    names:
      /learned_?pos|trainable_position|absolute_pos(?:itional)?_?emb|^token_and_position_embedding$|^axial_pos(?:ition)?_(?:embed\w*|shape|emb)$|learnable_pos|learned_absolute|_learned_position|^add_pos(?:ition)?_embs?$|^add_learned_(?:pos|abs)/,
  },
  {
    id: "learned/embeddings-class",
    encoding: "learned_absolute",
    part: "table",
    names: /^(?:distil_?|al|camem_?|ro|xlm_?)?(?:bert|roberta|electra|bart)\w*_embeddings$/,
    kinds: ["class", "name", "import"],
    when: ({ name, occurrence, code }) =>
      /^[A-Z]\w*Embeddings$/.test(occurrence.name) &&
      !/rope|rotary|image|patch|vision|word|token|_2d/.test(name) &&
      !code.module.scopesByName.has(occurrence.name),
  },
  {
    id: "sinusoidal/imported",
    encoding: "sinusoidal",
    part: "table",
    names: /^positional_encoding$/,
    when: ({ code, occurrence }) =>
      occurrence.name === "PositionalEncoding" && !code.module.scopesByName.has("PositionalEncoding"),
  },
  {
    id: "learned/keras",
    encoding: "learned_absolute",
    part: "table",
    names: /^position_embedding$/,
    when: ({ occurrence }) => occurrence.name === "PositionEmbedding",
  },
  {
    id: "learned/wpe",
    encoding: "learned_absolute",
    part: "table",
    names:
      /^wpe$|^n_positions$|^abs_pos_embed$|^(?:use|disable)_abs_pos(?:_emb)?$|^ape$|^absolute_pos_embed$|^use_absolute_(?:pos\w*|embed\w*)$/,
    when: ({ name, fileHas }) =>
      name !== "ape" || fileHas(/ (?:\w*pos_?embed\w*|patch_\w+|window_size|\w*attention\w*) /),
  },
];

/** Names of position tables; their definition decides which encoding it is. */
export const POSITION_TABLE_NAME =
  /^(?!no_)(?:\w+_)?(?:pos_?emb(?:s|ed|eds|edding|eddings)?|position_emb(?:ed(?:ding|dings|s)?|s)?|positional_emb(?:ed(?:ding|dings)?)?|embed_positions?|pos_enc(?:oder|oding|ode)?|positional_enc(?:oding|oder)?|position_enc(?:oding|oder)|position_table|pos_table|pe|abs_pos_emb|position_embeds?|positions_embed|position_embeddings_table|[xyhw]_position_embeddings|(?:row|col|column)_embed(?:der|ding|dings)?|spatial_pos_embed|temporal_pos_embed|pos_encodings?|embed_pos|rel_pos_emb|pos)$/;
