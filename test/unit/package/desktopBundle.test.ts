import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { globSync } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../../../scripts/lib/root.ts";
import * as vscode from "../stub/vscode.ts";
import { stub } from "../stub/vscode.ts";
import { eventually } from "../support/eventually.ts";
import { stubVscode } from "../support/stubVscode.ts";

interface Extension {
  activate(context: { extensionUri: vscode.Uri; subscriptions: { dispose(): unknown }[] }): void;
}

const load = createRequire(path.join(root, "dist/extension.js"));
const subscriptions: { dispose(): unknown }[] = [];

const restoreRequire = stubVscode();

async function hoverText(): Promise<string> {
  const text = readFileSync(path.join(root, "test/fixtures/workspace/model.py"), "utf8");
  const document = stub.open("/workspace/model.py", "python", text);
  const line = text.split("\n").findIndex((code) => code.startsWith("class RotaryEmbedding"));
  const token = { isCancellationRequested: false };
  const hover = await stub.hovers[0]?.provideHover(document, new vscode.Position(line, 8), token);
  return hover instanceof vscode.Hover ? (hover.contents[0]?.value ?? "") : "";
}

beforeAll(() => {
  stub.reset();
  const extension: Extension = load("./extension.js");
  extension.activate({ extensionUri: vscode.Uri.file(root), subscriptions });
});

afterAll(() => {
  for (const subscription of subscriptions.reverse()) subscription.dispose();
  restoreRequire();
});

describe("the shipped desktop bundle", () => {
  test("has chunks that all load", () => {
    const parts = globSync("dist/chunks/*.js", { cwd: root });
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(() => load(path.join(root, part)), part).not.toThrow();
  });

  test("explains code with a chunk that is not loaded at startup", async () => {
    expect(await hoverText()).toMatch(/^\*\*RoPE/);
  });

  test("shares one language state among its chunks", async () => {
    const english = await hoverText();
    expect(english).not.toMatch(/\p{Script=Han}/u);
    stub.set("posenc.language", "zh-cn");
    await eventually(async () => expect(await hoverText()).toMatch(/\p{Script=Han}/u));
    stub.set("posenc.language", "en");
  });
});
