import { describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { stub, type TreeItem } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { freshHost } from "../../support/freshHost.ts";
import { config, wrong } from "../../support/llamaConfig.ts";

freshHost();

function put(path: string, text: string): URI {
  const uri = URI.file(`/workspace/${path}`);
  stub.files.set(uri.toString(), new TextEncoder().encode(text));
  if (!stub.found.some((known) => known.path === uri.path)) stub.found.push(uri);
  return uri;
}

const tree = (id: string) => {
  const view = stub.trees.get(id);
  if (view === undefined) throw new Error(`there is no view ${id}`);
  return view;
};

interface Shown extends Pick<TreeItem, "label" | "description" | "iconPath" | "command"> {
  readonly node: unknown;
}

/** All rows of a view from top to bottom, with every folder expanded. */
async function rows(id: string): Promise<Shown[]> {
  const { provider } = tree(id);
  const below = async (node?: unknown): Promise<Shown[]> => {
    const found: Shown[] = [];
    for (const child of await provider.getChildren(node)) {
      const { label, description, iconPath, command } = await provider.getTreeItem(child);
      found.push({ label, description, iconPath, command, node: child }, ...(await below(child)));
    }
    return found;
  };
  return below();
}

const models = () => rows("posenc.models");

describe("the models of the workspace", () => {
  it("appear under their folder's name with encodings and findings, as text and as an icon", async () => {
    put("b/config.json", wrong);
    put("a/config.json", config());
    put("a/package_config.json", '{"name": "x"}');
    const shown = await models();
    expect(shown.map(({ label }) => label)).toEqual(["a", "b"]);
    expect(shown[0]).toMatchObject({ description: "RoPE · θ 5e5 · 4096", iconPath: { id: "symbol-ruler" } });
    expect(shown[1]?.description).toMatch(/^RoPE · YaRN ×4.* — \d+ warnings?/);
    expect(shown[1]?.iconPath?.id).toBe("warning");
    expect(shown[0]?.command).toMatchObject({
      command: "vscode.open",
      arguments: [{ path: "/workspace/a/config.json" }],
    });
  });

  it("of installed packages, and of what the search leaves out, are not among them", async () => {
    stub.set("search.exclude", { "**/archive": true, "**/archive/**": true, kept: false });
    for (const folder of ["a", "kept", "archive/old", ".venv/lib/b", "lib/site-packages/c", "node_modules/d"])
      put(`${folder}/config.json`, config());
    expect((await models()).map(({ label }) => label)).toEqual(["a", "kept"]);
    stub.watched.fire(URI.file("/workspace/lib/site-packages/c/config.json"));
    put("e/config.json", config());
    stub.watched.fire(URI.file("/workspace/e/config.json"));
    await eventually(async () => expect((await models()).map(({ label }) => label)).toEqual(["a", "e", "kept"]));
  });

  it("of a single folder are grouped under it by file name", async () => {
    put("a/config.json", config());
    put("a/old_config.json", wrong);
    expect((await models()).map(({ label }) => label)).toEqual(["a", "config.json", "old_config.json"]);
  });

  it("are searched once when the view is first shown, with progress", async () => {
    put("a/config.json", config());
    expect(stub.progress).toEqual([]);
    await models();
    await models();
    expect(stub.progress).toEqual([{ viewId: "posenc.models" }]);
    expect(stub.contexts.get("posenc.scanningModels")).toBe(false);
  });

  it("follow saved, created and deleted files, but not typing", async () => {
    const uri = put("a/config.json", config());
    await models();
    const document = stub.open("/workspace/a/config.json", "json", config());
    stub.edit(document, config({ rope_theta: 10000 }));
    expect((await models())[0]?.description).toContain("θ 5e5");
    put("a/config.json", config({ rope_theta: 10000 }));
    stub.watched.fire(uri);
    stub.watched.fire(put("c/config.json", wrong));
    await eventually(async () => {
      const shown = await models();
      expect(shown[0]?.description).toContain("θ 1e4");
      expect(shown).toHaveLength(2);
    });
    stub.files.delete(uri.toString());
    stub.watched.fire(uri);
    await eventually(async () => expect((await models()).map(({ label }) => label)).toEqual(["c"]));
  });

  it("update only the changed rows in the view and keep the other nodes", async () => {
    const a = put("a/config.json", config());
    put("b/config.json", wrong);
    const before = await models();
    const told: (string | undefined)[][] = [];
    tree("posenc.models").provider.onDidChangeTreeData((changed) => {
      told.push((changed ?? []).map((node) => before.find((row) => row.node === node)?.label));
    });
    const save = (path: string, text: string) => stub.watched.fire(put(path, text));

    // Saved and searched again, but nothing has changed.
    save("a/config.json", config());
    await stub.handlers.get("posenc.scanModels")?.();
    save("a/config.json", config({ rope_theta: 10000 }));
    await eventually(() => expect(told).toEqual([["a"]]));
    const after = await models();
    expect(after.map(({ node }, index) => node === before[index]?.node)).toEqual([true, true]);
    expect(after[0]?.description).toContain("θ 1e4");

    stub.set("posenc.rules", { "rope/*": "off", "window/*": "off" });
    await eventually(() => expect(told.at(-1)).toEqual(["b"]));
    expect((await models())[1]?.description).not.toContain("warning");

    // A removed row changes the list, so the view reloads all of it.
    stub.files.delete(a.toString());
    stub.watched.fire(a);
    await eventually(() => expect(told.at(-1)).toEqual([]));
    expect((await models()).map(({ label }) => label)).toEqual(["b"]);
  });

  it("exclude ignored and oversized files, and use the project's severities", async () => {
    put("old/config.json", config());
    put("big/config.json", config({ padding: "x".repeat(3_000_000) }));
    put("b/config.json", wrong);
    const settings = '{"ignore": ["old/*"], "rules": {"rope/*": "off", "window/*": "off"}}';
    stub.files.set("file:///workspace/.posenc.json", new TextEncoder().encode(settings));
    const shown = await models();
    expect(shown.map(({ label }) => label)).toEqual(["b"]);
    expect(shown[0]?.description).not.toContain("warning");
  });

  it("are read in slices that let other work run, and the search can be stopped", async () => {
    for (let index = 0; index < 400; index++) put(`m/config-${index}.json`, index % 2 === 0 ? config() : wrong);
    // The clock advances 6 ms per call, so a slice of 16 ms is three files.
    let now = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 6));
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    expect((await models()).length).toBe(401);
    clearInterval(timer);
    clock.mockRestore();
    expect(turns).toBeGreaterThan(60);

    const again = stub.handlers.get("posenc.scanModels")?.();
    await eventually(() => expect(stub.contexts.get("posenc.scanningModels")).toBe(true), 1);
    await stub.handlers.get("posenc.cancelScan")?.();
    await again;
    await eventually(() => expect(tree("posenc.models").message).toBe("Stopped before all files were read."));
    expect((await models()).length).toBeLessThan(401);
  });

  it("report progress only after a search has taken a second", async () => {
    for (let index = 0; index < 20; index++) put(`m/config-${index}.json`, config());
    const said: unknown[] = [];
    Object.defineProperty(tree("posenc.models"), "message", { set: (message) => said.push(message) });
    await models();
    expect(said).toEqual([""]);
    let now = 0;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 1100));
    await stub.handlers.get("posenc.scanModels")?.();
    await eventually(() => expect(said).toEqual(["", "0 of 20 files read…", "16 of 20 files read…", ""]));
    clock.mockRestore();
  });

  it("open in the panel with the button in their row", async () => {
    put("a/config.json", config());
    stub.open("/workspace/a/config.json", "json", config());
    const model = (await models())[0];
    await stub.handlers.get("posenc.previewConfig")?.(model?.node);
    expect(stub.errors).toEqual([]);
    expect(stub.panels).toHaveLength(1);
  });
});

describe("the catalogue", () => {
  it("lists every encoding in groups and shows one on a click", async () => {
    const shown = await rows("posenc.encodings");
    const clicks = shown.flatMap(({ command }) => (command === undefined ? [] : [command]));
    const links = clicks.map(({ arguments: [link] }) => link as { encoding: string; changes: { rope_type?: string } });
    expect(new Set(links.map(({ encoding }) => encoding))).toEqual(new Set(ENCODINGS.map(({ id }) => id)));
    expect(shown[0]?.command).toBeUndefined();
    const yarn = clicks[links.findIndex(({ changes }) => changes.rope_type === "yarn")];
    await stub.handlers.get(yarn?.command ?? "")?.(...(yarn?.arguments ?? []));
    expect(stub.errors).toEqual([]);
    expect(stub.panels).toHaveLength(1);
  });

  it("lists models too, with published numbers if they are known", async () => {
    const shown = await rows("posenc.encodings");
    const of = (model: string) => shown.findLast(({ label }) => label === model);
    expect(of("BERT (512 × 768)")).toMatchObject({ command: { arguments: [{ encoding: "learned_absolute" }] } });
    const llama = of("Llama 3.1 8B");
    expect(llama?.command?.arguments).toMatchObject([
      { encoding: "rope", given: { name: "Llama 3.1 8B", values: { rope_type: "llama3", factor: 8 } } },
    ]);
    expect(llama?.description).toMatch(/^RoPE/);
    for (const model of ["Llama 3.1 8B", "BLOOM", "BERT (512 × 768)"]) {
      const command = of(model)?.command;
      await stub.handlers.get(command?.command ?? "")?.(...(command?.arguments ?? []));
    }
    expect(stub.errors).toEqual([]);
    expect(stub.panels).toHaveLength(3);
  });
});
