import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { findLearnedArrays, readLearnedArrays } from "../../../core/checkpoint/learnedArrays.ts";
import { readSafetensorsHeader } from "../../../core/checkpoint/safetensors.ts";
import type { ViewRequests } from "../../../core/protocol/messages.ts";
import { UserError } from "../../../core/util/errors.ts";
import { withFile } from "../../platform/openFile.ts";
import { showPick, withStatusProgress } from "../../platform/show.ts";

type PickWeights = ViewRequests["pickWeights"];
type ReadWeights = ViewRequests["readWeights"];

/** A longer list is not usable. */
const MAX_LISTED_FILES = 1000;

/** Lets the user choose a checkpoint of the workspace, and a tensor if several fit. */
export async function pickWeights({ encoding, params }: PickWeights["argument"]): Promise<PickWeights["answer"]> {
  const title = l10n.t("Load learned values from checkpoint");
  const uris = await vscode.workspace.findFiles("**/*.safetensors", "**/node_modules/**", MAX_LISTED_FILES);
  if (uris.length === 0) throw new UserError(l10n.t("No .safetensors file found in the workspace."));
  const files = uris
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const file = await showPick(files, { title, placeHolder: l10n.t("Select a file") });
  if (file === undefined) return { picked: null };
  const arrays = await withFile(file.uri, async (reader) =>
    findLearnedArrays(encoding, params, (await readSafetensorsHeader(reader)).tensors),
  );
  if (arrays.length === 0) throw new UserError(l10n.t("{0} has no table for this encoding.", file.label));
  const items = arrays.map((array) => ({
    label: array.tensor.name,
    description: array.tensor.shape.join(" × "),
    array,
  }));
  const [first] = items;
  const chosen = items.length === 1 ? first : await showPick(items, { title, placeHolder: l10n.t("Select a tensor") });
  if (chosen === undefined) return { picked: null };
  return { picked: { uri: file.uri.toString(), tensor: chosen.array.tensor.name, params: { ...chosen.array.params } } };
}

/** Accepts only files of the workspace, because a state may come from anywhere. */
export function requireCheckpoint(uri: string, pattern = /\.safetensors$/i): vscode.Uri {
  const file = vscode.Uri.parse(uri);
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  if (!isInWorkspace || !pattern.test(file.path)) throw new UserError(l10n.t("Not a checkpoint in this workspace."));
  return file;
}

/** The values of the chosen tensor, read in chunks with progress in the status bar. */
export async function readWeights({
  encoding,
  uri,
  tensor,
  params,
}: ReadWeights["argument"]): Promise<ReadWeights["answer"]> {
  const file = requireCheckpoint(uri);
  const title = vscode.workspace.asRelativePath(file);
  return withStatusProgress(l10n.t("Reading {0}", title), (progress) =>
    withFile(file, async (reader) => {
      const { tensors } = await readSafetensorsHeader(reader);
      const array = findLearnedArrays(encoding, params, tensors).find((candidate) => candidate.tensor.name === tensor);
      if (array === undefined) throw new UserError(l10n.t("{0} has no table for this encoding.", title));
      const percent = (fraction: number) => progress.report({ message: `${Math.floor(fraction * 100)} %` });
      const arrays = await readLearnedArrays(reader, array, percent);
      return { title: `${title}: ${tensor}`, arrays: arrays.map((own) => ({ ...own, shape: [...own.shape] })) };
    }),
  );
}
