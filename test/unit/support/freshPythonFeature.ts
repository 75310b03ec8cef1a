import { afterEach, beforeEach, expect } from "vitest";
import type * as vscode from "vscode";
import { URI } from "vscode-uri";
import { createServices, type Services } from "../../../src/host/services.ts";
import type { PythonDocuments } from "../../../src/host/stores/pythonDocuments.ts";
import { type StubDocument, stub } from "../stub/vscode.ts";

/** The stub has as much of a document as the host reads. */
const textDocument = (document: StubDocument) => document as unknown as vscode.TextDocument;

/** What the feature under test has parsed. */
export interface ParsedPython {
  isParsed(document: StubDocument): boolean;
  parseAlone(document: StubDocument): ReturnType<PythonDocuments["parseAlone"]>;
}

/** Registers a feature for Python code in a fresh editor before each test, and checks that it removes its listeners. */
export function freshPythonFeature(
  register: (services: Services) => { dispose(): unknown },
  extensionUri = URI.file("/extension"),
): ParsedPython {
  const subscriptions: { dispose(): unknown }[] = [];
  let documents: PythonDocuments;
  beforeEach(async () => {
    stub.reset();
    const services = createServices(extensionUri);
    ({ documents } = await services.explainer());
    subscriptions.push(services, register(services));
  });
  afterEach(() => {
    for (const subscription of subscriptions.splice(0).reverse()) subscription.dispose();
    expect(stub.live).toEqual({ listeners: 0, registrations: 0 });
  });
  return {
    isParsed: (document) => documents.isParsed(textDocument(document)),
    parseAlone: (document) => documents.parseAlone(textDocument(document)),
  };
}
