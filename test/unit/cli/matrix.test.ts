import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/cli/program.ts";
import { scratchFolder } from "../support/scratch.ts";

const folder = scratchFolder("cli");

async function matrix(...args: string[]) {
  return await runCommandLine(["matrix", ...args]);
}

function numbers(csv: string): number[][] {
  return csv
    .trim()
    .split("\n")
    .map((line) => line.split(",").map(Number));
}

describe("posenc matrix", () => {
  test("refuses content whose vectors the encoding does not read, instead of printing zeros", async () => {
    const write = (name: string, value: unknown) => {
      const file = join(folder, name);
      writeFileSync(file, JSON.stringify(value));
      return file;
    };
    const rows = [
      [1, 0],
      [0, 1],
    ];
    const unknown = write("unknown-key.json", { rows });
    expect(await matrix("none", "--content", unknown)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('must have "q" and "k", or "x"; it has rows'),
    });
    const queries = write("queries-only.json", { q: [rows] });
    expect(await matrix("none", "--content", queries)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('"q" and "k"'),
    });
    const inputs = write("deberta.json", { rel_embeddings: [rows[0], rows[0], rows[1], rows[1]], pos_proj: rows });
    const deberta = ["version=1", "max_relative_positions=2", "hidden_size=2", "num_heads=1", "pos_att_type=c2p"];
    const commands = [
      ["none"],
      ["rope", "--set", "head_dim=2"],
      ["deberta", "--inputs", inputs, ...deberta.flatMap((set) => ["--set", set])],
    ];
    const onlyX = write("only-x.json", { x: rows });
    for (const command of commands)
      expect(await matrix(...command, "--content", onlyX, "--rows", "0:2", "--cols", "0:2")).toMatchObject({
        exitCode: 2,
        stdout: "",
        stderr: expect.stringContaining('"q" are needed, but only these are given: x'),
      });
    expect(await matrix("learned_absolute", "--content", onlyX)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("position_embeddings"),
    });
  });

  test("refuses a head that the given vectors do not have", async () => {
    const file = join(folder, "one-head.json");
    writeFileSync(file, JSON.stringify({ q: [[[1, 0]]], k: [[[1, 0]]] }));
    expect(await matrix("none", "--content", file, "--head", "1")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("the number of given heads is 1"),
    });
  });

  test("computes ALiBi's bias as −slope · (i − j) with the slopes of the paper", async () => {
    const { stdout, exitCode } = await matrix(
      "alibi",
      "--view",
      "bias",
      "--rows",
      "0:3",
      "--cols",
      "0:3",
      "--head",
      "1",
    );
    expect(exitCode).toBe(0);
    // 8 heads: slope of head 1 is 2^-2.
    expect(numbers(stdout)).toEqual([
      [0, 0.25, 0.5],
      [-0.25, 0, 0.25],
      [-0.5, -0.25, 0],
    ]);
  });

  test("normalises attention over the whole row and prints 0 for masked cells", async () => {
    const { stdout } = await matrix(
      "alibi",
      "--view",
      "attention",
      "--rows",
      "0:9",
      "--cols",
      "0:9",
      "--mask",
      "causal",
    );
    const rows = numbers(stdout);
    for (const [i, row] of rows.entries()) {
      expect(row.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 14);
      expect(row.slice(i + 1).every((weight) => weight === 0)).toBe(true);
    }
  });

  test("keeps the first tokens outside a window on request, and gives a sink its share of each row", async () => {
    const args = ["none", "--set", "head_dim=1", "--view", "attention", "--rows", "7:8", "--cols", "0:8"];
    const [kept] = numbers((await matrix(...args, "--mask", "window:2:3")).stdout);
    expect(kept).toEqual([0.2, 0.2, 0.2, 0, 0, 0, 0.2, 0.2]);
    // Every logit is 1, the sink's too: four keys and the sink share the row, and the sink is dropped.
    const [sunk] = numbers((await matrix(...args, "--mask", "window:4", "--sink", "1")).stdout);
    expect(sunk).toEqual([0, 0, 0, 0, 0.2, 0.2, 0.2, 0.2]);
  });

  test("computes only the requested cells, with a step or at far positions", async () => {
    const { stdout } = await matrix(
      "alibi",
      "--view",
      "bias",
      "--rows",
      "10000000:10000001",
      "--cols",
      "0:10000000:5000000",
    );
    expect(numbers(stdout)).toEqual([[-5_000_000, -2_500_000]]);
  });

  test("prints masked scores as -inf in CSV and null in JSON", async () => {
    const args = ["none", "--rows", "0:2", "--cols", "0:2", "--mask", "causal"];
    expect((await matrix(...args)).stdout).toBe("8,-inf\n8,8\n");
    expect(JSON.parse((await matrix(...args, "--format", "json")).stdout)).toEqual([
      [8, null],
      [8, 8],
    ]);
  });

  test("reads vectors and lengths with --inputs in the schema of the golden files", async () => {
    const file = join(folder, "inputs.json");
    writeFileSync(
      file,
      JSON.stringify({
        q: [
          [
            [1, 0],
            [0, 2],
          ],
        ],
        k: [
          [
            [3, 0],
            [0, 4],
            [5, 5],
          ],
        ],
      }),
    );
    const { stdout } = await matrix("none", "--set", "num_heads=1", "--set", "head_dim=2", "--inputs", file);
    const scale = 1 / Math.sqrt(2);
    expect(numbers(stdout)).toEqual([
      [3 * scale, 0, 5 * scale],
      [0, 8 * scale, 10 * scale],
    ]);
  });

  test("prints one table row per position of the inputs", async () => {
    const file = join(folder, "positions.json");
    writeFileSync(file, JSON.stringify({ positions: [3, 10_000_000] }));
    const args = ["sinusoidal", "--set", "hidden_size=2", "--inputs", file, "--view", "table"];
    const expected = [3, 10_000_000].map((position) => [Math.sin(position), Math.cos(position)]);
    expect(numbers((await matrix(...args)).stdout)).toEqual(expected);
    expect(numbers((await matrix(...args, "--rows", "1:2")).stdout)).toEqual(expected.slice(1));
    expect((await matrix(...args, "--rows", "2:3")).stderr).toContain("the inputs have only 2 positions");
  });

  test("computes the bias as the scores minus content · content", async () => {
    const args = ["sinusoidal", "--set", "hidden_size=8", "--set", "num_heads=1", "--rows", "0:3", "--cols", "0:3"];
    const [scores, bias, content] = await Promise.all(
      ["scores", "bias", "term:content_content"].map(async (view) =>
        numbers((await matrix(...args, "--view", view)).stdout),
      ),
    );
    for (const [i, row] of (bias ?? []).entries()) {
      for (const [j, value] of row.entries()) {
        expect(value).toBeCloseTo((scores?.[i]?.[j] ?? 0) - (content?.[i]?.[j] ?? 0), 12);
      }
    }
  });

  test("writes NPY with dtype <f8 and its shape, PNG and SVG", async () => {
    const file = (ending: string) => join(folder, `out.${ending}`);
    for (const ending of ["npy", "png", "svg"]) {
      const { exitCode } = await matrix(
        "alibi",
        "--view",
        "bias",
        "--rows",
        "0:2",
        "--cols",
        "0:3",
        "-o",
        file(ending),
      );
      expect(exitCode).toBe(0);
    }
    const npy = readFileSync(file("npy"));
    expect(npy.subarray(1, 6).toString("latin1")).toBe("NUMPY");
    expect(npy.subarray(10, 128).toString("latin1")).toContain(
      "'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)",
    );
    expect(npy.length).toBe(128 + 6 * 8);
    // Head 0 of 8: slope 1/2; row 1, column 0 is −1/2.
    expect(npy.readDoubleLE(128 + 3 * 8)).toBe(-0.5);
    expect(readFileSync(file("png")).subarray(1, 4).toString("latin1")).toBe("PNG");
    expect(readFileSync(file("svg"), "utf8").match(/<rect /g)).toHaveLength(6);
  });

  test.each([
    [["nonsense"], "unknown encoding nonsense"],
    [["alibi", "--set", "num_heads=0"], "num_heads = 0: must be at least 1"],
    [["alibi", "--set", "colour=1"], "colour = 1: is not a parameter of alibi"],
    [["alibi", "--set", "num_heads"], "expected name=value"],
    [["alibi", "--rows", "5:2"], "the range is empty"],
    [["alibi", "--rows", "x"], "from:to"],
    [["alibi", "--head", "8"], "must be from 0 to 7 (8 heads)"],
    [["alibi", "--mask", "round"], "unknown mask round"],
    [["alibi", "--sink", "much"], "--sink much: must be a finite number"],
    [["alibi", "--view", "wrong", "--rows", "0:1", "--cols", "0:1"], "unknown view wrong"],
    [["none", "--view", "bias", "--rows", "0:1", "--cols", "0:1"], "none has no bias"],
    [["none", "--view", "table", "--rows", "0:1"], "none has no position table"],
    [["alibi", "--inputs", "/nowhere/inputs.json"], "--inputs /nowhere/inputs.json"],
    [["alibi", "--rows", "0:1", "--cols", "0:1", "--format", "xml"], "must be one of csv, json"],
    [["alibi", "--frobnicate"], "unknown option"],
  ])("exits with 2 and a reason for %j", async (args, reason) => {
    const { exitCode, stderr, stdout } = await matrix(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(stdout).toBe("");
  });
});

describe("posenc list", () => {
  test("prints every encoding with its classification, parameters and papers", async () => {
    const { stdout } = await runCommandLine(["list", "--json"]);
    const entries: {
      id: string;
      papers: unknown[];
      parameters: { name: string }[];
      classification: { kind: string };
    }[] = JSON.parse(stdout);
    const alibi = entries.find((entry) => entry.id === "alibi");
    expect(alibi?.classification.kind).toBe("relative");
    expect(alibi?.parameters.map((parameter) => parameter.name)).toContain("alibi_bias_max");
    expect(alibi?.papers).not.toHaveLength(0);
  });
});
