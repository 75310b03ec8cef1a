import * as vscode from "vscode";
import type { Services } from "../../services.ts";

// Loaded at the first hover over a config: formulas and texts are nothing that a start should wait for.
const explaining = () => import("./explainKey.ts");

/** Explains the keys of model configs: what they mean, and what their numbers come to. */
export function register(services: Services): vscode.Disposable {
  return vscode.languages.registerHoverProvider([...services.configs.selector], {
    provideHover: async (document, position, token) => {
      if (services.settings.get("hover.sections") === "off") return undefined;
      if (!(await services.configs.isConfig(document))) return undefined;
      const { explainKey } = await explaining();
      return token.isCancellationRequested ? undefined : explainKey(services, document, position, token);
    },
  });
}
