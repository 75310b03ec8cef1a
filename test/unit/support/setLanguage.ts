import { expect } from "vitest";
import { currentLanguage, type Language } from "../../../src/core/l10n/l10n.ts";
import { stub } from "../stub/vscode.ts";
import { eventually } from "./eventually.ts";

/** Sets the language and waits until its texts are loaded. */
export async function setLanguage(language: Language): Promise<void> {
  stub.set("posenc.language", language);
  await eventually(() => expect(currentLanguage()).toBe(language));
}
