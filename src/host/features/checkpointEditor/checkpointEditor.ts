import * as vscode from "vscode";
import { CHECKPOINT_EDITOR } from "../../ids.ts";
import type { Services } from "../../services.ts";

/** The read-only editor of `.gguf` and `.safetensors` files. Nothing is read until it opens. */
export function register(services: Services): vscode.Disposable {
  return vscode.window.registerCustomEditorProvider(
    CHECKPOINT_EDITOR,
    {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: async ({ uri }, panel) => {
        const { CheckpointPage } = await import("./checkpointPage.ts");
        new CheckpointPage(services, uri, panel);
      },
    },
    { supportsMultipleEditorsPerDocument: true },
  );
}
