import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { SIDE_VIEW } from "../../ids.ts";
import type { Services } from "../../services.ts";
import type { SideSession } from "./sideSession.ts";

/** What the active editor's file says of positions, beside the trees. Nothing is loaded until it is first looked at. */
export function register(services: Services): vscode.Disposable {
  const owned = new DisposableStore();
  let session: SideSession | undefined;
  let planAsked = false;
  owned.add(
    services.planning.event(() => {
      planAsked = session === undefined;
      session?.plan();
    }),
  );
  owned.add({ dispose: () => session?.dispose() });
  owned.add(
    vscode.window.registerWebviewViewProvider(SIDE_VIEW, {
      resolveWebviewView: async (view) => {
        const { SideSession } = await import("./sideSession.ts");
        // VS Code has one view of a kind; one that is made anew follows one that was let go.
        session?.dispose();
        if (owned.isDisposed) return;
        session = new SideSession(services, view);
        if (planAsked) session.plan();
        planAsked = false;
      },
    }),
  );
  return owned;
}
