import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { counterpart } from "../../../core/config/compare/counterpart.ts";
import { initialPanelState } from "../../../core/protocol/state.ts";
import type { EncodingSpec } from "../../../core/spec.ts";
import { UserError } from "../../../core/util/errors.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { describeReading } from "../../platform/describeReading.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import type { Services } from "../../services.ts";
import { lastCommitOf } from "./lastCommit.ts";

/** Two configs side by side: those selected in the explorer, else the given one and one that the user picks. */
export async function compareConfigs(services: Services, given: unknown, selected: unknown): Promise<void> {
  const several = Array.isArray(selected) ? selected.filter((uri) => uri instanceof vscode.Uri) : [];
  if (several.length > 2) throw new UserError(t("Select two configs to compare, not {0}.", several.length));
  const a = several[0] ?? (await firstSide(services, given));
  if (a === undefined) return;
  const b = several[1] ?? (await pickConfig(t("Compare {0}", configTitle(a)), t("Select a model")));
  if (b !== undefined) await compare(services, a, b);
}

/** A config as it is now against what the last commit has. */
export async function compareWithCommit(services: Services, given: unknown): Promise<void> {
  const a = await firstSide(services, given);
  if (a !== undefined) await compare(services, a, await lastCommitOf(a));
}

/** A config against one that was copied: from a model's page, from a chat. */
export async function compareWithClipboard(services: Services, given: unknown): Promise<void> {
  const a = await firstSide(services, given);
  if (a === undefined) return;
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === "") throw new UserError(t("The clipboard is empty: copy a config first."));
  await compare(services, a, services.clipboard.keep(text));
}

/** A config against one that is only an unsaved document yet; followed as it is typed. */
export async function compareWithUntitled(services: Services, given: unknown): Promise<void> {
  const a = await firstSide(services, given);
  if (a === undefined) return;
  const items = await untitledConfigs(services);
  if (items.length === 0) throw new UserError(t("No untitled document contains a model config."));
  const [only] = items;
  const title = t("Compare {0}", configTitle(a));
  const picked = items.length === 1 ? only : await vscode.window.showQuickPick(items, { title });
  if (picked !== undefined) await compare(services, a, picked.uri);
}

async function untitledConfigs({ configs }: Services): Promise<{ label: string; uri: vscode.Uri }[]> {
  const untitled = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "untitled");
  const specs = await Promise.all(
    untitled.map(async (document) => (await configs.readDocument(document)).reading.specs),
  );
  return untitled.flatMap(({ uri }, n) => ((specs[n]?.length ?? 0) === 0 ? [] : [{ label: configTitle(uri), uri }]));
}

/** The file of a menu, or that of the tree's node that it was opened on; else the active editor's config, else one that the user picks. */
async function firstSide({ configs }: Services, given: unknown): Promise<vscode.Uri | undefined> {
  const named = typeof given === "object" && given !== null && "uri" in given ? given.uri : given;
  if (named instanceof vscode.Uri) return named;
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && (await configs.isConfig(document))) return document.uri;
  return pickConfig(t("Compare Position Encodings"), t("Select a model"));
}

async function compare(services: Services, a: vscode.Uri, b: vscode.Uri): Promise<void> {
  const [own, other] = await Promise.all([specsOf(services, a), specsOf(services, b)]);
  const [spec] = own;
  if (spec === undefined) return;
  const index = counterpart(spec, other);
  const encoding = other[index]?.encoding ?? spec.encoding;
  const state = {
    ...initialPanelState(spec.encoding),
    config: { uri: a.toString(), index: 0 },
    compare: { encoding, config: { uri: b.toString(), index }, given: null, changes: {} },
  };
  await services.panels.show({ state, preserveFocus: false });
}

/** @throws UserError for a file that names no position encoding */
async function specsOf({ configs }: Services, uri: vscode.Uri): Promise<readonly EncodingSpec[]> {
  const { reading } = await configs.read(uri);
  if (reading.specs.length > 0) return reading.specs;
  throw new UserError(describeReading(uri, reading) ?? t("No position encoding found in {0}.", configTitle(uri)));
}
