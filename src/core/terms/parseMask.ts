import { t } from "@vscode/l10n";
import { UserError } from "../problem.ts";
import type { Mask } from "./term.ts";

/** `none`, `causal`, `window:N` (causal), `chunk:N` (causal). */
export function parseMask(text: string): Mask {
  if (text === "none") return {};
  if (text === "causal") return { causal: true };
  const [, kind, size] = /^(window|chunk):([1-9]\d*)$/.exec(text) ?? [];
  if (kind === "window") return { causal: true, window: Number(size) };
  if (kind === "chunk") return { causal: true, chunk: Number(size) };
  throw new UserError(t("there is no mask {0}; known: none, causal, window:N, chunk:N", text));
}
