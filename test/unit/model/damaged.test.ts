import { beforeAll, describe, expect, test } from "vitest";
import { loadTokenizer } from "../../../src/model/loadedModel.ts";
import { computeAll, editHeader, editText, goldenFiles, type Header, memoryFolder, startBackend } from "./support.ts";

beforeAll(startBackend);

const IDS = [1, 20, 30];
const Q_PROJ = "model.layers.1.self_attn.q_proj.weight";

/** The Llama checkpoint with a change to its header. */
function llamaWith(edit: (header: Header) => void): Map<string, Uint8Array> {
  const files = goldenFiles("llama");
  files.set("model.safetensors", editHeader(files.get("model.safetensors") ?? new Uint8Array(), edit));
  return files;
}

function requireEntry(header: Header, name: string): Header[string] {
  const entry = header[name];
  if (entry === undefined) throw new Error(name);
  return entry;
}

describe("a damaged checkpoint is refused with file and tensor:", () => {
  test("a tensor is missing", async () => {
    const files = llamaWith((header) => void delete header[Q_PROJ]);
    await expect(computeAll(files, IDS)).rejects.toThrow(`model.safetensors: tensor ${Q_PROJ} is missing`);
  });

  test("the embedding is missing, whatever the prefix", async () => {
    const files = llamaWith((header) => {
      for (const name of Object.keys(header)) if (/embed_tokens|q_proj/.test(name)) delete header[name];
    });
    await expect(computeAll(files, IDS)).rejects.toThrow("tensor embed_tokens.weight is missing, with any prefix");
  });

  test("a tensor has another shape", async () => {
    const files = llamaWith((header) => {
      requireEntry(header, Q_PROJ).shape = [24, 96];
    });
    await expect(computeAll(files, IDS)).rejects.toThrow(
      `model.safetensors: tensor ${Q_PROJ} has shape [24, 96]; expected [48, 48]`,
    );
  });

  test("a tensor's size does not match its shape", async () => {
    const files = llamaWith((header) => {
      const entry = requireEntry(header, Q_PROJ);
      entry.data_offsets = [entry.data_offsets[0], entry.data_offsets[1] - 4];
    });
    await expect(computeAll(files, IDS)).rejects.toThrow(
      `model.safetensors: the size of tensor ${Q_PROJ} does not match its shape`,
    );
  });

  test.each(["I8", "U8", "F8_E4M3", "constructor"])("a tensor has type %s", async (type) => {
    const files = llamaWith((header) => {
      requireEntry(header, Q_PROJ).dtype = type;
    });
    await expect(computeAll(files, IDS)).rejects.toThrow(
      `model.safetensors: tensor ${Q_PROJ} has type ${type}, which is not supported`,
    );
  });

  test.each([
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
  ])("a weight is %d", async (value, name) => {
    const files = goldenFiles("llama");
    const bytes = files.get("model.safetensors") ?? new Uint8Array();
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    const header: Header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
    const [from] = requireEntry(header, Q_PROJ).data_offsets;
    new DataView(bytes.buffer).setFloat32(8 + length + from + 400, value, true);
    await expect(computeAll(files, IDS)).rejects.toThrow(`model.safetensors: tensor ${Q_PROJ} contains ${name}`);
  });

  test("a shard ends too early", async () => {
    const files = goldenFiles("qwen3");
    const name = "model-00003-of-00005.safetensors";
    files.set(name, (files.get(name) ?? new Uint8Array()).subarray(0, 20_000));
    await expect(computeAll(files, IDS)).rejects.toThrow(
      /^model-00003-of-00005\.safetensors: the file ends within tensor model\.layers\.\d\.\S+$/,
    );
  });

  test("a shard ends within its header", async () => {
    const files = goldenFiles("qwen3");
    const name = "model-00003-of-00005.safetensors";
    files.set(name, (files.get(name) ?? new Uint8Array()).subarray(0, 40));
    await expect(computeAll(files, IDS)).rejects.toThrow(`${name}: unexpected end of file`);
  });

  test("a shard is missing", async () => {
    const files = goldenFiles("qwen3");
    files.delete("model-00002-of-00005.safetensors");
    await expect(computeAll(files, IDS)).rejects.toThrow("model-00002-of-00005.safetensors: no such file");
  });

  test("the index leads out of the folder", async () => {
    const files = goldenFiles("qwen3");
    editText(files, "model.safetensors.index.json", (text) =>
      text.replaceAll("model-00002-of-00005.safetensors", "../model-00002-of-00005.safetensors"),
    );
    await expect(computeAll(files, IDS)).rejects.toThrow(
      'model.safetensors.index.json: "../model-00002-of-00005.safetensors" is not a file of this folder',
    );
  });

  test("the tokenizer is another model's", async () => {
    await expect(computeAll(goldenFiles("llama"), [1, 399, 400])).rejects.toThrow(
      "token 400 is out of range: embed_tokens.weight has 400 rows. Is the tokenizer another model's?",
    );
  });

  test("the text is longer than the table of positions", async () => {
    const ids = Array.from({ length: 33 }, () => 5);
    await expect(computeAll(goldenFiles("gpt2"), ids)).rejects.toThrow(
      "33 tokens are too many: wpe.weight has 32 positions",
    );
  });
});

describe("a folder that cannot be computed is refused by name:", () => {
  test.each([
    ["model.gguf", "GGUF weights are not supported here: the folder has no safetensors file"],
    ["pytorch_model.bin", "PyTorch's .bin weights are not supported: the folder has no safetensors file"],
    ["notes.txt", "the folder has no safetensors file"],
  ])("only %s", async (name, message) => {
    const files = goldenFiles("llama");
    files.set(name, new Uint8Array());
    files.delete("model.safetensors");
    await expect(computeAll(files, IDS)).rejects.toThrow(message);
  });

  test.each([
    [
      '"model_type": "deepseek_v3", "kv_lora_rank": 512',
      "deepseek_v3: multi-head latent attention (MLA) is not supported yet",
    ],
    ['"model_type": "dbrx", "ffn_config": {}', "dbrx: mixtures of experts are not supported yet"],
    ['"model_type": "rwkv"', "rwkv is not supported yet"],
  ])("%s", async (keys, message) => {
    const files = goldenFiles("llama");
    editText(files, "config.json", (text) => text.replace('"model_type": "llama"', keys));
    await expect(computeAll(files, IDS)).rejects.toThrow(message);
  });

  test("BERT with relative positions", async () => {
    const files = goldenFiles("bert");
    editText(files, "config.json", (text) => text.replace("{", '{"position_embedding_type": "relative_key",'));
    await expect(computeAll(files, IDS)).rejects.toThrow("shaw is not supported yet");
  });

  test("a size is not a positive integer", async () => {
    const files = goldenFiles("llama");
    editText(files, "config.json", (text) => text.replace('"intermediate_size": 64', '"intermediate_size": -3'));
    await expect(computeAll(files, IDS)).rejects.toThrow("config.json: intermediate_size must be a positive integer");
  });

  test("an activation is unknown", async () => {
    const files = goldenFiles("llama");
    editText(files, "config.json", (text) => text.replace('"hidden_act": "silu"', '"hidden_act": "toString"'));
    await expect(computeAll(files, IDS)).rejects.toThrow("config.json: activation toString is not supported yet");
  });
});

describe("a tokenizer", () => {
  test.each([
    ["tokenizer.model", "tokenizer.model alone is not supported, only tokenizer.json: pass token ids"],
    ["vocab.json", "vocab.json alone is not supported, only tokenizer.json: pass token ids"],
    ["notes.txt", "the folder has no tokenizer.json: pass token ids"],
  ])("of which there is only %s is refused", async (name, message) => {
    const files = goldenFiles("llama");
    files.delete("tokenizer.json");
    files.set(name, new Uint8Array());
    await expect(loadTokenizer(memoryFolder(files))).rejects.toThrow(message);
  });

  test.each(["{}", "[1]", "not JSON", '{"model": {"type": "Nonsense"}}'])(
    "with the text %s is refused",
    async (text) => {
      const files = goldenFiles("llama");
      editText(files, "tokenizer.json", () => text);
      await expect(loadTokenizer(memoryFolder(files))).rejects.toThrow(/^tokenizer\.json: /);
    },
  );
});
