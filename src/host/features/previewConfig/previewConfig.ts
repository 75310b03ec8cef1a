import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { readParams } from "../../../core/protocol/guards.ts";
import { initialPanelState, type PanelState } from "../../../core/protocol/state.ts";
import type { Params } from "../../../core/spec.ts";
import { UserError } from "../../../core/util/errors.ts";
import { describeFirstError } from "../../platform/configDiagnostics.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import type { Services } from "../../services.ts";
import type { DocumentReading } from "../../stores/configStore.ts";
import { activeConfig } from "./activeConfig.ts";

/**
 * Opens the panel on a config: the one that a menu or lens passes; else the active editor's; else one that the user
 * picks.
 * @param index which of its encodings
 * @param planned values to compare with those of the file
 */
export async function previewConfig(
  services: Services,
  target: unknown,
  index: unknown,
  planned: unknown,
): Promise<void> {
  const uri =
    uriFromArgument(target) ??
    (await activeConfig(services)) ??
    (await pickConfig(l10n.t("Preview from Config"), l10n.t("Select a model")));
  if (uri === undefined) return;
  const read = await services.configs.read(uri);
  const state = buildPanelState(read, typeof index === "number" ? index : 0, readParams(planned));
  if (state === undefined) {
    const noEncodingMessage = l10n.t("No position encoding found in {0}.", configTitle(uri));
    const problems = await services.rules.applySeverities(uri, read.reading.problems);
    throw new UserError(describeFirstError(uri, { ...read.reading, problems }) ?? noEncodingMessage);
  }
  await services.panels.show({ state, preserveFocus: true });
}

/** The explorer and lenses pass a URI, trees pass a node, links pass the URI of an open document as a string. */
function uriFromArgument(target: unknown): vscode.Uri | undefined {
  if (typeof target === "string") return findOpenUri(target);
  const named = typeof target === "object" && target !== null && "uri" in target ? target.uri : target;
  return named instanceof vscode.Uri ? named : undefined;
}

/** Links can only name open documents, open checkpoints, and the `config.json` beside an open checkpoint. */
function findOpenUri(name: string): vscode.Uri | undefined {
  const documents = vscode.workspace.textDocuments.map(({ uri }) => uri);
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputCustom ? [input.uri] : [])),
  );
  const siblingConfigs = tabs.map((uri) => vscode.Uri.joinPath(uri, "..", "config.json"));
  return [...documents, ...tabs, ...siblingConfigs].find((uri) => uri.toString() === name);
}

function buildPanelState(
  { uri, reading }: DocumentReading,
  index: number,
  planned: Params | undefined,
): PanelState | undefined {
  const validIndex = index in reading.specs ? index : 0;
  const spec = reading.specs[validIndex];
  if (spec === undefined) return undefined;
  const { sliding_window: window } = spec.params;
  const config = { uri: uri.toString(), index: validIndex };
  const state: PanelState = {
    ...initialPanelState(spec.encoding),
    config,
    window: typeof window === "number" && Number.isInteger(window) && window > 0 ? window : null,
  };
  if (planned === undefined) return state;
  const compare = { encoding: spec.encoding, config, given: null, changes: {} };
  return { ...state, changes: { ...planned }, compare, view: "frequencies" };
}
