import { callableOf, type Scope } from "../symbols/module.ts";
import { type Code, scopesAround, unitOf } from "./code.ts";
import { waveFamily } from "./family.ts";
import { snake } from "./names.ts";
import type { Recognition, Subject } from "./recogniser.ts";
import { byRole, completed } from "./structural.ts";

/** Classes that do more than one thing: an attention with its rotation inside is not itself an encoding. */
const LARGER =
  / (?:softmax|q_proj|k_proj|v_proj|to_q|to_qkv|qkv|wq|wk|c_attn|flash_attn\w*|lm_head|mlp|feed_forward|ffn|scaled_dot_product_attention|o_proj|out_proj|logits|loss|nsp|layer_norm_1) /;

const KERNELS = / (?:log|log1p|cumsum|matmul) /;
const ATTENDING = / (?:softmax|q_proj|k_proj|to_q|to_qkv|qkv|wq|c_attn|scaled_dot_product_attention|out_proj) /;

const LARGER_CLASS =
  /attention|attn|layer|block|model|encoder|decoder|transformer|stack|head|net$|module|trainer|config|dataset/;
const ENCODING_CLASS = /pos|rot|rope|alibi|bias|rel_|relative|sinus/;

/** What a function or class of this file is, by what it returns and computes. */
export function ofUnit(code: Code, scope: Scope): Recognition | null {
  return scope.kind === "class" ? ofClass(code, scope) : ofFunction(code, scope);
}

function ofFunction(code: Code, scope: Scope): Recognition | null {
  const returned = byRole(code, code.roles.returned(scope), scope);
  const methods =
    /^(?:__init__|forward|__call__|call|setup|build|reset_parameters|_init_weights|init_weights|extra_repr|main|train)$/.test(
      scope.name,
    );
  if (methods || /^(?:self_)?(?:attention|attn)$/.test(scope.name)) return null;
  if (returned !== null) return returned;
  if (code.has(scope, LARGER)) return null;
  const features = code.features(scope);
  if (features.rotates || features.layouts.length > 0) return waves(code, scope, "rotation");
  if (features.slopes !== null) return found(scope, "alibi", features.adds ? "bias" : "slopes");
  if (features.bucket !== null) return found(scope, features.bucket.signed ? "deberta" : "t5_bias", "buckets");
  if (features.frequencies.length > 0 && features.waves.size > 0)
    return waves(code, scope, features.table === null ? "cos and sin" : "table");
  return null;
}

function ofClass(code: Code, scope: Scope): Recognition | null {
  const name = snake(scope.name);
  const kernel = code.has(scope, KERNELS) && !code.has(scope, ATTENDING) ? code.features(scope).kernel : null;
  if (kernel !== null) return byRole(code, kernel, scope);
  if (code.has(scope, LARGER) || (LARGER_CLASS.test(name) && !ENCODING_CLASS.test(name))) return null;
  const features = code.features(scope);
  const own =
    features.frequencies.some(({ origin }) => scopesAround(origin.scope).includes(scope)) &&
    (ENCODING_CLASS.test(name) || scope.children.filter((child) => !child.name.startsWith("__")).length <= 4);
  const initial = callableOf(code.module, scope);
  if (own || features.rotates) return waves(code, scope, features.table === null ? "encoding" : "table");
  if (features.slopes !== null) return found(initial.parent ?? scope, "alibi", "bias");
  if (features.bucket !== null) return found(scope, features.bucket.signed ? "deberta" : "t5_bias", "buckets");
  return ofTables(code, scope, name);
}

/** Classes whose tables are looked up by positions or by clipped distances. */
function ofTables(code: Code, scope: Scope, name: string): Recognition | null {
  const features = code.features(scope);
  if (!code.has(scope, TABLES)) return null;
  if (/relative_?pos\w*(?:emb|enc)/.test(name)) return byRole(code, features.distance, scope);
  const plain = /pos(?:ition(?:al)?)?_?(?:emb|enc)/.test(name) && !/rel|rot|rope|sin/.test(name);
  return plain && features.waves.size === 0 && features.distance === null && code.has(scope, POSITION_TABLES)
    ? found(scope, "learned_absolute", "table")
    : null;
}

const TABLES = / (?:embedding|embed|parameter|add_weight|get_parameter|param|create_parameter) /;
const POSITION_TABLES = / (?:pe|w?pos\w*|row_embed\w*|col_embed\w*|embed_[xy]|[xy]_embed\w*) /;

function waves(code: Code, scope: Scope, subject: Subject): Recognition | null {
  const encoding = waveFamily(code, scope);
  if (encoding === null) return null;
  return completed(code, {
    recogniser: `structure/${unitOf(scope).kind}`,
    encoding,
    subject,
    scope,
    confidence: "automatic",
  });
}

function found(scope: Scope, encoding: Recognition["encoding"], subject: Subject): Recognition {
  return { recogniser: `structure/${scope.kind}`, encoding, subject, scope, confidence: "automatic" };
}
