import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { buildLinkQuery } from "../../../core/protocol/link.ts";
import type { BoundConfig, ViewRequests } from "../../../core/protocol/messages.ts";
import { EXTENSION_ID } from "../../ids.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import type { Services } from "../../services.ts";
import { toConfigFindings } from "./configFindings.ts";

type CopyText = ViewRequests["copyText"];
type ShareLink = ViewRequests["shareLink"];

/** Uses VS Code's clipboard, which is the local one even if the extension runs remotely. */
export async function copyText({ text }: CopyText["argument"]): Promise<CopyText["answer"]> {
  await vscode.env.clipboard.writeText(text);
  return {};
}

/** A link that opens the same VS Code product with the panel's state. */
export function shareLink({ state }: ShareLink["argument"]): ShareLink["answer"] {
  return { link: `${vscode.env.uriScheme}://${EXTENSION_ID}/show?${buildLinkQuery(state)}` };
}

/** Asks which config of the workspace to compare with, and reads it. */
export async function pickBoundConfig(services: Services): Promise<{ config: BoundConfig | null }> {
  const uri = await pickConfig(l10n.t("Compare with Config"), l10n.t("Select a model"));
  if (uri === undefined) return { config: null };
  const { reading, version } = await services.configs.read(uri);
  const title = configTitle(uri);
  if (reading.specs.length === 0) throw new Error(l10n.t("No position encoding found in {0}.", title));
  const findings = toConfigFindings(await services.rules.applySeverities(uri, reading.problems));
  return { config: { uri: uri.toString(), title, version, specs: [...reading.specs], ...findings } };
}
