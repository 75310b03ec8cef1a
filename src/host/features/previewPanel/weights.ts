import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { learnedArrays, readArrays } from "../../../core/checkpoint/learnedArrays.ts";
import { readSafetensors } from "../../../core/checkpoint/safetensors.ts";
import type { ViewRequests } from "../../../core/protocol/messages.ts";
import { UserError } from "../../../core/util/errors.ts";
import { withFile } from "../../platform/openFile.ts";

type Pick = ViewRequests["pickWeights"];
type Read = ViewRequests["readWeights"];

/** More than this is no list to choose from. */
const MOST = 1000;

/** Lets the user choose a checkpoint of the workspace, and the tensor in it where several fit. */
export async function pickWeights({ encoding, params }: Pick["argument"]): Promise<Pick["answer"]> {
  const title = t("Load learned values from checkpoint");
  const found = await vscode.workspace.findFiles("**/*.safetensors", "**/node_modules/**", MOST);
  if (found.length === 0) throw new UserError(t("No .safetensors file found in the workspace."));
  const files = found
    .map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const file = await vscode.window.showQuickPick(files, { title, placeHolder: t("Select a file") });
  if (file === undefined) return { picked: null };
  const arrays = await withFile(file.uri, async (reader) =>
    learnedArrays(encoding, params, (await readSafetensors(reader)).tensors),
  );
  if (arrays.length === 0) throw new UserError(t("{0} has no table for this encoding.", file.label));
  const items = arrays.map((array) => ({
    label: array.tensor.name,
    description: array.tensor.shape.join(" × "),
    array,
  }));
  const [first] = items;
  const chosen =
    items.length === 1 ? first : await vscode.window.showQuickPick(items, { title, placeHolder: t("Select a tensor") });
  if (chosen === undefined) return { picked: null };
  return { picked: { uri: file.uri.toString(), tensor: chosen.array.tensor.name, params: { ...chosen.array.params } } };
}

/** A page names no file that the workspace does not have: a state may come from anywhere. */
export function checkpointOf(uri: string, kind = /\.safetensors$/i): vscode.Uri {
  const file = vscode.Uri.parse(uri);
  const inside = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  if (!inside || !kind.test(file.path)) throw new UserError(t("Not a checkpoint in this workspace."));
  return file;
}

/** The numbers of the tensor that was chosen, read in pieces with progress in the status bar. */
export async function readWeights({ encoding, uri, tensor, params }: Read["argument"]): Promise<Read["answer"]> {
  const file = checkpointOf(uri);
  const title = vscode.workspace.asRelativePath(file);
  const location = vscode.ProgressLocation.Window;
  return vscode.window.withProgress({ location, title: t("Reading {0}", title) }, (progress) =>
    withFile(file, async (reader) => {
      const { tensors } = await readSafetensors(reader);
      const array = learnedArrays(encoding, params, tensors).find((candidate) => candidate.tensor.name === tensor);
      if (array === undefined) throw new UserError(t("{0} has no table for this encoding.", title));
      const percent = (fraction: number) => progress.report({ message: `${Math.floor(fraction * 100)} %` });
      const arrays = await readArrays(reader, array, percent);
      return { title: `${title}: ${tensor}`, arrays: arrays.map((own) => ({ ...own, shape: [...own.shape] })) };
    }),
  );
}
