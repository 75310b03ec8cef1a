import * as vscode from "vscode";
import type { Services } from "../../services.ts";

// Loaded at the first hover, to keep formulas and texts out of activation.
const loadProvider = () => import("./provideKeyHover.ts");

/** Explains the keys of model configs on hover: their meaning, and what follows from their values. */
export function register(services: Services): vscode.Disposable {
  return vscode.languages.registerHoverProvider([...services.configs.selector], {
    provideHover: async (document, position, token) => {
      if (services.settings.get("hover.sections") === "off") return undefined;
      if (!(await services.configs.isConfig(document))) return undefined;
      const { provideKeyHover } = await loadProvider();
      return token.isCancellationRequested ? undefined : provideKeyHover(services, document, position, token);
    },
  });
}
