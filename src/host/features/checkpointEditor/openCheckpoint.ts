import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { UserError } from "../../../core/util/errors.ts";
import { CHECKPOINT_EDITOR } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { modelFileKind } from "../../stores/modelFiles.ts";

/** Opens a checkpoint in the editor that shows its header, from the explorer's menu. */
export async function openCheckpoint(_: Services, target: unknown): Promise<void> {
  if (!(target instanceof vscode.Uri) || modelFileKind(target) !== "checkpoint")
    throw new UserError(l10n.t("Not a .gguf or .safetensors file."));
  await vscode.commands.executeCommand("vscode.openWith", target, CHECKPOINT_EDITOR);
}
