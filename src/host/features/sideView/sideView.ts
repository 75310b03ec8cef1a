import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { SIDE_VIEW } from "../../ids.ts";
import type { Services } from "../../services.ts";
import type { SideSession } from "./sideSession.ts";

/** The This File view: position encodings of the active editor's file. Nothing is loaded until it is first shown. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  let session: SideSession | undefined;
  let planRequested = false;
  owned.add(
    services.planRequests.event(() => {
      planRequested = session === undefined;
      session?.plan();
    }),
  );
  owned.add({ dispose: () => session?.dispose() });
  owned.add(
    vscode.window.registerWebviewViewProvider(SIDE_VIEW, {
      resolveWebviewView: async (view) => {
        const { SideSession } = await import("./sideSession.ts");
        // VS Code shows one instance of a view; a new one replaces the previous one.
        session?.dispose();
        if (owned.isDisposed) return;
        session = new SideSession(services, view);
        if (planRequested) session.plan();
        planRequested = false;
      },
    }),
  );
  return owned;
}
