import type { Mask } from "../../terms/term.ts";
import { pythonFloat } from "./python.ts";
import type { CodeExportRequest } from "./request.ts";

/** Lines that remove masked keys from `visible` [queries][keys], using `own` and `key`. */
export function visibleLines({ causal, window, chunk, keepFirst, padding, documents }: Mask): string[] {
  const parts: string[] = [];
  if (causal === true) parts.push("visible = visible & (key <= own)");
  if (window !== undefined) {
    parts.push(
      causal === true
        ? `visible = visible & (key > own - ${window})  # a window of ${window} keys, with the query itself`
        : `visible = visible & (np.abs(key - own) <= ${window})  # ${window} keys on either side`,
    );
  }
  if (chunk !== undefined) parts.push(`visible = visible & (key // ${chunk} == own // ${chunk})  # the same chunk`);
  if (keepFirst !== undefined)
    parts.push(`visible = visible | ((key < ${keepFirst}) & (key < own))  # the first tokens stay visible`);
  if (padding !== undefined) parts.push(`visible = visible & (key >= ${padding})  # padding is hidden`);
  if (documents !== undefined) {
    parts.push("visible = visible & (document(key) == document(own))  # the same document");
  }
  return parts;
}

/** Lines that apply the mask; empty if every query sees all keys. */
export function maskLines(mask: Mask): string[] {
  const parts = visibleLines(mask);
  if (parts.length === 0) return [];
  return [
    "",
    "# Mask: which keys a query sees, by index",
    "own, key = own[:, None], j[None, :]",
    "visible = (own >= 0) & (key >= 0)",
    ...parts,
    "scores = np.where(visible, scores, -math.inf)",
  ];
}

/** Softmax of each row; a sink joins the sum and is dropped. */
export function softmaxLines({ attention }: CodeExportRequest): string[] {
  const sink = attention.extraLogit;
  const lines = ["", "# Softmax over all keys", "top = np.amax(scores, axis=-1, keepdims=True)"];
  if (sink === undefined && attention.mask.padding !== undefined) {
    return [
      ...lines,
      "weights = np.exp(scores - np.clip(top, -1e300, None))",
      "total = weights.sum(axis=-1, keepdims=True)",
      "weights = weights / np.where(total > 0, total, 1.0)  # rows of padding are 0",
    ];
  }
  if (sink === undefined) {
    return [...lines, "weights = np.exp(scores - top)", "weights = weights / weights.sum(axis=-1, keepdims=True)"];
  }
  const value = pythonFloat(sink);
  return [
    ...lines,
    `top = np.clip(top, ${value}, None)  # the sink joins the sum and is dropped`,
    "weights = np.exp(scores - top)",
    `weights = weights / (weights.sum(axis=-1, keepdims=True) + np.exp(${value} - top))`,
  ];
}
