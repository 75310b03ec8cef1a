import * as vscode from "vscode";
import { DisposableStore } from "../../../core/util/disposable.ts";
import type { Services } from "../../services.ts";

/** A model's config is a few kB; what is larger is not parsed at every key. */
const MAX_LENGTH = 2_000_000;

/** Keys, values and whole dictionaries of RoPE while a model's config is being typed. */
export function register({ configs }: Services): vscode.Disposable {
  const owned = new DisposableStore();
  const provider: vscode.CompletionItemProvider = {
    provideCompletionItems: async (document, position, token) => {
      // Typing goes on while this waits; the question is about the text as it was.
      const asked = { text: document.getText(), offset: document.offsetAt(position), position };
      if (asked.text.length > MAX_LENGTH || !(await configs.isConfig(document)) || token.isCancellationRequested)
        return undefined;
      const isYaml = document.languageId === "yaml";
      const specs = isYaml ? null : (await configs.readDocument(document)).reading.specs;
      const { completionItems } = await import("./completionItems.ts");
      return token.isCancellationRequested ? undefined : completionItems(asked, specs);
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
