import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { UserError } from "../../../core/util/errors.ts";
import { CHECKPOINT_EDITOR } from "../../ids.ts";
import type { Services } from "../../services.ts";
import { kindOf } from "../../stores/modelFiles.ts";

/** Opens weights in the editor that shows what their head says of positions: the explorer's menu. */
export async function openCheckpoint(_: Services, given: unknown): Promise<void> {
  if (!(given instanceof vscode.Uri) || kindOf(given) !== "checkpoint")
    throw new UserError(t("Not a .gguf or .safetensors file."));
  await vscode.commands.executeCommand("vscode.openWith", given, CHECKPOINT_EDITOR);
}
