import type { Recogniser } from "./recogniser.ts";

/** A vector that is not a table of angles: `cos` of anything else must stay silent. */
const ROTARY =
  / (?:\w*rotary\w*|rotate_half|rotate_every_two|apply_rope|apply_rot\w*|freqs_cis|\w*_rope|rope_\w+|rope|inv_freq|rotate_(?:half|every|pair|neg|adjacent|neox|gptj|interleav|quer|key|token)\w*) /;
/** The words "rope" and "yarn" mean something else where nothing is computed. */
const NUMERIC = /rotary|freq|attention|attn|head| (?:torch|nn|jnp|jax|mx|keras|tf|np|numpy|paddle|F) /;
/** So does "rotary" where no model is: switches, encoders of motors, buckets of machines. */
const MODEL =
  / (?:torch|nn|jnp|jax|mx|keras|tf|np|numpy|paddle|F|tensor|tinygrad) |attention|attn|hidden_size|_heads?(?:_| )|n_head|freq|rope/;
const MACHINES =
  /rotary_(?:bucket|switch|knob|dial|phone|joint|actuator|motor|valve|pump|evaporator|kiln|drum|table|axis|stage|axes|cutter|engine|button|input)/;
const IMAGE_ROTATION = /image|img|degrees?|angle_deg|cv2|crop|augment|box|pose|quaternion|euler|camera/;

/** Rotary family, by names. Order matters: the first that fits wins. */
export const ROPE_NAMES: readonly Recogniser[] = [
  {
    id: "xpos/names",
    encoding: "xpos",
    subject: "encoding",
    names: /(?:^|_)xpos|^use_xpos$|length_extrapolat(?:able|ion)_(?:embed|position)/,
    // Without a rotation or an attention, it is where something stands on a screen; beside ypos or qpos, in a grid.
    when: ({ file, occurrence }) =>
      file(/rotary|[ _]rope[ _]|attention|attn|scale_base/) &&
      !(occurrence.name === "xpos" && file(/ (?:ypos|qpos|kpos|query_pos|key_pos) /)),
  },
  {
    id: "xpos/scale-base",
    encoding: "xpos",
    subject: "scaling",
    names: /^(?:xpos_)?scale_base$/,
    when: ({ file }) => file(/xpos/),
  },
  {
    id: "self-extend/names",
    encoding: "self_extend",
    subject: "encoding",
    names: /self_?extend|^(?:group_size_1|neighbor_window|grouped_attn)/,
    when: ({ file }) => file(/self_?extend|group_size|grouped/),
  },
  { id: "rerope/names", encoding: "rerope", subject: "encoding", names: /(?:^|_)re_?rope(?:_|$)/ },
  {
    id: "mrope/names",
    encoding: "mrope",
    subject: "sections",
    names:
      /^mrope|_mrope|^apply_multimodal_rot|multimodal_rotary|^get_rope_index$|^rope_deltas$|^apply_interleaved_mrope$|mrope_section|mrope_interleaved/,
  },
  {
    id: "axial-rope/names",
    encoding: "axial_rope",
    subject: "encoding",
    names:
      /(?:vision|vit|dino_?v?\d?)_?(?:rotary|rope)|rotary_pos_emb_vision|^(?:apply_)?vision_rot|(?:axial|2d|3d|pixtral|qwen2vl_?2d)_?(?:rotary|rope)|(?:rotary|rope|freqs)\w*_(?:2d|3d|axial|nd|mixed|cat|dino_?v3|vision)(?:_|$)|axial_(?:freqs|cis|rope|rotary)|^compute_axial_(?:cis|rope)|^apply_multidimensional_rope|^apply_rot_embed(?:_cat|_list)?$|^rot_pos_emb$|^rope_2d|^rope2d|init_random_2d_freqs|create_rope_embed|build_rotary_pos_embed|recomposition_frequencies|^rot_embed|^apply_rotary_enc$|^apply_rotary_pos_emb_2d/,
    when: ({ name, inUnit }) => !/patch\d|text|language/.test(name) && (!IMAGE_ROTATION.test(name) || inUnit(ROTARY)),
  },
  {
    id: "rope/yarn",
    encoding: "rope",
    ropeType: "yarn",
    subject: "scaling",
    names:
      /(?:^|_)yarn|find_correction_(?:dim|range)|^correction_(?:dim|range)$|linear_ramp(?:_mask|_factor)?$|^beta_(?:fast|slow)$/,
    when: ({ file }) => file(NUMERIC),
  },
  {
    id: "rope/yarn-ramp",
    encoding: "rope",
    ropeType: "yarn",
    subject: "scaling",
    names: /^(?:smooth|ramp(?:_func|_mask)?|linear_func|inv_freq_mask|(?:\w+_)?(?:inter|extra)polation_mask)$/,
    when: ({ inUnit }) => inUnit(/ \w*(?:find_correction_|correction_range|linear_ramp)\w* /),
  },
  {
    id: "rope/ntk-by-parts",
    encoding: "rope",
    ropeType: "yarn",
    subject: "scaling",
    names: /(?:^|_)(?:part_ntk|ntk_(?:by_)?parts?)(?:_|$)|(?:^|_)ntk_(?:alpha|beta)$/,
    when: ({ name, file }) => !/ntk_(?:alpha|beta)$/.test(name) || file(/ (?:\w+_)?ntk_beta /),
  },
  {
    id: "rope/llama3",
    encoding: "rope",
    ropeType: "llama3",
    subject: "scaling",
    names:
      /^(?:low|high)_freq_(?:factor|wavelen)$|^llama3_?(?:rope|scaled)|llama_?3(?:_scaled)?_(?:rope|rotary)|^use_scaled_rope$/,
  },
  {
    id: "rope/llama3-scaling",
    encoding: "rope",
    ropeType: "llama3",
    subject: "scaling",
    names:
      /^(?:apply_scaling|old_context_len|wavelen|wavelens|smooth|smooth_factor|smoothed_inv_freq|apply_llama_?3_?\w*)$/,
    when: ({ inUnit }) =>
      inUnit(/ (?:(?:low|high)_freq_\w+|old_context_len) /) ||
      inUnit(/ wavelens? .*(?:_rope|freqs) | (?:(?:\w+_)?rope(?:_\w+)?|\w*freqs?) .* wavelens? /),
  },
  {
    id: "rope/longrope",
    encoding: "rope",
    ropeType: "longrope",
    subject: "scaling",
    names:
      /^(?:short_factor|long_factor|ext_factors|rope_(?:long|short)_factor)$|long_?rope|su_scaled_(?:rope|rotary)|su_rope|su_rotary/,
    when: ({ file }) => file(/ (?:(?:\w+_)?rope(?:_\w+)?|\w*rotary\w*|inv_freq|short_factor|long_factor) /),
  },
  {
    id: "rope/dynamic",
    encoding: "rope",
    ropeType: "dynamic",
    subject: "scaling",
    names: /dynamic_ntk|ntk_dynamic|dynamic_ntk_scaling/,
  },
  {
    id: "rope/ntk",
    encoding: "rope",
    ropeType: "ntk",
    subject: "scaling",
    names: /(?:^|_)ntk(?:_|$)|^theta_rescale_factor$|^rotary_base_rescale_factor$/,
  },
  {
    id: "rope/linear",
    encoding: "rope",
    ropeType: "linear",
    subject: "scaling",
    names:
      /linear_scal(?:ing|ed)_rot|^rope_condense_ratio$|^seq_len_interpolation_factor$|^rotary_interpolation_factor$/,
  },
  {
    id: "rope/proportional",
    encoding: "rope",
    ropeType: "proportional",
    subject: "scaling",
    names: /proportional_rope/,
  },
  {
    id: "rope/roformer",
    encoding: "rope",
    subject: "cos and sin",
    names: /^sinusoidal_pos$/,
    when: ({ file }) => file(/ apply_rotary_position_embeddings /),
  },
  {
    id: "rope/turn",
    encoding: "rope",
    subject: "pair layout",
    names:
      /^rotate_(?:half|every_two|pairwise|neg_half|neox|gptj|adjacent|interleaved)\w*$|^(?:rope|rotary)_rotate_half$|_rotate_half$|rotate_half_(?:llm|text)/,
  },
  {
    id: "rope/interleaved-weights",
    encoding: "rope",
    subject: "rotation",
    layout: "interleaved",
    names: /^apply_\w*rot\w*_interleaved?$/,
  },
  {
    id: "rope/rotation",
    encoding: "rope",
    subject: "rotation",
    names:
      /^apply_(?:rotary|rope|learned_rotations|rot_emb|rot_pos)|^apply_(?:\w+_)?rotary|_apply_rotary|rotate_queries|rotate_queries_and_keys|rotate_queries_or_keys|^fused_apply_rot|^rotary_(?:apply|mul)|^liger_rotary|^flash_rotary|^apply_\w*rope(?:_|$)|^rope_apply|^rotary_fwd|^inplace_rope/,
  },
  {
    id: "rope/frequencies",
    encoding: "rope",
    subject: "inverse frequencies",
    names:
      /^(?:\w+_)?inv_freqs?(?:_\w+)?$|^inverse_freqs?$|^original_inv_freq$|^freqs_for$|^precompute_freqs$|^precompute_(?:rope|theta)|^compute_(?:default_)?rope_parameters$|^create_inv_freq$|^compute_inv_freq$|^rope_freqs?$|^rope_init$|^rope_init_fn$|^rope_init_functions$/,
    when: ({ file, inUnit }) => !inUnit(/ (?:rel_shift|r_w_bias|relative_positional_encoding) /) || file(ROTARY),
  },
  {
    id: "rope/base",
    encoding: "rope",
    subject: "base",
    names:
      /^(?:\w+_)?rope_(?:theta|base|base_freq(?:uency)?)$|^rope_(?:freq_base|max_timescale|local_base_freq|global_base_freq)$|^rotary_(?:emb_)?base$|^rotary_theta$|^rotary_embedding_base$|^rope_freq_base$|^freq_base$|^rope_theta_\w+$/,
  },
  {
    id: "rope/dimensions",
    encoding: "rope",
    subject: "rotated dimensions",
    names:
      /^partial_rotary_factor$|^rotary_(?:dim|dims|pct|percent|percentage|ndims|emb_dim|emb_fraction|fraction|value)$|^rope_n_elem$|^qk_rope_head_dim$|^qk_rope_dim$|^rope_head_dim$|^rope_dim$/,
  },
  {
    id: "rope/nope-switch",
    encoding: "rope",
    subject: "encoding",
    names:
      /^(?:use|no|enable|disable|with|apply)_(?:rope|rotary)(?:_\w+)?$|^nope_layer_interval$|^no_rope_(?:layers|layer_interval|freq)$|^rotary_interleaved$|^rope_interleaved?$|^is_neox_style$|^use_rotary\w*$/,
  },
  {
    id: "rope/layout-flag",
    encoding: "rope",
    subject: "pair layout",
    names: /^(?:traditional|interleaved|rope_traditional)$/,
    when: ({ file }) => file(/[ _]ropes?[ _]|rotary/),
  },
  {
    id: "rope/broadcast",
    encoding: "rope",
    subject: "cos and sin",
    names: /^reshape_for_broadcast$/,
    when: ({ file }) => file(/ freqs_cis /),
  },
  {
    id: "rope/names",
    encoding: "rope",
    subject: "encoding",
    names: /(?:^|_)rope(?:s|_|$)|rotary(?:_|$)|(?:^|_)rotaries$|^rotary|^rot_emb$|^attention_scaling$|^apply_rot_embed/,
    when: ({ name, file }) =>
      !/^europe|property|patch\d/.test(name) &&
      (!/^ropes?$/.test(name) || file(NUMERIC)) &&
      (!/rotar/.test(name) || (file(MODEL) && !MACHINES.test(name))) &&
      (!/rotary_encoder/.test(name) || file(/ (?:inv_freq|freqs|rotate_half|cos) /)) &&
      (!/^attention_scaling$/.test(name) || file(ROTARY)),
  },
  {
    id: "rope/cache",
    encoding: "rope",
    subject: "cos and sin",
    names:
      /^(?:cos|sin)_cached?$|^cached_(?:cos|sin|freqs)$|^cos_sin(?:_cache)?$|^sin_cos$|^(?:cos|sin)_(?:pos|emb|table|half|k|q)$|^(?:q|k)_(?:cos|sin)$|^freqs_(?:cos|sin|cis|complex|real)(?:_\w+)?$|^precompute_(?:freqs_cis|cos_sin)\w*$|^(?:cos|sin)_freqs?$|^max_seq_len_cached$|^set_cos_sin_cache$|^idx_theta$|^xshaped$|^mscale(?:_all_dim)?$|^position_embeddings_(?:local|global)$|^(?:generate_)?fixed_pos_embedding$/,
    when: ({ file }) => file(ROTARY),
  },
  {
    id: "rope/cos-sin",
    encoding: "rope",
    subject: "cos and sin",
    names: /^(?:cos|sin)$/,
    kinds: ["name", "param", "keyword"],
    when: ({ file, inUnit }) => file(ROTARY) && (inUnit(ROTARY) || inUnit(/ position_embeddings /)),
  },
];
