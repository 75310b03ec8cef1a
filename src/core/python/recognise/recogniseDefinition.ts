import type { EncodingPart } from "../../encodings/encoding.ts";
import { lastName } from "../parse/ast.ts";
import { resolveCallable, type Scope } from "../symbols/module.ts";
import { type AnalysedCode, enclosingScopes, outermostDefinition } from "./analysedCode.ts";
import { findWaveFamily } from "./encodingFamily.ts";
import type { Recognition } from "./recognition.ts";
import { toSnakeCase } from "./snakeCase.ts";
import { recogniseRole, withRopeDetails } from "./structural.ts";
import { recogniseDistanceClass } from "./tableLookups.ts";

/** Names in code that does more than encode positions: an attention layer with a rotation inside is not an encoding. */
const LAYER_NAMES =
  / (?:softmax|q_proj|k_proj|v_proj|to_q|to_qkv|qkv|wq|wk|c_attn|flash_attn\w*|lm_head|mlp|feed_forward|ffn|scaled_dot_product_attention|o_proj|out_proj|logits|loss|nsp|layer_norm_1) /;

const KERNEL_NAMES = / (?:log|log1p|cumsum|matmul) /;
const ATTENTION_NAMES = / (?:softmax|q_proj|k_proj|to_q|to_qkv|qkv|wq|c_attn|scaled_dot_product_attention|out_proj) /;

const LAYER_CLASS =
  /attention|attn|layer|block|model|encoder|decoder|transformer|stack|head|net$|module|trainer|config|dataset/;
const ENCODING_CLASS = /pos|rot|rope|alibi|bias|rel_|relative|sinus/;

/** Recognises a function or class of this file by what it computes and returns. */
export function recogniseDefinition(code: AnalysedCode, scope: Scope): Recognition | null {
  return scope.kind === "class" ? recogniseClass(code, scope) : recogniseFunction(code, scope);
}

function recogniseFunction(code: AnalysedCode, scope: Scope): Recognition | null {
  const returned = recogniseRole(code, code.roles.resolveReturned(scope), scope);
  const isLifecycleMethod =
    /^(?:__init__|forward|__call__|call|setup|build|reset_parameters|_init_weights|init_weights|extra_repr|main|train)$/.test(
      scope.name,
    );
  if (isLifecycleMethod || /^(?:self_)?(?:attention|attn)$/.test(scope.name)) return null;
  if (returned !== null) return returned;
  const [expansion] = code.features(scope).expansions;
  if (expansion !== undefined && expansion.form !== "transformer_xl") {
    const found = recogniseRole(code, expansion, scope);
    if (found !== null) return found;
  }
  if (code.namesMatch(scope, LAYER_NAMES)) return null;
  const features = code.features(scope);
  if (features.rotates || features.layouts.length > 0) return recogniseWaves(code, scope, "rotation");
  if (features.slopes !== null) return buildRecognition(scope, "alibi", features.addsBias ? "bias" : "slopes");
  if (features.bucket !== null)
    return buildRecognition(scope, features.bucket.signed ? "deberta" : "t5_bias", "buckets");
  if (features.frequencies.length > 0 && features.waves.size > 0)
    return recogniseWaves(code, scope, features.tableArrangement === null ? "cos and sin" : "table");
  return null;
}

function recogniseClass(code: AnalysedCode, scope: Scope): Recognition | null {
  const name = toSnakeCase(scope.name);
  const kernel =
    code.namesMatch(scope, KERNEL_NAMES) && !code.namesMatch(scope, ATTENTION_NAMES)
      ? code.features(scope).kernel
      : null;
  if (kernel !== null) return recogniseRole(code, kernel, scope);
  if (code.namesMatch(scope, LAYER_NAMES) || (LAYER_CLASS.test(name) && !ENCODING_CLASS.test(name))) return null;
  const features = code.features(scope);
  const computesFrequencies =
    features.frequencies.some(({ origin }) => enclosingScopes(origin.scope).includes(scope)) &&
    (ENCODING_CLASS.test(name) || scope.children.filter((child) => !child.name.startsWith("__")).length <= 4);
  const initialiser = resolveCallable(code.module, scope);
  if (computesFrequencies || features.rotates)
    return recogniseWaves(code, scope, features.tableArrangement === null ? "encoding" : "table");
  if (features.slopes !== null) return buildRecognition(initialiser.parent ?? scope, "alibi", "bias");
  if (features.bucket !== null)
    return buildRecognition(scope, features.bucket.signed ? "deberta" : "t5_bias", "buckets");
  return recogniseTableClass(code, scope, name);
}

/** Recognises classes with tables that are indexed by positions or by clipped distances. */
function recogniseTableClass(code: AnalysedCode, scope: Scope, name: string): Recognition | null {
  const features = code.features(scope);
  if (!code.namesMatch(scope, TABLE_CREATION_NAMES)) return null;
  if (/relative_?pos|rel_?pos/.test(name))
    return recogniseDistanceClass(code, scope) ?? recogniseRole(code, features.distance, scope);
  if (/embeddings?$/.test(name) && addsPositionTable(code, scope))
    return buildRecognition(scope, "learned_absolute", "table");
  const isPositionTable = /pos(?:ition(?:al)?)?_?(?:emb|enc)/.test(name) && !/rel|rot|rope|sin/.test(name);
  return isPositionTable &&
    features.waves.size === 0 &&
    features.distance === null &&
    code.namesMatch(scope, POSITION_TABLE_NAMES)
    ? buildRecognition(scope, "learned_absolute", "table")
    : null;
}

/** True for the input embeddings of BERT and its like: tables of tokens and of positions. */
function addsPositionTable(code: AnalysedCode, scope: Scope): boolean {
  const features = code.features(scope);
  if (features.waves.size > 0 || features.rotates) return false;
  return [...scope.attributes].some(
    ([name, bindings]) =>
      /^(?:abs(?:olute)?_)?(?:position(?:al)?|pos)_?emb\w*$|^wpe$|^embed_positions$/.test(toSnakeCase(name)) &&
      bindings.some(
        ({ value }) => value?.kind === "call" && /^(?:Embed(?:ding)?|Parameter)$/.test(lastName(value.callee) ?? ""),
      ),
  );
}

const TABLE_CREATION_NAMES =
  / (?:embedding|embed|parameter|add_weight|get_parameter|param|param_with_axes|create_parameter) /;
const POSITION_TABLE_NAMES = / (?:pe|w?pos\w*|row_embed\w*|col_embed\w*|embed_[xy]|[xy]_embed\w*) /;

function recogniseWaves(code: AnalysedCode, scope: Scope, part: EncodingPart): Recognition | null {
  const encoding = findWaveFamily(code, scope);
  if (encoding === null) return null;
  return withRopeDetails(code, {
    recogniser: `structure/${outermostDefinition(scope).kind}`,
    encoding,
    part,
    scope,
    confidence: "automatic",
  });
}

function buildRecognition(scope: Scope, encoding: Recognition["encoding"], part: EncodingPart): Recognition {
  return { recogniser: `structure/${scope.kind}`, encoding, part, scope, confidence: "automatic" };
}
