import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { findCounterpart } from "../../../core/config/compare/counterpart.ts";
import { initialPanelState } from "../../../core/protocol/state.ts";
import type { EncodingSpec } from "../../../core/spec.ts";
import { UserError } from "../../../core/util/errors.ts";
import { describeFirstError } from "../../platform/configDiagnostics.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import { showPick } from "../../platform/show.ts";
import type { Services } from "../../services.ts";
import { lastCommitUri } from "./lastCommit.ts";

/** Compares two configs: those selected in the explorer, or the given one with one that the user picks. */
export async function compareConfigs(services: Services, target: unknown, selected: unknown): Promise<void> {
  const selectedUris = Array.isArray(selected) ? selected.filter((uri) => uri instanceof vscode.Uri) : [];
  if (selectedUris.length > 2)
    throw new UserError(l10n.t("Select two configs to compare, not {0}.", selectedUris.length));
  const a = selectedUris[0] ?? (await resolveFirstConfig(services, target));
  if (a === undefined) return;
  const b = selectedUris[1] ?? (await pickConfig(l10n.t("Compare {0}", configTitle(a)), l10n.t("Select a model")));
  if (b !== undefined) await showComparison(services, a, b);
}

/** Compares a config with its last committed version. */
export async function compareWithCommit(services: Services, target: unknown): Promise<void> {
  const a = await resolveFirstConfig(services, target);
  if (a !== undefined) await showComparison(services, a, await lastCommitUri(a));
}

/** Compares a config with the clipboard, for configs copied from a model page or a chat. */
export async function compareWithClipboard(services: Services, target: unknown): Promise<void> {
  const a = await resolveFirstConfig(services, target);
  if (a === undefined) return;
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === "") throw new UserError(l10n.t("The clipboard is empty: copy a config first."));
  await showComparison(services, a, services.clipboard.store(text));
}

/** Compares a config with an untitled document, which is followed as it is typed. */
export async function compareWithUntitled(services: Services, target: unknown): Promise<void> {
  const a = await resolveFirstConfig(services, target);
  if (a === undefined) return;
  const items = await untitledConfigs(services);
  if (items.length === 0) throw new UserError(l10n.t("No untitled document contains a model config."));
  const [only] = items;
  const title = l10n.t("Compare {0}", configTitle(a));
  const picked = items.length === 1 ? only : await showPick(items, { title });
  if (picked !== undefined) await showComparison(services, a, picked.uri);
}

async function untitledConfigs({ configs }: Services): Promise<{ label: string; uri: vscode.Uri }[]> {
  const untitled = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "untitled");
  const specs = await Promise.all(
    untitled.map(async (document) => (await configs.readDocument(document)).reading.specs),
  );
  return untitled.flatMap(({ uri }, n) => ((specs[n]?.length ?? 0) === 0 ? [] : [{ label: configTitle(uri), uri }]));
}

/** The file or tree node that a menu passes; else the active editor's config; else one that the user picks. */
async function resolveFirstConfig({ configs }: Services, target: unknown): Promise<vscode.Uri | undefined> {
  const named = typeof target === "object" && target !== null && "uri" in target ? target.uri : target;
  if (named instanceof vscode.Uri) return named;
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined && (await configs.isConfig(document))) return document.uri;
  return pickConfig(l10n.t("Compare Position Encodings"), l10n.t("Select a model"));
}

async function showComparison(services: Services, a: vscode.Uri, b: vscode.Uri): Promise<void> {
  const [specs, otherSpecs] = await Promise.all([readSpecs(services, a), readSpecs(services, b)]);
  const [spec] = specs;
  if (spec === undefined) return;
  const index = findCounterpart(spec, otherSpecs);
  const encoding = otherSpecs[index]?.encoding ?? spec.encoding;
  const state = {
    ...initialPanelState(spec.encoding),
    config: { uri: a.toString(), index: 0 },
    compare: { encoding, config: { uri: b.toString(), index }, given: null, changes: {} },
  };
  await services.panels.show({ state, preserveFocus: false });
}

/** @throws UserError for a file without a position encoding */
async function readSpecs({ configs }: Services, uri: vscode.Uri): Promise<readonly EncodingSpec[]> {
  const { reading } = await configs.read(uri);
  if (reading.specs.length > 0) return reading.specs;
  throw new UserError(
    describeFirstError(uri, reading) ?? l10n.t("No position encoding found in {0}.", configTitle(uri)),
  );
}
