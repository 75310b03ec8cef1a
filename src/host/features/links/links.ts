import * as vscode from "vscode";
import { reportFailure } from "../../platform/reportFailure.ts";
import type { Services } from "../../services.ts";

/** Links that show a panel: `vscode://posenc.posenc/show?state=…`. */
export function register(services: Services): vscode.Disposable {
  return vscode.window.registerUriHandler({
    handleUri: async (uri) => {
      try {
        await (await import("./showLink.ts")).showLink(services, uri);
      } catch (error) {
        reportFailure(services.log, "link", error);
      }
    },
  });
}
