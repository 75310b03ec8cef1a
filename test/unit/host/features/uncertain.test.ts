import { describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import type { SideDisplay } from "../../../../src/core/protocol/side.ts";
import { stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { freshHost } from "../../support/freshHost.ts";

freshHost();

const SIZES = { model_type: "nobody", hidden_size: 64, num_attention_heads: 4, max_position_embeddings: 512 };
const UNKNOWN = JSON.stringify(SIZES);
const GUESSED = JSON.stringify({ ...SIZES, rope_theta: 500000 });

const open = (text: string) => stub.open("/workspace/m/config.json", "json", text);

async function lenses(text: string) {
  const found: unknown = await stub.lenses[0]?.provideCodeLenses(open(text), {});
  return (Array.isArray(found) ? found : []).map(({ command }) => command);
}

async function statusText(text: string): Promise<string> {
  stub.activate(open(text));
  await eventually(() => expect(stub.statusItems[0]?.visible).toBe(true));
  return stub.statusItems[0]?.text ?? "";
}

async function treeRow(text: string) {
  const uri = URI.file("/workspace/m/config.json");
  stub.files.set(uri.toString(), new TextEncoder().encode(text));
  stub.found.push(uri);
  const provider = stub.trees.get("posenc.models")?.provider;
  const [node] = (await provider?.getChildren(undefined)) ?? [];
  return provider?.getTreeItem(node);
}

async function sideSubject(text: string) {
  stub.activate(open(text));
  const view = await stub.openView("posenc.side");
  const shown = () =>
    view.webview.posted.findLast((message) => (message as { type: string }).type === "show") as SideDisplay | undefined;
  await eventually(() => expect(shown()?.subject ?? null).not.toBeNull());
  const subject = shown()?.subject;
  if (subject?.kind !== "config") throw new Error("the subject is not a config");
  return subject;
}

describe("an encoding that was guessed", () => {
  const possibly = "possibly RoPE · θ 5e5 · 512";

  it("is shown as a guess by lens, status bar, tree and side view", async () => {
    expect((await lenses(GUESSED)).map(({ title }) => title)).toEqual([`$(open-preview) ${possibly}`]);
    expect(await statusText(GUESSED)).toBe(possibly);
    expect(await treeRow(GUESSED)).toMatchObject({ description: possibly, iconPath: { id: "question" } });
    const subject = await sideSubject(GUESSED);
    expect(subject.summary).toBe(possibly);
    expect(subject.specs.map(({ confidence }) => confidence)).toEqual(["guess"]);
  });
});

describe("a model whose encoding is unknown", () => {
  it("is not said to have none", async () => {
    expect(await lenses(UNKNOWN)).toMatchObject([{ title: "$(question) position encoding unknown", command: "" }]);
    expect(await statusText(UNKNOWN)).toBe("position encoding unknown");
    expect(await treeRow(UNKNOWN)).toMatchObject({
      description: "position encoding unknown",
      iconPath: { id: "question" },
    });
    expect(await sideSubject(UNKNOWN)).toMatchObject({ summary: "position encoding unknown", specs: [], findings: [] });
  });
});
