import { t } from "@vscode/l10n";
import type * as vscode from "vscode";
import { readLinkQuery } from "../../../core/protocol/link.ts";
import { UserError } from "../../../core/util/errors.ts";
import type { Services } from "../../services.ts";

/** Anybody can write a link: what it says passes the guard of the page's own messages, and it opens no file. */
export async function showLink(services: Services, { path, query }: vscode.Uri): Promise<void> {
  const state = path === "/show" ? readLinkQuery(query) : undefined;
  if (state === undefined) {
    throw new UserError(
      t("This link cannot be opened: it is incomplete, was modified, or needs a newer version of Posenc."),
    );
  }
  await services.panels.show({ state, preserveFocus: false, exactly: true });
}
