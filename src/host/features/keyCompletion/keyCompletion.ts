import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import type { Services } from "../../services.ts";

/** A model's config is a few kB; larger files are not parsed at every keystroke. */
const MAX_TEXT_LENGTH = 2_000_000;

/** Completes keys, values and whole RoPE dictionaries in model configs. */
export function register({ configs }: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const provider: vscode.CompletionItemProvider = {
    provideCompletionItems: async (document, position, token) => {
      // Taken before the first await: the document may change while this waits.
      const request = { text: document.getText(), offset: document.offsetAt(position), position };
      if (request.text.length > MAX_TEXT_LENGTH || !(await configs.isConfig(document)) || token.isCancellationRequested)
        return undefined;
      const isYaml = document.languageId === "yaml";
      const specs = isYaml ? null : (await configs.readDocument(document)).reading.specs;
      const { createCompletionItems } = await import("./completionItems.ts");
      return token.isCancellationRequested ? undefined : createCompletionItems(request, specs);
    },
  };
  const register = (languages: readonly string[], ...triggers: string[]) => {
    const selector = languages.map((language) => ({ language }));
    owned.add(vscode.languages.registerCompletionItemProvider(selector, provider, ...triggers));
  };
  register(["json", "jsonc"], '"', ":");
  register(["yaml"], " ");
  return owned;
}
