import * as l10n from "@vscode/l10n";
import type * as vscode from "vscode";
import { readLinkQuery } from "../../../core/protocol/link.ts";
import { UserError } from "../../../core/util/errors.ts";
import type { Services } from "../../services.ts";

/** Links are untrusted: they pass the same guard as messages of the page, and open no files. */
export async function showLink(services: Services, { path, query }: vscode.Uri): Promise<void> {
  const state = path === "/show" ? readLinkQuery(query) : undefined;
  if (state === undefined) {
    throw new UserError(
      l10n.t("This link cannot be opened: it is incomplete, was modified, or needs a newer version of Posenc."),
    );
  }
  await services.panels.show({ state, preserveFocus: false, replaceState: true });
}
