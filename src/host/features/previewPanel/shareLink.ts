import * as vscode from "vscode";
import { buildLinkQuery } from "../../../core/protocol/link.ts";
import type { ViewRequests } from "../../../core/protocol/messages.ts";
import { EXTENSION_ID } from "../../ids.ts";

type ShareLink = ViewRequests["shareLink"];

/** A link that opens the same VS Code product with the panel's state. */
export function shareLink({ state }: ShareLink["argument"]): ShareLink["answer"] {
  return { link: `${vscode.env.uriScheme}://${EXTENSION_ID}/show?${buildLinkQuery(state)}` };
}
