import { constantProductProfile } from "./linear.ts";
import type { Scene } from "./scene.ts";
import type { ProductTerm } from "./term.ts";

/**
 * ⟨q_i, k_j⟩ of one head without positions: the first term of the expansion.
 * @param scale 1/√head_dim in most models, 1 in T5
 */
export function buildContentTerm(scene: Scene, headDim: number, scale = 1 / Math.sqrt(headDim)): ProductTerm {
  const query = scene.content.rows("q", scene.head, headDim);
  const key = scene.content.rows("k", scene.head, headDim);
  return {
    kind: "product",
    id: "content",
    role: "content_content",
    name: { en: "content · content", zh: "内容 · 内容" },
    scale,
    query,
    key,
    ...(scene.content.constant ? { profile: constantProductProfile(query, key) } : {}),
  };
}
