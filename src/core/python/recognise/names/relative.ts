import { isNumberLiteral } from "../../parse/ast.ts";
import type { Occurrence } from "../../symbols/module.ts";
import type { AnalysedCode } from "../analysedCode.ts";
import type { NameRecogniser } from "../recognition.ts";

const DISTANCE_NAMES = / (?:\w*relative_position\w*|\w*rel_pos\w*|\w*relative_attention\w*|\w*relpos\w*) /;

/** Names that occur beside these parts of Transformer-XL. */
const TRANSFORMER_XL_NAMES = / (?:rel_shift|relative_shift|r_w_bias|r_r_bias|pos_bias_u) /;

/** False if this file has a class of that name without buckets: another encoding under the same name. */
function mayHaveBuckets(code: AnalysedCode, name: string): boolean {
  const definition = code.module.scopesByName.get(name);
  return definition?.kind !== "class" || code.namesMatch(definition, /bucket|max_exact/);
}

/** Recognises relative encodings and biases by name. The first match wins. */
export const RELATIVE_RECOGNISERS: readonly NameRecogniser[] = [
  {
    id: "swinv2/names",
    encoding: "swinv2_cpb",
    part: "bias",
    names:
      /cpb_mlp|^cpb(?:_|$)|continuous_position_bias|relative_coords_table|^pretrained_window_sizes?$|^rel_pos_mlp$|gen_relative_log_coords|log_cpb/,
  },
  {
    id: "swinv2/index",
    encoding: "swinv2_cpb",
    part: "relative index",
    names: /^relative_position_(?:index|bias|bias_table)$|^relative_coords_[hw]$|^logit_scale$/,
    when: ({ definitionHas }) => definitionHas(/ (?:cpb_mlp|continuous_position_bias_mlp|relative_coords_table) /),
  },
  {
    id: "swin/table",
    encoding: "swin_bias",
    part: "relative table",
    names: /^relative_position_bias_tables?$|^gen(?:erate)?_relative_position_index$|^resize_rel_pos_bias_table/,
  },
  {
    id: "swin/names",
    encoding: "swin_bias",
    part: "relative table",
    names:
      /^relative_position_bias_tables?$|gen_relative_position_index|generate_relative_position_index|^rel_pos_bias$|^rel_pos_bias_table|resize_rel_pos_bias_table|^relative_position_indices$|^attention_bias(?:es|_idxs)$|(?:beit|swin|window|data2vec_vision|maxvit|levit)\w*relative_position_(?:bias|index)|^shared_rel_pos_bias$|^use_(?:shared_)?rel_pos_bias$|^use_(?:shared_)?relative_position_bias$|^rpb$|^get_rel_pos_bias$|^get_attention_biases$/,
    when: ({ fileHas, definitionHas }) =>
      !definitionHas(TRANSFORMER_XL_NAMES) &&
      !fileHas(/ continuous_position_bias /) &&
      !definitionHas(/ (?:relative_position_bucket|num_buckets|rel_pos_num_buckets|dynamic_position_bias) /) &&
      fileHas(/ (?:\w*window\w*|\w*patch\w*|\w*grid\w*|\w*image\w*|\w*resolution\w*|kernel_size|attention_bias_idxs) /),
  },
  {
    id: "swin/index",
    encoding: "swin_bias",
    part: "relative index",
    names:
      /^relative_position_index$|^relative_coords$|^coords_(?:flatten|h|w)$|^relative_position_bias$|^create_relative_position_index|^num_relative_distance$/,
    when: ({ definitionHas, fileHas }) =>
      (definitionHas(/ relative_position_bias_table | relative_position_index | rel_pos_bias_table /) ||
        fileHas(/ relative_position_bias_table /)) &&
      !definitionHas(/ relative_position_bucket /),
  },
  {
    id: "deberta/names",
    encoding: "deberta",
    part: "bias",
    names:
      /^disentangled_(?:attention_bias|att_bias)$|disentangled_self_attention|^(?:c2p|p2c)_(?:att|pos|scores?|bias)\w*$|^pos_att_type$|^make_log_bucket_position$|^make_log_bucket_dict$|^build_relative_position$|^build_rpos$|^position_buckets$|^share_att_key$|^c2p_dynamic_expand$|^p2c_dynamic_expand$|^pos_dynamic_expand$|^norm_rel_ebd$|^compute_attention_span$|^uneven_size_corrected$|^pos_(?:key|query)_(?:layer|proj)$|^pos_q_proj$|^scaled_size_sqrt$|^pos_ebd_size$|^get_rel_embedding$|^att_span$/,
    when: ({ name, fileHas }) =>
      /c2p|p2c|disentangled|log_bucket|pos_att|share_att/.test(name) || fileHas(/c2p|disentangled| position_buckets /),
  },
  {
    id: "deberta/embeddings",
    encoding: "deberta",
    part: "relative table",
    names:
      /^rel_embeddings$|^get_rel_pos$|^rel_pos$|^max_relative_positions$|^relative_pos$|^rel_att$|^log_pos$|^bucket_pos$|^relative_attention$/,
    when: ({ fileHas }) =>
      fileHas(
        / (?:c2p_att|p2c_att|disentangled_\w+|make_log_bucket_position|pos_att_type|position_buckets|build_relative_position) |deberta/,
      ),
  },
  {
    id: "decomposed/names",
    encoding: "decomposed_rel_pos",
    part: "relative table",
    names:
      /^rel_pos_[hwt]$|^get_rel_pos$|decomposed_rel_pos|^rel_[hw]$|^cal_rel_pos_(?:spatial|temporal)$|^use_rel_pos$|^use_relative_position_embeddings$|^(?:height|width)_rel|^rel_(?:height|width)$|^rel_pos_resized$|^rel_logits_1d$|^pos_embed_rel$/,
    when: ({ name, fileHas }) =>
      !/^(?:rel_[hw]|get_rel_pos|use_rel_pos|use_relative_position_embeddings|rel_pos_resized)$/.test(name) ||
      fileHas(/ rel_pos_h | max_rel_dist |decomposed_rel/),
  },
  {
    id: "decomposed/coords",
    encoding: "decomposed_rel_pos",
    part: "distances",
    names: /^relative_coords$|^rel_pos$|^max_rel_dist$/,
    when: ({ functionHas, fileHas }) =>
      functionHas(/ (?:get_rel_pos|rel_pos_resized|rel_pos_h) /) &&
      fileHas(/ rel_pos_h | max_rel_dist |decomposed_rel/),
  },
  {
    id: "shaw/shift",
    encoding: "shaw",
    part: "relative shift",
    names: /relative_position_to_absolute_position|absolute_position_to_relative_position/,
  },
  {
    id: "shaw/helpers",
    encoding: "shaw",
    part: "relative table",
    names:
      /^matmul_with_relative_(?:keys|values)|^(?:key|value)_relative_embeddings$|^(?:key|value)_position_scores\w*$|^dot_product_\w*attention_relative|^relative_positions?_embeddings?$|^relative_key_(?:query_)?(?:\w+_)?attention$/,
    when: ({ name, fileHas }) =>
      !/^(?:key|value)_position_scores|^relative_positions?_embeddings?$/.test(name) ||
      fileHas(
        / (?:relat\w*_(?:keys|values)|(?:key|value)_position_scores\w*|relative_positions_\w+|max_relative_positions?) /,
      ),
  },
  {
    id: "shaw/class",
    encoding: "shaw",
    part: "relative table",
    names: /^relative_positions?$/,
    kinds: ["class", "name", "import"],
    when: ({ occurrence, fileHas, code }) =>
      /^RelativePositions?$/.test(occurrence.name) &&
      fileHas(/ (?:max_relative_positions?|relative_position_[kv]\w*|embeddings_table) /) &&
      !code.namesMatch(code.module.scopesByName.get(occurrence.name) ?? code.module.root, /bucket|max_exact/),
  },
  {
    id: "shaw/speech",
    encoding: "shaw",
    part: "relative table",
    names: /relative_positional_encoding|^pe_[kv]$/,
    when: ({ fileHas }) => fileHas(/ pe_k /),
  },
  {
    id: "transformer-xl/shift",
    encoding: "transformer_xl",
    part: "relative shift",
    names: /^rel_shift(?:_bnij)?$|^relative_shift$|^_?rel_?shift\w*$|^skew$/,
    when: ({ name, definitionHas }) => name !== "skew" || definitionHas(TRANSFORMER_XL_NAMES),
  },
  {
    id: "transformer-xl/biases",
    encoding: "transformer_xl",
    part: "bias",
    names: /^r_[wrs]_bias$|^pos_bias_[uv]$|^u_bias$|^untie_r$/,
    when: ({ name, definitionHas }) => !/^(?:u_bias|untie_r)$/.test(name) || definitionHas(TRANSFORMER_XL_NAMES),
  },
  {
    id: "transformer-xl/projection",
    encoding: "transformer_xl",
    part: "position projection",
    names: /^r_net$|^r_head_k$|^linear_pos$/,
    when: ({ name, definitionHas }) => name === "r_head_k" || definitionHas(TRANSFORMER_XL_NAMES),
  },
  {
    id: "transformer-xl/per-head",
    encoding: "transformer_xl",
    part: "bias",
    names: /^rel_(?:pos|content)_bias$|^rel_k$|^to_rel_k$|^rel_logits$/,
    when: ({ definitionHas }) => definitionHas(TRANSFORMER_XL_NAMES) && definitionHas(/ rel_(?:pos|content)_bias /),
  },
  {
    id: "transformer-xl/names",
    encoding: "transformer_xl",
    part: "encoding",
    names:
      /^clamp_len$|^relative_positional_encoding$|^rel_positional_encoding$|^rel_partial_learnable|^rel_pos(?:ition)?_?multi_?head|_rel_positional_(?:encoding|embedding)|^matrix_(?:ac|bd)$|^rel_pos_enc(?:oding)?$|relative_positional_encod|relative_position_(?:multi_?headed_)?attention|^rel_attn(?:_core)?$|^(?:ac|bd)$|^ef$/,
    when: ({ name, definitionHas }) =>
      !/^(?:ac|bd|ef|clamp_len|rel_attn|rel_attn_core)$/.test(name) || definitionHas(TRANSFORMER_XL_NAMES),
  },
  {
    id: "tupe/names",
    encoding: "tupe",
    part: "position projection",
    names: /(?:^|_)tupe|^pos_(?:q|k)_linear$|untied_pos|^theta_(?:cls|others)|cls_2_other|other_2_cls|abs_pos_bias/,
  },
  {
    id: "kerple/names",
    encoding: "kerple",
    part: "bias",
    names: /kerple|^bias_(?:a|p)$|^parallel_kerple/,
    when: ({ name, fileHas }) => /kerple/i.test(name) || fileHas(/kerple/),
  },
  {
    id: "sandwich/names",
    encoding: "sandwich",
    part: "bias",
    names: /sandwich/,
    when: ({ fileHas }) => fileHas(/pos|bias|attention/) && !fileHas(/sandwich_norm|sandwich_coef/),
  },
  {
    id: "fire/names",
    encoding: "fire",
    part: "bias",
    names:
      /^fire$|^fire_(?:bias|pos|rel|mlp|pe|position)|(?:^|_)fire_?(?:position|relative|bias|encoding)|^init_l$|^l_multiplier$|^threshold$|^rel_distance$|^normalized_distance$|^init_c$/,
    when: ({ name, definitionHas, definition }) =>
      /fire/i.test(name)
        ? definition.kind !== "module" && definitionHas(/ (?:mlp|init_l|rel_distance|rel_pos\w*|log_bias|fire_\w+) /)
        : definitionHas(/ l_multiplier | init_l /) ||
          (definitionHas(/ fire\w* /) && definitionHas(/ (?:mlp|rel_distance|log_bias|rel_pos\w*) /)),
  },
  {
    id: "cope/names",
    encoding: "cope",
    part: "gate",
    names: /^cope(?:_|$)|_cope$|contextual_pos(?:ition)?_(?:emb|enc)|^npos_max$|^cope_max_pos$/,
  },
  {
    id: "cope/parts",
    beforeTables: true,
    encoding: "cope",
    part: "gate",
    names: /^(?:gates|pos_(?:ceil|floor)|logits_(?:int|ceil|floor)|pos_emb)$/,
    when: ({ definitionHas }) =>
      definitionHas(/ (?:npos_max|cope|max_pos) /) && definitionHas(/ sigmoid /) && definitionHas(/ cumsum /),
  },
  {
    id: "alibi/names",
    encoding: "alibi",
    part: "bias",
    names: /alibi/,
  },
  {
    id: "alibi/slopes",
    encoding: "alibi",
    part: "slopes",
    names:
      /^(?:get_)?slopes?(?:_power_of_2|_m|_tensor|_n)?$|^get_slopes\w*$|^gen_slopes$|^closest_power_of_(?:2|two)$|^extra_(?:powers|base|slopes)$|^head_slopes?$|^slopes_\w+$|^num_remaining_heads$|^get_interleave(?:_power_of_2)?$|^alibi_\w+$/,
    when: ({ fileHas, definitionHas, name }) =>
      fileHas(/alibi/) || /get_slopes|gen_slopes/.test(name) || definitionHas(/ get_interleave | closest_power_of_2 /),
  },
  {
    id: "t5/names",
    encoding: "t5_bias",
    part: "buckets",
    names:
      /^relative_attention_bias$|relative_position_bucket|^has_relative_attention_bias$|^relative_attention_(?:num_buckets|max_distance)$|^rel_pos_(?:num_buckets|max_distance)$|^compute_(?:relative_)?(?:position_)?buckets?$|^relative_buckets?$|^rp_bucket$|^relative_buckets_count$|^rpe_(?:num_buckets|max_distance)$|^relpos_bias$|^t5_?(?:rel|bias|pos(?:ition)?_bias)\w*|^relative_attention_bias_\w+|^relative_position_biases$|compute_relative_buckets|^relative_max_distance$|^position_bias_(?:num_buckets|max_distance)$|^segment_relative_position_bucket$|^num_buckets$|^has_relative_position_bias$/,
    when: ({ name, definitionHas, fileHas }) =>
      !/^(?:num_buckets|compute_buckets?)$/.test(name) ||
      (definitionHas(/ (?:relative\w*|rel_pos\w*|position_bias\w*|relpos\w*|max_exact|rp_bucket) /) &&
        !fileHas(/ (?:make_log_bucket_position|lsh\w*|num_hashes) /)),
  },
  {
    id: "t5/bias",
    encoding: "t5_bias",
    part: "bias",
    names:
      /^pos(?:ition)?_bias(?:_masked)?$|^compute_bias$|^(?:encoder_decoder_)?position_bias$|^(?:shared_|side_){0,2}(?:relative_position|relpos)_bias(?:es)?(?:_factory)?$|^rel_pos_bias$|^relative_position_(?:if_large|embedding)$|^relative_position$|^is_small$|^val_if_large$|^max_exact$|^bidirectional$|^relative_bias$/,
    when: ({ name, fileHas, definitionHas, code, occurrence }) =>
      (/^(?:relative_position|is_small|val_if_large|max_exact|bidirectional|relative_position_if_large)$/.test(name)
        ? definitionHas(
            name === "is_small"
              ? /rel\w*_bucket| max_exact | num_buckets /
              : /relative_position_bucket| max_exact | is_small /,
          )
        : fileHas(
            /relative_attention_bias|relative_position_bucket|compute_bias|rel_pos_num_buckets| max_exact | relpos_bias /,
          )) &&
      !definitionHas(/ relative_position_bias_table /) &&
      mayHaveBuckets(code, occurrence.name),
  },
  {
    id: "t5/dimensions",
    encoding: "t5_bias",
    part: "buckets",
    names: /^max_distance$/,
    when: ({ definitionHas }) => definitionHas(/ num_buckets | max_exact /) && definitionHas(/relative|rel_pos/),
  },
  {
    id: "shaw/names",
    encoding: "shaw",
    part: "relative table",
    names:
      /^distance_embedding$|^max_relative_positions?$|^(?:emb_)?rel_(?:k|v)$|^emb_rel_[kv]$|^relative_(?:key|value|keys|values)$|^pe_[kv]$|^relations?_(?:keys|values)(?:_embeddings?)?$|^relative_positions_(?:keys|values)\w*$|^(?:left|right)_max_position_embeddings$|^relative_position_scores\w*$|^relative_positions_encoding$|^rel_(?:key|value)s?(?:_emb\w*)?$|^relative_attention_inner$|^generate_relative_positions_\w+$|^relative_logits$|^max_relative_distance$|^get_relative_embeddings(?:_left(?:_right)?)?$|^embeddings_table$|shaw|^relative_positional_embeddings?$|^rel_pos_(?:k|v)(?:_emb\w*)?$|^relative_position_(?:k|v)(?:_emb\w*)?$|nezha\w*relative|^relative_positions_matrix$/,
    when: ({ name, fileHas, definitionHas, occurrence }) =>
      !isSwitchedOff(occurrence) &&
      (/distance_embedding|emb_rel|max_relative_position|shaw/i.test(name)
        ? !fileHas(/c2p|disentangled|deberta| relative_position_bias_table /)
        : (fileHas(DISTANCE_NAMES) || definitionHas(/ (?:clamp|clip|distance_embedding|max_relative_positions?) /)) &&
          definitionHas(/ (?:rel\w*|distance\w*|\w*relative\w*) /)),
  },
];

/** `max_relative_positions=-1`: another encoding is used, or none. */
function isSwitchedOff({ value }: Occurrence): boolean {
  return value !== null && (value.kind === "unary" || isNumberLiteral(value, 0));
}
