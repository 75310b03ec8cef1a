import { stub } from "./control.ts";

export const env = {
  language: "en",
  uriScheme: "vscode",
  clipboard: { readText: async () => stub.clipboard, writeText: async (text: string) => (stub.clipboard = text) },
};

export const extensions = { getExtension: (id: string) => stub.extensions.get(id) };
