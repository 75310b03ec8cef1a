import * as l10n from "@vscode/l10n";
import { localize } from "../../l10n/l10n.ts";
import type { Params } from "../../spec.ts";
import { UserError } from "../../util/errors.ts";
import type { Encoding } from "../encoding.ts";

/** Why a position cannot be drawn, in the current language; undefined if it can. */
export function explainOutsideDomain(encoding: Encoding, params: Params, position: number): string | undefined {
  const domain = encoding.domain(params);
  if (domain.kind !== "table" || (position >= 0 && position < domain.size)) return undefined;
  return l10n.t(
    "position {0} does not exist: {1} ends at {2}. {3}",
    position,
    localize(encoding.name),
    domain.size - 1,
    localize(domain.reason),
  );
}

/** @throws UserError at the first position outside the encoding's domain */
export function requireInDomain(encoding: Encoding, params: Params, indices: readonly number[], shift: number): void {
  for (const index of indices) {
    const reason = explainOutsideDomain(encoding, params, index + shift);
    if (reason !== undefined) throw new UserError(reason);
  }
}
