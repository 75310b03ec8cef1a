import type { EncodingId, Layout } from "../../spec.ts";
import type { Frequencies, Ref } from "../patterns/role.ts";
import { callableOf, type Scope } from "../symbols/module.ts";
import { type Code, scopesAround, unitOf } from "./code.ts";
import { snake } from "./names.ts";
import type { RopeType } from "./recogniser.ts";
import type { Features } from "./scan.ts";

/** Sines of something else than a position in a sequence or grid. */
const NOT_POSITIONS =
  /time_?step|time_?embed|time_proj|time_embed|timesteps|diffusion|denois|noise|sigma|gaussian_fourier|random_fourier|rff|learning_rate|scheduler|mel_|spectro|stft|window_fn|wavelet|oscillator|size_cond|guidance|nerf|get_embedder|time_encod|temporal_encod|periodic_|harmonic/;

/** Names that settle which encoding a function or class is about, most specific first. */
const DECISIVE: readonly (readonly [RegExp, EncodingId])[] = [
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
 * The encoding that a value made of frequencies belongs to: that of the function or class which computed them, as far
 * as it is another one than the place of use.
 */
export function familyOfRole(code: Code, scope: Scope, frequencies: Frequencies | null): EncodingId | null {
  const origin = frequencies?.origin.scope;
  if (origin !== undefined && unitOf(origin) !== unitOf(scope))
    return waveFamily(code, origin) ?? strictFamily(code, scope);
  return waveFamily(code, scope, frequencies?.exponential ?? false);
}

/** The family of a scope by its own names and structure, without guesses. */
function strictFamily(code: Code, scope: Scope): EncodingId | null {
  const scopes = scopesAround(scope);
  if (scopes.some((around) => NOT_POSITIONS.test(snake(around.name)))) return null;
  return scopes.map((around) => decisive(code, around) ?? shape(code, around)).find((found) => found !== null) ?? null;
}

/** The encoding that sines of frequencies in this scope belong to; null: not one of sequence positions, or unknown. */
export function waveFamily(code: Code, scope: Scope, exponential = false): EncodingId | null {
  const scopes = scopesAround(scope);
  if (scopes.some((around) => NOT_POSITIONS.test(snake(around.name)))) return null;
  const named = scopes.map((around) => decisive(code, around)).filter((found) => found !== null);
  const first = named[0];
  if (first !== undefined) return named.find((found) => REFINING.has(found)) ?? first;
  for (const around of scopes) {
    const shaped = shape(code, around);
    if (shaped !== null) return shaped;
  }
  return fromCallers(code, scopes) ?? (exponential ? "sinusoidal" : loose(code, scopes.at(-1) ?? scope));
}

/** Names of an outer scope that say more than "rotary" or "position encoding" inside. */
const REFINING: ReadonlySet<EncodingId> = new Set(["xpos", "mrope", "axial_rope", "sincos_2d"]);

function decisive(code: Code, scope: Scope): EncodingId | null {
  const name = snake(scope.name);
  const spoken = /text|language|audio|speech/.test(name);
  const found =
    DECISIVE.find(([pattern, encoding]) => pattern.test(name) && !(spoken && encoding === "axial_rope"))?.[1] ?? null;
  const features = code.features(scope);
  const turns =
    features.layouts.length > 0 || features.rotates || code.has(scope, / (?:freqs_(?:cos|sin|cis)|\w+_rotary_\w+) /);
  const angles = features.doubled !== null && features.table === null;
  if (found === "sinusoidal" && (turns || angles)) return "rope";
  if (found === "sinusoidal" && scope.kind === "function" && rotatesPairs(code)) return "rope";
  if (found === "sinusoidal" && scope.kind === "function" && features.table === null && isRotaryFile(code)) return null;
  if (found === "sinusoidal" && isGrid(code, scope)) return "sincos_2d";
  if (found === "sinusoidal" && code.has(code.module.root, RELATIVE_SHIFT) && !hasTableRows(code, scope))
    return "transformer_xl";
  if (found === "rope" && code.has(scope, / mrope_section | mrope_sections /)) return "mrope";
  if (found === "rope" && !spoken && code.has(scope, GRID_ANGLES)) return "axial_rope";
  return found;
}

const RELATIVE_SHIFT = / (?:rel_shift|relative_shift|r_w_bias|r_r_bias|pos_bias_u) /;

function hasTableRows(code: Code, scope: Scope): boolean {
  return (
    code.features(scope).table !== null &&
    code.has(scope, / (?:padding_idx|max_len|div_term|make_weight|num_embeddings) /)
  );
}

/** Heights and widths are what these positions count. */
function isGrid(code: Code, scope: Scope): boolean {
  return code.has(
    scope,
    / (?:grid_h|grid_w|y_embed|x_embed|emb_h|emb_w|pos_h|pos_w|pos_x|pos_y|grid_size|feat_shape|num_pos_feats|proposals) /,
  );
}

/** Angles of heights and widths apart. */
const GRID_ANGLES =
  / (?:coords_[hw]|grid_sizes|freqs_[hwxy]|[hwxy]_freqs|[hw]_?pos_ids|angles_[hw]|freqs_(?:height|width)|t_[xy]|rope_[hw]|rotary_[hw]) /;

/** Some function of the file turns pairs, by angles that no rotary embedding of its own makes (GPT-J's are sinusoids). */
function rotatesPairs(code: Code): boolean {
  const { root } = code.module;
  return (
    code.has(root, / (?:rotate_every_two|rotate_half|apply_rotary_pos_emb) /) &&
    !code.has(root, / (?:\w*rotary_embeddings?|rotary_emb) /)
  );
}

export function isRotaryFile(code: Code): boolean {
  return code.has(
    code.module.root,
    / (?:\w*rotary\w*|rotate_half|rotate_every_two|apply_rope|freqs_cis|\w*_rope|rope_\w+|rope) /,
  );
}

/** What the structure of a scope says, whatever it is called. */
function shape(code: Code, scope: Scope): EncodingId | null {
  const features = code.features(scope);
  if (features.layouts.length > 0 || features.rotates || features.waves.has("cis")) {
    return code.has(scope, / mrope_section /) ? "mrope" : "rope";
  }
  if (features.doubled !== null && code.has(scope, / (?:\w*rope(?:_\w+)?|\w*rotary\w*|inv_freq) /)) return "rope";
  if (features.table !== null && features.frequencies.length > 0) {
    if (isGrid(code, scope)) return "sincos_2d";
    if (code.has(code.module.root, RELATIVE_SHIFT)) return "transformer_xl";
    return scope.kind === "function" && code.has(code.module.root, / (?:rotate_half|rotate_every_two|apply_rot\w*) /)
      ? "rope"
      : "sinusoidal";
  }
  if (features.doubled !== null) return "rope";
  return null;
}

/** A helper is what the functions that call it are about. */
function fromCallers(code: Code, scopes: readonly Scope[]): EncodingId | null {
  for (const scope of scopes) {
    for (const site of code.module.calls.get(scope.name)) {
      if (scopes.includes(site.scope)) continue;
      for (const around of scopesAround(site.scope)) {
        const found = decisive(code, around) ?? shape(code, around);
        if (found !== null) return found;
      }
    }
  }
  return null;
}

/** Last resort: names inside the unit, then the file's only rotation. */
function loose(code: Code, unit: Scope): EncodingId | null {
  if (
    code.has(
      unit,
      / (?:(?:\w+_)?inv_freqs?|freqs_cis|rope_theta|\w*rotary\w*|(?:\w+_)?rope(?:_\w+)?|cos_cached|sin_cached|rope_cache) /,
    )
  )
    return "rope";
  const features = code.features(unit);
  const both = features.waves.has("sin") && features.waves.has("cos");
  const strong = features.frequencies.some((found) => found.strong);
  if (!strong) return null;
  if (both && features.table === null)
    return features.frequencies.some((found) => found.exponential) ? "sinusoidal" : "rope";
  if (code.turning().length > 0) return "rope";
  return features.frequencies.some((found) => found.exponential) ? "sinusoidal" : "rope";
}

/** Positions are patches of a picture: timm and other vision models. */
export function isVisionFile(code: Code, scope: Scope): boolean {
  const { root } = code.module;
  if (
    /text|audio|speech|language/.test(snake(unitOf(scope).name)) ||
    !code.has(root, / (?:\w*image\w*|pixel_values|\w*vit\w*|\w*patch\w*) /)
  )
    return false;
  return (
    code.has(root, / (?:feat_shape|ref_feat_shape|patch_embed|grid_thw|num_patches) /) &&
    !code.has(root, / (?:vocab_size|embed_tokens|past_key_values|input_ids|causal_mask|is_causal_lm) /)
  );
}

/** Names that give a scaling away, most specific first. */
const SCALINGS: readonly (readonly [RegExp, RopeType])[] = [
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

/** The scaling that a scope computes; null when the config decides it, or when several are in one place. */
export function ropeTypeOf(code: Code, scope: Scope): RopeType | null {
  for (const around of scopesAround(scope)) {
    const named = SCALINGS.find(([pattern]) => pattern.test(` ${snake(around.name)} `))?.[1];
    if (named !== undefined) return named;
    if (/default_(?:rope|rotary)/.test(snake(around.name))) return "default";
  }
  for (const around of scopesAround(scope)) {
    const found = scalingIn(code, around);
    if (found === undefined) continue;
    return found !== null && found !== "default" && isOptional(code, scope) ? null : found;
  }
  return "default";
}

/** `scaling=None`, `use_scaled_rope=False`: whoever makes the class decides whether it scales. */
function isOptional(code: Code, scope: Scope): boolean {
  const owner = scopesAround(scope).find((around) => around.kind === "class");
  const { params } = callableOf(code.module, owner ?? unitOf(scope));
  return params.some(
    (param) =>
      param.default?.kind === "constant" &&
      param.default.value !== true &&
      /scal(?:ing|ed)(?:_factor)?$|interpolation_factor|use_\w*(?:yarn|ntk|scal)/.test(snake(param.name)),
  );
}

const CONFIG_DECIDES =
  / (?:rope_init_functions|rope_init_fn|rope_type|scaling_type|dynamic_rope_update|rope_scaling|_init_rope|get_rope) /i;

function scalingIn(code: Code, scope: Scope): RopeType | null | undefined {
  const names = code.names(scope);
  const types = new Set(SCALINGS.filter(([pattern]) => pattern.test(names)).map(([, type]) => type));
  const features = code.features(scope);
  if (features.ntk !== null && !types.has("ntk") && !types.has("dynamic")) types.add(features.ntk);
  const only = [...types][0];
  if (types.size === 1 && only !== undefined) return only;
  if (types.size > 1) return null;
  const factor = features.factor !== null && code.evaluator.number(features.factor.expr, features.factor.scope) !== 1;
  if (
    factor ||
    / (?:rope_condense_ratio|condense_ratio|interpolation_factor|seq_len_interpolation_factor|interpolate_factor) /.test(
      names,
    )
  ) {
    return factor ? "linear" : null;
  }
  if (scope.kind === "function" && features.frequencies.some((found) => found.origin.scope === scope)) return "default";
  return CONFIG_DECIDES.test(names) && scope.kind === "class" ? null : undefined;
}

/** The pair layout, and the expression that shows it. */
export interface LayoutFound {
  readonly layout: Layout;
  readonly from: Ref | null;
}

/** Layout of the rotation that a scope does, calls, or that the file has only one kind of. */
export function layoutOf(code: Code, scope: Scope): LayoutFound | null {
  for (const around of scopesAround(scope)) {
    const { layouts } = code.features(around);
    if (layouts.length > 0) return unique(layouts);
  }
  const only = unique(code.turning().flatMap(({ features }) => features.layouts));
  if (only !== null) return only;
  const doubled = scopesAround(scope)
    .map((around) => code.features(callableOf(code.module, around)).doubled ?? code.features(around).doubled)
    .find((layout) => layout !== null);
  const cis = scopesAround(scope).some((around) => code.features(around).waves.has("cis"));
  if (doubled != null) return { layout: doubled, from: null };
  return cis ? { layout: "interleaved", from: null } : null;
}

function unique(layouts: Features["layouts"]): LayoutFound | null {
  const first = layouts[0];
  return first !== undefined && layouts.every((other) => other.layout === first.layout) ? first : null;
}
