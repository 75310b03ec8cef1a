import * as l10n from "@vscode/l10n";
import { UserError } from "../util/errors.ts";
import type { Mask } from "./term.ts";

/** `none`, `causal`, `window:N` (causal; `window:N:S` keeps the first S tokens visible), `chunk:N` (causal). */
export function parseMask(text: string): Mask {
  if (text === "none") return {};
  if (text === "causal") return { causal: true };
  const [, window, keepFirst] = /^window:([1-9]\d*)(?::([1-9]\d*))?$/.exec(text) ?? [];
  if (window !== undefined) {
    return {
      causal: true,
      window: Number(window),
      ...(keepFirst === undefined ? {} : { keepFirst: Number(keepFirst) }),
    };
  }
  const [, chunk] = /^chunk:([1-9]\d*)$/.exec(text) ?? [];
  if (chunk !== undefined) return { causal: true, chunk: Number(chunk) };
  throw new UserError(l10n.t("unknown mask {0}; known: none, causal, window:N, window:N:S, chunk:N", text));
}
