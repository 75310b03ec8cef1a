import * as vscode from "vscode";
import { linkQuery } from "../../../core/protocol/link.ts";
import type { ViewRequests } from "../../../core/protocol/messages.ts";
import { EXTENSION_ID } from "../../ids.ts";

type Share = ViewRequests["shareLink"];

/** A link that opens this kind of editor with the panel as it is. */
export function shareLink({ state }: Share["argument"]): Share["answer"] {
  return { link: `${vscode.env.uriScheme}://${EXTENSION_ID}/show?${linkQuery(state)}` };
}
