import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { activate } from "../../../src/host/extension.ts";
import { COMMANDS, MODEL_CONFIG_CONTEXT, PANEL_TYPE } from "../../../src/host/ids.ts";
import { DEFAULT_SETTINGS } from "../../../src/host/stores/settings.ts";
import { stub } from "../stub/vscode.ts";
import { readRepositoryFile } from "../support/files.ts";

const read = (name: string) => JSON.parse(readRepositoryFile(name));
const manifest = read("package.json");
const subscriptions: { dispose(): unknown }[] = [];

beforeAll(() => {
  stub.reset();
  activate({ extensionUri: URI.file("/extension"), subscriptions });
});
afterAll(() => {
  for (const subscription of subscriptions) subscription.dispose();
});

describe("the manifest", () => {
  const contributed: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);

  it("contributes exactly the registered commands", () => {
    expect(contributed.toSorted()).toEqual([...stub.handlers.keys()].sort());
    expect(contributed.toSorted()).toEqual(Object.values(COMMANDS).toSorted());
  });

  it("offers only existing commands, each with a condition in menus", () => {
    const menus: Record<string, { command: string; when?: string }[]> = manifest.contributes.menus;
    const entries = Object.values(menus).flat();
    for (const entry of entries) {
      expect(contributed).toContain(entry.command);
      expect(entry.when).toMatch(/\S/);
    }
    expect(entries.map(({ when }) => when)).toContain(MODEL_CONFIG_CONTEXT);
  });

  it("gives every setting the default of the code", () => {
    const properties: Record<string, { default: unknown }> = manifest.contributes.configuration.properties;
    const defaults = Object.entries(properties).map(([name, property]) => [
      name.replace("posenc.", ""),
      property.default,
    ]);
    expect(Object.fromEntries(defaults)).toEqual(DEFAULT_SETTINGS);
  });

  it("activates the extension for its languages and panels only", () => {
    expect(manifest.activationEvents).toContain(`onWebviewPanel:${PANEL_TYPE}`);
    expect(manifest.activationEvents).not.toContain("*");
    expect(manifest.activationEvents).not.toContain("onStartupFinished");
  });

  it("supports untrusted and virtual workspaces", () => {
    expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(true);
    expect(manifest.capabilities.virtualWorkspaces.supported).toBe(true);
  });

  it("has exactly the strings of both languages", () => {
    const used = [...new Set([...JSON.stringify(manifest).matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key))].sort();
    const english: Record<string, string> = read("package.nls.json");
    const chinese: Record<string, string> = read("package.nls.zh-cn.json");
    expect(Object.keys(english).sort()).toEqual(used);
    expect(Object.keys(chinese).sort()).toEqual(used);
    for (const text of Object.values(chinese)) expect(text).toMatch(/[\u4e00-\u9fff]/);
  });
});
