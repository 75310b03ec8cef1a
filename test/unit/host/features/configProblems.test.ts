import { describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { type StubDocument, stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { freshHost } from "../../support/freshHost.ts";

const CONFIG = `{"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
  "rope_scaling": {"type": "linear", "rope_type": "yarn", "factor": 4.0}}`;

freshHost();

const count = ({ uri }: StubDocument) => stub.diagnostics.get(uri.toString())?.length ?? 0;
const open = (uri: string) => stub.open(URI.parse(uri), "json", CONFIG);

describe("findings of a config", () => {
  it("are listed for files and untitled documents, not for read-only copies of them", async () => {
    const copies = ["git:/workspace/m/config.json?HEAD", "posenc-clipboard:/config.json", "review:/m/config.json"].map(
      open,
    );
    const own = ["file:///workspace/m/config.json", "untitled:config.json"].map(open);
    await eventually(() => expect(own.map(count).every((found) => found > 0)).toBe(true));
    expect(copies.map(count)).toEqual([0, 0, 0]);
  });
});
