import type { EncodingId } from "../../spec.ts";
import type { FrequencyRole } from "../patterns/valueRole.ts";
import { resolveCallable, type Scope } from "../symbols/module.ts";
import { type AnalysedCode, enclosingScopes, outermostDefinition } from "./analysedCode.ts";
import type { RopeScaling } from "./recognition.ts";
import { toSnakeCase } from "./snakeCase.ts";

/** Sines of something other than a position in a sequence or grid. */
const NOT_POSITION_NAMES =
  /time_?step|time_?embed|time_proj|time_embed|timesteps|diffusion|denois|noise|sigma|gaussian_fourier|random_fourier|rff|learning_rate|scheduler|mel_|spectro|stft|window_fn|wavelet|oscillator|size_cond|guidance|nerf|get_embedder|time_encod|temporal_encod|periodic_|harmonic/;

/** Names that determine the encoding of a function or class, most specific first. */
const ENCODING_BY_NAME: readonly (readonly [RegExp, EncodingId])[] = [
  [/xpos|length_extrapolat/, "xpos"],
  [/m_?rope|multimodal_?(?:rotary|rope)|multi_modal_rot|_vl_(?:text_)?rotary|_omni_(?:\w+_)?text_rotary/, "mrope"],
  [
    /vision_?(?:rotary|rope)|vis_?rope|(?:rotary|rope|freqs)\w*(?:_2d|2d|_axial|axial|_3d|3d|_vision|_pixel|_mixed|_nd|_cat)|(?:axial|2d|3d|vision|pixtral|patch|dino|pixel|image|mixed|spatial|(?:^|_)(?:nd|vit))\w*(?:rotary|rope)|axial_freqs|axial_cis|multidimensional_rope/,
    "axial_rope",
  ],
  [
    /2d_sin|sin\w*_2d|sincos_?2d|sincos_pos_embed|sin_?cos_?2d|sine_position_embedding|position_embedding_sine|pos_?embed_sine|2d_position|position\w*_2d|_2d_pos|fourier_embed/,
    "sincos_2d",
  ],
  [/(?:^|_)rel(?:ative)?_?pos|relative_posi|rel_enc/, "transformer_xl"],
  [/rope(?:_|$)|rotary|rotate_|rotation|freqs_cis|rot_emb|rot_pos|(?:^|_)rot(?:_|$)/, "rope"],
  [/sandwich/, "sandwich"],
  [
    /sinus|sine_pos|fixed_pos|sin_cos|sincos|posi?t?i?o?n?a?l?_?enc|pos_enc|position_encod|positional_embed|position_embed|pos_emb|timing_signal/,
    "sinusoidal",
  ],
];

/**
 * The encoding of a value made of frequencies: that of the function or class that computed them, if it is not the one
 * that uses them.
 */
export function familyOfFrequencies(
  code: AnalysedCode,
  scope: Scope,
  frequencies: FrequencyRole | null,
): EncodingId | null {
  const origin = frequencies?.origin.scope;
  if (origin !== undefined && outermostDefinition(origin) !== outermostDefinition(scope))
    return findWaveFamily(code, origin) ?? findStrictFamily(code, scope);
  return findWaveFamily(code, scope, frequencies?.isExponential ?? false);
}

/** The encoding of a scope by its own names and structure, without guesses. */
function findStrictFamily(code: AnalysedCode, scope: Scope): EncodingId | null {
  const scopes = enclosingScopes(scope);
  if (scopes.some((around) => NOT_POSITION_NAMES.test(toSnakeCase(around.name)))) return null;
  return (
    scopes
      .map((around) => familyByName(code, around) ?? familyByStructure(code, around))
      .find((found) => found !== null) ?? null
  );
}

/** The encoding that uses sines of frequencies in this scope; null if unknown or not about sequence positions. */
export function findWaveFamily(code: AnalysedCode, scope: Scope, isExponential = false): EncodingId | null {
  const scopes = enclosingScopes(scope);
  if (scopes.some((around) => NOT_POSITION_NAMES.test(toSnakeCase(around.name)))) return null;
  const namedFamilies = scopes.map((around) => familyByName(code, around)).filter((found) => found !== null);
  const first = namedFamilies[0];
  if (first !== undefined) return namedFamilies.find((found) => REFINING_ENCODINGS.has(found)) ?? first;
  for (const around of scopes) {
    const byStructure = familyByStructure(code, around);
    if (byStructure !== null) return byStructure;
  }
  return familyByCallers(code, scopes) ?? (isExponential ? "sinusoidal" : guessFamily(code, scopes.at(-1) ?? scope));
}

/** An outer scope's name for one of these overrides "rotary" or "position encoding" inside. */
const REFINING_ENCODINGS: ReadonlySet<EncodingId> = new Set(["xpos", "mrope", "axial_rope", "sincos_2d"]);

function familyByName(code: AnalysedCode, scope: Scope): EncodingId | null {
  const name = toSnakeCase(scope.name);
  const isTextOrAudio = /text|language|audio|speech/.test(name);
  const found =
    ENCODING_BY_NAME.find(
      ([pattern, encoding]) => pattern.test(name) && !(isTextOrAudio && encoding === "axial_rope"),
    )?.[1] ?? null;
  const features = code.features(scope);
  const rotates =
    features.layouts.length > 0 ||
    features.rotates ||
    code.namesMatch(scope, / (?:freqs_(?:cos|sin|cis)|\w+_rotary_\w+) /);
  const angles = features.doubled !== null && features.tableArrangement === null;
  if (found === "sinusoidal" && (rotates || angles)) return "rope";
  if (found === "sinusoidal" && scope.kind === "function" && rotatesPairs(code)) return "rope";
  if (found === "sinusoidal" && scope.kind === "function" && features.tableArrangement === null && isRotaryFile(code))
    return null;
  if (found === "sinusoidal" && isGrid(code, scope)) return "sincos_2d";
  if (
    found === "sinusoidal" &&
    code.namesMatch(code.module.root, RELATIVE_SHIFT_NAMES) &&
    !hasTableRowNames(code, scope)
  )
    return "transformer_xl";
  if (found === "transformer_xl" && features.distance?.bound != null) return "shaw";
  // A function that creates any encoding by its type is not one of them.
  const isFactory = scope.kind === "function" && !rotates && code.namesMatch(scope, / rope_type | scaling_type /);
  if (found === "rope" && !isFactory && code.namesMatch(scope, / mrope_section | mrope_sections /)) return "mrope";
  if (found === "rope" && !isTextOrAudio && code.namesMatch(scope, GRID_ANGLE_NAMES)) return "axial_rope";
  return found;
}

const RELATIVE_SHIFT_NAMES = / (?:rel_shift|relative_shift|r_w_bias|r_r_bias|pos_bias_u) /;

function hasTableRowNames(code: AnalysedCode, scope: Scope): boolean {
  return (
    code.features(scope).tableArrangement !== null &&
    code.namesMatch(scope, / (?:padding_idx|max_len|div_term|make_weight|num_embeddings) /)
  );
}

/** True if the positions are heights and widths. */
function isGrid(code: AnalysedCode, scope: Scope): boolean {
  return code.namesMatch(
    scope,
    / (?:grid_h|grid_w|y_embed|x_embed|emb_h|emb_w|pos_h|pos_w|pos_x|pos_y|grid_size|feat_shape|num_pos_feats|proposals) /,
  );
}

/** Separate angles for heights and widths. */
const GRID_ANGLE_NAMES =
  / (?:coords_[hw]|grid_sizes|freqs_[hwxy]|[hwxy]_freqs|[hw]_?pos_ids|angles_[hw]|freqs_(?:height|width)|t_[xy]|rope_[hw]|rotary_[hw]) /;

/**
 * True if a function rotates pairs but the file has no rotary embedding class (GPT-J computes the angles as sinusoids).
 */
function rotatesPairs(code: AnalysedCode): boolean {
  const { root } = code.module;
  return (
    code.namesMatch(root, / (?:rotate_every_two|rotate_half|apply_rotary_pos_emb) /) &&
    !code.namesMatch(root, / (?:\w*rotary_embeddings?|rotary_emb) /)
  );
}

export function isRotaryFile(code: AnalysedCode): boolean {
  return code.namesMatch(
    code.module.root,
    / (?:\w*rotary\w*|rotate_half|rotate_every_two|apply_rope|freqs_cis|\w*_rope|rope_\w+|rope) /,
  );
}

/** The encoding that the structure of a scope shows, whatever its name. */
function familyByStructure(code: AnalysedCode, scope: Scope): EncodingId | null {
  const features = code.features(scope);
  if (features.layouts.length > 0 || features.rotates || features.waves.has("cis")) {
    return code.namesMatch(scope, / mrope_section /) ? "mrope" : "rope";
  }
  if (features.doubled !== null && code.namesMatch(scope, / (?:\w*rope(?:_\w+)?|\w*rotary\w*|inv_freq) /))
    return "rope";
  if (features.tableArrangement !== null && features.frequencies.length > 0) {
    if (isGrid(code, scope)) return "sincos_2d";
    if (code.namesMatch(code.module.root, RELATIVE_SHIFT_NAMES)) return "transformer_xl";
    return scope.kind === "function" &&
      code.namesMatch(code.module.root, / (?:rotate_half|rotate_every_two|apply_rot\w*) /)
      ? "rope"
      : "sinusoidal";
  }
  if (features.doubled !== null) return "rope";
  return null;
}

/** The encoding of a helper is that of the functions that call it. */
function familyByCallers(code: AnalysedCode, scopes: readonly Scope[]): EncodingId | null {
  for (const scope of scopes) {
    for (const site of code.module.calls.get(scope.name)) {
      if (scopes.includes(site.scope)) continue;
      for (const around of enclosingScopes(site.scope)) {
        const found = familyByName(code, around) ?? familyByStructure(code, around);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

/** Last resort: names inside the definition, then the file's only rotation. */
function guessFamily(code: AnalysedCode, definition: Scope): EncodingId | null {
  if (
    code.namesMatch(
      definition,
      / (?:(?:\w+_)?inv_freqs?|freqs_cis|rope_theta|\w*rotary\w*|(?:\w+_)?rope(?:_\w+)?|cos_cached|sin_cached|rope_cache) /,
    )
  )
    return "rope";
  const features = code.features(definition);
  const both = features.waves.has("sin") && features.waves.has("cos");
  const hasDistinctive = features.frequencies.some((found) => found.isDistinctive);
  if (!hasDistinctive) return null;
  if (both && features.tableArrangement === null)
    return features.frequencies.some((found) => found.isExponential) ? "sinusoidal" : "rope";
  if (code.rotaryScopes().length > 0) return "rope";
  return features.frequencies.some((found) => found.isExponential) ? "sinusoidal" : "rope";
}

/** True if positions are image patches, as in timm and other vision models. */
export function isVisionFile(code: AnalysedCode, scope: Scope): boolean {
  const { root } = code.module;
  if (
    /text|audio|speech|language/.test(toSnakeCase(outermostDefinition(scope).name)) ||
    !code.namesMatch(root, / (?:\w*image\w*|pixel_values|\w*vit\w*|\w*patch\w*) /)
  )
    return false;
  return (
    code.namesMatch(root, / (?:feat_shape|ref_feat_shape|patch_embed|grid_thw|num_patches) /) &&
    !code.namesMatch(root, / (?:vocab_size|embed_tokens|past_key_values|input_ids|causal_mask|is_causal_lm) /)
  );
}

/** Names that reveal the scaling type, most specific first. */
const ROPE_TYPE_BY_NAME: readonly (readonly [RegExp, RopeScaling])[] = [
  [
    /yarn|find_correction|correction_(?:dim|range)|linear_ramp|beta_fast|yarn_get_mscale|ntk_beta|part_ntk|ntk_(?:by_)?part/,
    "yarn",
  ],
  [
    / (?:low_freq_wavelen|high_freq_wavelen|low_freq_factor|high_freq_factor|old_context_len|wavelen|wavelens) |llama_?3_?(?:scal|rope|1)|scaled_rope/,
    "llama3",
  ],
  [
    /long_rope|longrope| (?:short_factor|long_factor|ext_factors|short_mscale|long_mscale) |su_scaled|phi_?3_?su/,
    "longrope",
  ],
  [/dynamic_ntk|ntk_dynamic|dynamic_?scaling/, "dynamic"],
  [/^(?!.* \w*(?:ntk_beta|part_ntk|ntk_(?:by_)?parts?)\w* ).*ntk/s, "ntk"],
  [/linear_scaling|linear_rope|linearly_scaled/, "linear"],
  [/proportional/, "proportional"],
];

/** The scaling type that a scope computes; null if the config decides it or the scope contains several. */
export function findRopeType(code: AnalysedCode, scope: Scope): RopeScaling | null {
  for (const around of enclosingScopes(scope)) {
    const named = ROPE_TYPE_BY_NAME.find(([pattern]) => pattern.test(` ${toSnakeCase(around.name)} `))?.[1];
    if (named !== undefined) return named;
    if (/default_(?:rope|rotary)/.test(toSnakeCase(around.name))) return "default";
  }
  for (const around of enclosingScopes(scope)) {
    const found = findRopeTypeIn(code, around);
    if (found === undefined) continue;
    return found !== null && found !== "default" && isScalingOptional(code, scope) ? null : found;
  }
  return "default";
}

/** `scaling=None`, `use_scaled_rope=False`: the caller decides whether it scales. */
function isScalingOptional(code: AnalysedCode, scope: Scope): boolean {
  const owner = enclosingScopes(scope).find((around) => around.kind === "class");
  const { params } = resolveCallable(code.module, owner ?? outermostDefinition(scope));
  return params.some(
    (param) =>
      /^(?:rope|scaling|rope_scaling)_type$/.test(param.name) ||
      (param.default?.kind === "constant" &&
        param.default.value !== true &&
        /scal(?:ing|ed)(?:_factor)?$|interpolation_factor|use_\w*(?:yarn|ntk|scal)/.test(toSnakeCase(param.name))),
  );
}

const CONFIG_DECIDED_NAMES =
  / (?:rope_init_functions|rope_init_fn|rope_type|scaling_type|dynamic_rope_update|rope_scaling|_init_rope|get_rope) /i;

function findRopeTypeIn(code: AnalysedCode, scope: Scope): RopeScaling | null | undefined {
  const names = code.joinedNames(scope);
  const types = new Set(ROPE_TYPE_BY_NAME.filter(([pattern]) => pattern.test(names)).map(([, type]) => type));
  const features = code.features(scope);
  if (features.ntk !== null && !types.has("ntk") && !types.has("dynamic")) types.add(features.ntk);
  const only = [...types][0];
  if (types.size === 1 && only !== undefined) return only;
  if (types.size > 1) return null;
  const isDivided =
    features.factor !== null && code.evaluator.evaluateNumber(features.factor.expr, features.factor.scope) !== 1;
  if (
    isDivided ||
    / (?:rope_condense_ratio|condense_ratio|interpolation_factor|seq_len_interpolation_factor|interpolate_factor) /.test(
      names,
    )
  ) {
    return isDivided ? "linear" : null;
  }
  if (scope.kind === "function" && features.frequencies.some((found) => found.origin.scope === scope)) return "default";
  return CONFIG_DECIDED_NAMES.test(names) && scope.kind === "class" ? null : undefined;
}
