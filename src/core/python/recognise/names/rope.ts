import type { NameRecogniser } from "../recognition.ts";

/** Names of rotary code: without one of them, `cos` is not a table of angles. */
const ROTARY_NAMES =
  / (?:\w*rotary\w*|rotate_half|rotate_every_two|apply_rope|apply_rot\w*|freqs_cis|\w*_rope|rope_\w+|rope|inv_freq|rotate_(?:half|every|pair|neg|adjacent|neox|gptj|interleav|quer|key|token)\w*) /;
/** "rope" and "yarn" mean something else in code that does not compute. */
const NUMERIC_NAMES = /rotary|freq|attention|attn|head| (?:torch|nn|jnp|jax|mx|keras|tf|np|numpy|paddle|F) /;
/** "rotary" means something else outside of models: switches, motor encoders, machines. */
const MODEL_NAMES =
  / (?:torch|nn|jnp|jax|mx|keras|tf|np|numpy|paddle|F|tensor|tinygrad) |attention|attn|hidden_size|_heads?(?:_| )|n_head|freq|rope/;
const ROTARY_MACHINES =
  /rotary_(?:bucket|switch|knob|dial|phone|joint|actuator|motor|valve|pump|evaporator|kiln|drum|table|axis|stage|axes|cutter|engine|button|input)/;
const IMAGE_ROTATION_NAMES = /image|img|degrees?|angle_deg|cv2|crop|augment|box|pose|quaternion|euler|camera/;

/** Recognises rotary encodings by name. The first match wins. */
export const ROPE_RECOGNISERS: readonly NameRecogniser[] = [
  {
    id: "xpos/names",
    encoding: "xpos",
    part: "encoding",
    names: /(?:^|_)xpos|^use_xpos$|length_extrapolat(?:able|ion)_(?:embed|position)/,
    // Without a rotation or an attention, "xpos" is a place on the screen; beside ypos or qpos, one in a grid.
    when: ({ fileHas, occurrence }) =>
      fileHas(/rotary|[ _]rope[ _]|attention|attn|scale_base/) &&
      !(occurrence.name === "xpos" && fileHas(/ (?:ypos|qpos|kpos|query_pos|key_pos) /)),
  },
  {
    id: "xpos/scale-base",
    encoding: "xpos",
    part: "scaling",
    names: /^(?:xpos_)?scale_base$/,
    when: ({ fileHas }) => fileHas(/xpos/),
  },
  {
    id: "self-extend/names",
    encoding: "self_extend",
    part: "encoding",
    names: /self_?extend|^(?:group_size_1|neighbor_window|grouped_attn)/,
    when: ({ fileHas }) => fileHas(/self_?extend|group_size|grouped/),
  },
  { id: "rerope/names", encoding: "rerope", part: "encoding", names: /(?:^|_)re_?rope(?:_|$)/ },
  {
    id: "mrope/names",
    encoding: "mrope",
    part: "sections",
    names:
      /^mrope|_mrope|^apply_multimodal_rot|multimodal_rotary|^get_rope_index$|^rope_deltas$|^apply_interleaved_mrope$|mrope_section|mrope_interleaved/,
  },
  {
    id: "axial-rope/names",
    encoding: "axial_rope",
    part: "encoding",
    names:
      /(?:vision|vit|dino_?v?\d?)_?(?:rotary|rope)|rotary_pos_emb_vision|^(?:apply_)?vision_rot|(?:axial|2d|3d|pixtral|qwen2vl_?2d)_?(?:rotary|rope)|(?:rotary|rope|freqs)\w*_(?:2d|3d|axial|nd|mixed|cat|dino_?v3|vision)(?:_|$)|axial_(?:freqs|cis|rope|rotary)|^compute_axial_(?:cis|rope)|^apply_multidimensional_rope|^apply_rot_embed(?:_cat|_list)?$|^rot_pos_emb$|^rope_2d|^rope2d|init_random_2d_freqs|create_rope_embed|build_rotary_pos_embed|recomposition_frequencies|^rot_embed|^apply_rotary_enc$|^apply_rotary_pos_emb_2d/,
    when: ({ name, definitionHas }) =>
      !/patch\d|text|language/.test(name) && (!IMAGE_ROTATION_NAMES.test(name) || definitionHas(ROTARY_NAMES)),
  },
  {
    id: "rope/yarn",
    encoding: "rope",
    ropeType: "yarn",
    part: "scaling",
    names:
      /(?:^|_)yarn|find_correction_(?:dim|range)|^correction_(?:dim|range)$|linear_ramp(?:_mask|_factor)?$|^beta_(?:fast|slow)$/,
    when: ({ fileHas }) => fileHas(NUMERIC_NAMES),
  },
  {
    id: "rope/yarn-ramp",
    encoding: "rope",
    ropeType: "yarn",
    part: "scaling",
    names: /^(?:smooth|ramp(?:_func|_mask)?|linear_func|inv_freq_mask|(?:\w+_)?(?:inter|extra)polation_mask)$/,
    when: ({ definitionHas }) => definitionHas(/ \w*(?:find_correction_|correction_range|linear_ramp)\w* /),
  },
  {
    id: "rope/ntk-by-parts",
    encoding: "rope",
    ropeType: "yarn",
    part: "scaling",
    names: /(?:^|_)(?:part_ntk|ntk_(?:by_)?parts?)(?:_|$)|(?:^|_)ntk_(?:alpha|beta)$/,
    when: ({ name, fileHas }) => !/ntk_(?:alpha|beta)$/.test(name) || fileHas(/ (?:\w+_)?ntk_beta /),
  },
  {
    id: "rope/llama3",
    encoding: "rope",
    ropeType: "llama3",
    part: "scaling",
    names:
      /^(?:low|high)_freq_(?:factor|wavelen)$|^llama3_?(?:rope|scaled)|llama_?3(?:_scaled)?_(?:rope|rotary)|^use_scaled_rope$/,
  },
  {
    id: "rope/llama3-scaling",
    encoding: "rope",
    ropeType: "llama3",
    part: "scaling",
    names:
      /^(?:apply_scaling|old_context_len|wavelen|wavelens|smooth|smooth_factor|smoothed_inv_freq|apply_llama_?3_?\w*)$/,
    when: ({ definitionHas }) =>
      definitionHas(/ (?:(?:low|high)_freq_\w+|old_context_len) /) ||
      definitionHas(/ wavelens? .*(?:_rope|freqs) | (?:(?:\w+_)?rope(?:_\w+)?|\w*freqs?) .* wavelens? /),
  },
  {
    id: "rope/longrope",
    encoding: "rope",
    ropeType: "longrope",
    part: "scaling",
    names:
      /^(?:short_factor|long_factor|ext_factors|rope_(?:long|short)_factor)$|long_?rope|su_scaled_(?:rope|rotary)|su_rope|su_rotary/,
    when: ({ fileHas }) => fileHas(/ (?:(?:\w+_)?rope(?:_\w+)?|\w*rotary\w*|inv_freq|short_factor|long_factor) /),
  },
  {
    id: "rope/dynamic",
    encoding: "rope",
    ropeType: "dynamic",
    part: "scaling",
    names: /dynamic_ntk|ntk_dynamic|dynamic_ntk_scaling/,
  },
  {
    id: "rope/ntk",
    encoding: "rope",
    ropeType: "ntk",
    part: "scaling",
    names: /(?:^|_)ntk(?:_|$)|^theta_rescale_factor$|^rotary_base_rescale_factor$/,
  },
  {
    id: "rope/linear",
    encoding: "rope",
    ropeType: "linear",
    part: "scaling",
    names:
      /linear_scal(?:ing|ed)_rot|^rope_condense_ratio$|^seq_len_interpolation_factor$|^rotary_interpolation_factor$/,
  },
  {
    id: "rope/proportional",
    encoding: "rope",
    ropeType: "proportional",
    part: "scaling",
    names: /proportional_rope/,
  },
  {
    id: "rope/roformer",
    encoding: "rope",
    part: "cos and sin",
    names: /^sinusoidal_pos$/,
    when: ({ fileHas }) => fileHas(/ apply_rotary_position_embeddings /),
  },
  {
    id: "rope/turn",
    encoding: "rope",
    part: "pair layout",
    names:
      /^rotate_(?:half|every_two|pairwise|neg_half|neox|gptj|adjacent|interleaved)\w*$|^(?:rope|rotary)_rotate_half$|_rotate_half$|rotate_half_(?:llm|text)/,
  },
  {
    id: "rope/interleaved-weights",
    encoding: "rope",
    part: "rotation",
    layout: "interleaved",
    names: /^apply_\w*rot\w*_interleaved?$/,
  },
  {
    id: "rope/rotation",
    encoding: "rope",
    part: "rotation",
    names:
      /^apply_(?:rotary|rope|learned_rotations|rot_emb|rot_pos)|^apply_(?:\w+_)?rotary|_apply_rotary|rotate_queries|rotate_queries_and_keys|rotate_queries_or_keys|^fused_apply_rot|^rotary_(?:apply|mul)|^liger_rotary|^flash_rotary|^apply_\w*rope(?:_|$)|^rope_apply|^rotary_fwd|^inplace_rope/,
  },
  {
    id: "rope/frequencies",
    encoding: "rope",
    part: "inverse frequencies",
    names:
      /^(?:\w+_)?inv_freqs?(?:_\w+)?$|^inverse_freqs?$|^original_inv_freq$|^freqs_for$|^precompute_freqs$|^precompute_(?:rope|theta)|^compute_(?:default_)?rope_parameters$|^create_inv_freq$|^compute_inv_freq$|^rope_freqs?$|^rope_init$|^rope_init_fn$|^rope_init_functions$/,
    when: ({ fileHas, definitionHas }) =>
      !definitionHas(/ (?:rel_shift|r_w_bias|relative_positional_encoding) /) || fileHas(ROTARY_NAMES),
  },
  {
    id: "rope/base",
    encoding: "rope",
    part: "base",
    names:
      /^(?:\w+_)?rope_(?:theta|base|base_freq(?:uency)?)$|^rope_(?:freq_base|max_timescale|local_base_freq|global_base_freq)$|^rotary_(?:emb_)?base$|^rotary_theta$|^rotary_embedding_base$|^rope_freq_base$|^freq_base$|^rope_theta_\w+$/,
  },
  {
    id: "rope/dimensions",
    encoding: "rope",
    part: "rotated dimensions",
    names:
      /^partial_rotary_factor$|^rotary_(?:dim|dims|pct|percent|percentage|ndims|emb_dim|emb_fraction|fraction|value)$|^rope_n_elem$|^qk_rope_head_dim$|^qk_rope_dim$|^rope_head_dim$|^rope_dim$/,
  },
  {
    id: "rope/switch",
    encoding: "rope",
    part: "encoding",
    names:
      /^(?:use|enable|with|apply)_(?:rope|rotary)(?:_\w+)?$|^rotary_interleaved$|^rope_interleaved?$|^is_neox_style$|^use_rotary\w*$/,
  },
  {
    id: "rope/layout-flag",
    encoding: "rope",
    part: "pair layout",
    names: /^(?:traditional|interleaved|rope_traditional)$/,
    when: ({ fileHas }) => fileHas(/[ _]ropes?[ _]|rotary/),
  },
  {
    id: "rope/broadcast",
    encoding: "rope",
    part: "cos and sin",
    names: /^reshape_for_broadcast$/,
    when: ({ fileHas }) => fileHas(/ freqs_cis /),
  },
  {
    id: "rope/names",
    encoding: "rope",
    part: "encoding",
    names: /(?:^|_)rope(?:s|_|$)|rotary(?:_|$)|(?:^|_)rotaries$|^rotary|^rot_emb$|^attention_scaling$|^apply_rot_embed/,
    when: ({ name, fileHas }) =>
      !/^europe|property|patch\d/.test(name) &&
      (!/^ropes?$/.test(name) || fileHas(NUMERIC_NAMES)) &&
      (!/rotar/.test(name) || (fileHas(MODEL_NAMES) && !ROTARY_MACHINES.test(name))) &&
      (!/rotary_encoder/.test(name) || fileHas(/ (?:inv_freq|freqs|rotate_half|cos) /)) &&
      (!/^attention_scaling$/.test(name) || fileHas(ROTARY_NAMES)),
  },
  {
    id: "rope/cache",
    encoding: "rope",
    part: "cos and sin",
    names:
      /^(?:cos|sin)_cached?$|^cached_(?:cos|sin|freqs)$|^cos_sin(?:_cache)?$|^sin_cos$|^(?:cos|sin)_(?:pos|emb|table|half|k|q)$|^(?:q|k)_(?:cos|sin)$|^freqs_(?:cos|sin|cis|complex|real)(?:_\w+)?$|^precompute_(?:freqs_cis|cos_sin)\w*$|^(?:cos|sin)_freqs?$|^max_seq_len_cached$|^set_cos_sin_cache$|^idx_theta$|^xshaped$|^mscale(?:_all_dim)?$|^position_embeddings_(?:local|global)$|^(?:generate_)?fixed_pos_embedding$/,
    when: ({ fileHas }) => fileHas(ROTARY_NAMES),
  },
  {
    id: "rope/cos-sin",
    encoding: "rope",
    part: "cos and sin",
    names: /^(?:cos|sin)$/,
    kinds: ["name", "param", "keyword"],
    when: ({ fileHas, definitionHas }) =>
      fileHas(ROTARY_NAMES) && (definitionHas(ROTARY_NAMES) || definitionHas(/ position_embeddings /)),
  },
];
