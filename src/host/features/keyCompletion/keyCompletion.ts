import * as vscode from "vscode";
import type { Services } from "../../services.ts";

/** A model's config is a few kB; what is larger is not parsed at every key. */
const MAX_LENGTH = 2_000_000;

/** Keys, values and whole dictionaries of RoPE while a model's config is being typed. */
export function register({ configs }: Services): vscode.Disposable {
  const json = ["json", "jsonc"].map((language) => ({ language }));
  return vscode.languages.registerCompletionItemProvider(
    json,
    {
      provideCompletionItems: async (document, position, token) => {
        // Typing goes on while this waits; the question is about the text as it was.
        const asked = { text: document.getText(), offset: document.offsetAt(position), position };
        if (asked.text.length > MAX_LENGTH || !(await configs.isConfig(document)) || token.isCancellationRequested)
          return undefined;
        const { reading } = await configs.readDocument(document);
        const { completionItems } = await import("./completionItems.ts");
        return token.isCancellationRequested ? undefined : completionItems(asked, reading.specs);
      },
    },
    '"',
    ":",
  );
}
