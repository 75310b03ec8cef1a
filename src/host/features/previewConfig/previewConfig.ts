import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { readParams } from "../../../core/protocol/guards.ts";
import { initialPanelState, type PanelState } from "../../../core/protocol/state.ts";
import type { Params } from "../../../core/spec.ts";
import { UserError } from "../../../core/util/errors.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { describeReading } from "../../platform/describeReading.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import type { Services } from "../../services.ts";
import type { ReadDocument } from "../../stores/configStore.ts";
import { activeConfig } from "./activeConfig.ts";

/**
 * Opens the panel on a config: the one given by a menu or a lens, else the active editor's, else one that the
 * user picks. `index` says which of its encodings; `planned` are values to see beside those of the file.
 */
export async function previewConfig(
  services: Services,
  given: unknown,
  index: unknown,
  planned: unknown,
): Promise<void> {
  const uri =
    uriOf(given) ?? (await activeConfig(services)) ?? (await pickConfig(t("Preview from Config"), t("Select a model")));
  if (uri === undefined) return;
  const read = await services.configs.read(uri);
  const state = stateOf(read, typeof index === "number" ? index : 0, readParams(planned));
  if (state === undefined) {
    const nothing = t("No position encoding found in {0}.", configTitle(uri));
    const problems = await services.rules.of(uri, read.reading.problems);
    throw new UserError(describeReading(uri, { ...read.reading, problems }) ?? nothing);
  }
  await services.panels.show({ state, preserveFocus: true });
}

/** Menus of the explorer and lenses give a file; those of a tree the node that stands for it; links an open document. */
function uriOf(given: unknown): vscode.Uri | undefined {
  if (typeof given === "string") return openUri(given);
  const named = typeof given === "object" && given !== null && "uri" in given ? given.uri : given;
  return named instanceof vscode.Uri ? named : undefined;
}

/** A link opens nothing that is not open, or beside what is: the config of the weights that are shown. */
function openUri(name: string): vscode.Uri | undefined {
  const documents = vscode.workspace.textDocuments.map(({ uri }) => uri);
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputCustom ? [input.uri] : [])),
  );
  const beside = tabs.map((uri) => vscode.Uri.joinPath(uri, "..", "config.json"));
  return [...documents, ...tabs, ...beside].find((uri) => uri.toString() === name);
}

function stateOf({ uri, reading }: ReadDocument, index: number, planned: Params | undefined): PanelState | undefined {
  const at = index in reading.specs ? index : 0;
  const spec = reading.specs[at];
  if (spec === undefined) return undefined;
  const { sliding_window: window } = spec.params;
  const config = { uri: uri.toString(), index: at };
  const state: PanelState = {
    ...initialPanelState(spec.encoding),
    config,
    window: typeof window === "number" && Number.isInteger(window) && window > 0 ? window : null,
  };
  if (planned === undefined) return state;
  const compare = { encoding: spec.encoding, config, given: null, changes: {} };
  return { ...state, changes: { ...planned }, compare, view: "frequencies" };
}
