import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { URI } from "vscode-uri";
import { configTitle } from "../../../../src/host/platform/configTitle.ts";
import { parseHubFolder } from "../../../../src/host/platform/hubFolder.ts";
import { stub, workspace } from "../../stub/vscode.ts";
import { gguf, safetensors } from "../../support/checkpointFiles.ts";
import { eventually } from "../../support/eventually.ts";
import { freshHost } from "../../support/freshHost.ts";
import { config, wrong } from "../../support/llamaConfig.ts";

const folder = mkdtempSync(path.join(tmpdir(), "posenc-models-"));

freshHost();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file on disk: the desktop host reads headers from disk, not through VS Code. */
function put(name: string, content: string | Uint8Array): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  find(file);
  return file;
}

function find(file: string): void {
  stub.found.push(URI.file(file));
}

interface Row {
  readonly label: string;
  readonly description: string | undefined;
  readonly command: string | undefined;
}

async function rows(): Promise<Row[]> {
  const provider = stub.trees.get("posenc.models")?.provider;
  if (provider === undefined) throw new Error("there is no view of models");
  const below = async (node?: unknown): Promise<Row[]> => {
    const found: Row[] = [];
    for (const child of await provider.getChildren(node)) {
      const { label, description, command } = await provider.getTreeItem(child);
      found.push({ label, description, command: command?.command }, ...(await below(child)));
    }
    return found;
  };
  return below();
}

const LLAMA = {
  "general.architecture": "llama",
  "llama.context_length": 8192,
  "llama.embedding_length": 4096,
  "llama.attention.head_count": 32,
  "llama.block_count": 32,
  "llama.rope.freq_base": 1_000_000,
};

describe("models of other formats in the view", () => {
  it("include GGUF headers, tables of safetensors and framework YAML, each with its encoding", async () => {
    put("kinds/llama.gguf", gguf(LLAMA));
    put("kinds/gpt2.safetensors", safetensors({ "transformer.wpe.weight": [1024, 768] }));
    put("kinds/plain.safetensors", safetensors({ "model.layers.0.self_attn.q_proj.weight": [8, 8] }));
    put("kinds/neox.yml", "pos-emb: rotary\nnum-layers: 2\nhidden-size: 512\nnum-attention-heads: 8\n");
    put("kinds/compose.yml", "services: {}\n");
    const shown = await rows();
    expect(shown.map(({ label }) => label)).toEqual([
      path.join(folder, "kinds"),
      "gpt2.safetensors",
      "llama.gguf",
      "neox.yml",
    ]);
    expect(shown[1]).toMatchObject({ description: "learned · 1024 positions", command: "vscode.openWith" });
    expect(shown[2]?.description).toMatch(/^RoPE · θ 1e6/);
    expect(shown[3]).toMatchObject({ command: "vscode.open" });
    expect(shown[3]?.description).toContain("RoPE");
  });

  it("are one row for an index and its shards, which must be in its folder", async () => {
    const map = (file: string) => JSON.stringify({ metadata: {}, weight_map: { "transformer.wpe.weight": file } });
    put("sharded/model-00001-of-00002.safetensors", safetensors({ "transformer.wpe.weight": [2048, 768] }));
    put("sharded/model.safetensors.index.json", map("model-00001-of-00002.safetensors"));
    put("outside/model.safetensors.index.json", map("../sharded/model-00001-of-00002.safetensors"));
    const shown = await rows();
    expect(shown.map(({ description }) => description)).toEqual(["unreadable", "learned · 2048 positions"]);
  });

  it("have their Hub names if the Hub cache is opened, including links", async () => {
    const hub = "hub/models--Qwen--Qwen2.5-7B";
    const commit = "a09a35458c702b33eeacc393d103063234e8bc28";
    const blob = path.join(folder, hub, "blobs/6f1e");
    mkdirSync(path.dirname(blob), { recursive: true });
    writeFileSync(blob, config());
    const link = path.join(folder, hub, "snapshots", commit, "config.json");
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync("../../blobs/6f1e", link);
    find(link);
    const [row] = await rows();
    expect(row).toMatchObject({ label: "Qwen/Qwen2.5-7B @ a09a354", description: "RoPE · θ 5e5 · 4096" });
    expect(configTitle(URI.file(link))).toBe("Qwen/Qwen2.5-7B / config.json");
    expect(parseHubFolder("/models--/snapshots")).toBeUndefined();
  });

  it("are counted in the view's badge if they have errors or warnings", async () => {
    put("badge/a/config.json", config());
    put("badge/b/config.json", wrong);
    put("badge/c.gguf", gguf(LLAMA).subarray(0, 60));
    await rows();
    expect(stub.trees.get("posenc.models")?.badge).toEqual({ value: 2, tooltip: "2 models with errors or warnings" });
    stub.set("posenc.rules", { "rope/*": "off", "window/*": "off" });
    await eventually(() => expect(stub.trees.get("posenc.models")?.badge?.value).toBe(1));
  });

  it("open in the panel from their header", async () => {
    const file = put("open/llama.gguf", gguf(LLAMA));
    await stub.handlers.get("posenc.previewConfig")?.(URI.file(file));
    expect(stub.errors).toEqual([]);
    expect(stub.panels[0]?.title).toBe("open / llama.gguf");
  });
});

describe("the project's settings", () => {
  const problems = [
    {
      rule: "rope/x",
      severity: "warning",
      message: "",
      path: [],
      range: { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } },
    },
  ] as const;
  const of = async (file: string) => {
    const { RuleSettings } = await import("../../../../src/host/stores/ruleSettings.ts");
    const { Settings } = await import("../../../../src/host/stores/settings.ts");
    const rules = new RuleSettings(new Settings());
    onTestFinished(() => rules.dispose());
    return {
      rules,
      severities: async () => (await rules.applySeverities(URI.file(file), problems)).map(({ severity }) => severity),
    };
  };
  const write = (file: string, severity: string) => {
    const uri = URI.file(file);
    stub.files.set(uri.toString(), new TextEncoder().encode(JSON.stringify({ rules: { "rope/*": severity } })));
    return uri;
  };

  it("come from the nearest parent folder, as on the command line", async () => {
    write("/workspace/.posenc.json", "error");
    write("/workspace/a/.posenc.json", "info");
    expect(await (await of("/workspace/a/b/config.json")).severities()).toEqual(["info"]);
    expect(await (await of("/workspace/c/config.json")).severities()).toEqual(["error"]);
  });

  it("are also read outside the workspace, and changes there apply", async () => {
    const uri = write("/.posenc.json", "error");
    const { severities } = await of("/workspace/a/config.json");
    expect(await severities()).toEqual(["error"]);
    expect(await (await of("/elsewhere/config.json")).severities()).toEqual(["error"]);
    write("/.posenc.json", "info");
    stub.watched.fire(uri);
    expect(await severities()).toEqual(["info"]);
  });

  it("of each folder in a multi-root workspace apply to that folder only", async () => {
    workspace.workspaceFolders.push({ uri: URI.file("/second"), name: "second", index: 1 });
    try {
      write("/workspace/.posenc.json", "error");
      write("/second/.posenc.json", "info");
      expect(await (await of("/workspace/config.json")).severities()).toEqual(["error"]);
      expect(await (await of("/second/config.json")).severities()).toEqual(["info"]);
    } finally {
      workspace.workspaceFolders.pop();
    }
  });
});

describe("files in the folder of an open config", () => {
  const table = JSON.stringify({ model_type: "gpt2", n_positions: 1024, n_embd: 768, n_head: 12, n_layer: 12 });
  const rules = (file: string) =>
    (stub.diagnostics.get(URI.file(file).toString()) ?? []).map(({ code }) => (code as { value: string }).value);

  it("are used to check it, also when they change", async () => {
    const config = put("beside/config.json", table);
    const document = stub.open(config, "json", table);
    await eventually(() => expect(stub.diagnostics.has(document.uri.toString())).toBe(true));
    expect(rules(config)).toEqual([]);
    const tokenizer = put("beside/tokenizer_config.json", JSON.stringify({ model_max_length: 4096 }));
    stub.watched.fire(URI.file(tokenizer));
    await eventually(() => expect(rules(config)).toEqual(["table/tokenizer-longer"]));
    rmSync(tokenizer);
    stub.watched.fire(URI.file(tokenizer));
    await eventually(() => expect(rules(config)).toEqual([]));
  });

  it("are used in the models view", async () => {
    put("beside2/config.json", table);
    expect((await rows())[0]?.description).toBe("learned · 1024 positions");
    const tokenizer = put("beside2/tokenizer_config.json", JSON.stringify({ model_max_length: 4096 }));
    stub.watched.fire(URI.file(tokenizer));
    await eventually(async () =>
      expect((await rows())[0]?.description).toMatch(/1024 positions — 1 (?:error|warning)/),
    );
  });
});
