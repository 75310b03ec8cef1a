import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import * as feature from "../../../../src/host/features/codeProblems/codeProblems.ts";
import * as vscode from "../../stub/vscode.ts";
import { stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { freshPythonFeature } from "../../support/freshPythonFeature.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const python = freshPythonFeature(feature.register);

const FALLBACK = 'def f(config):\n    base = getattr(config, "rope_theta", 10000)\n';
const TWO = `
def rotate_half(x):
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)

def rotate_every_two(x):
    x1 = x[..., ::2]
    x2 = x[..., 1::2]
    return torch.stack((-x2, x1), dim=-1).flatten(-2)
`;

/** Advances the clock by a pause, and waits for imports and reads. */
async function pause(time = 310): Promise<void> {
  await vi.advanceTimersByTimeAsync(time);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(0);
}

const open = (text: string, path = "/workspace/a.py") => {
  const document = stub.open(path, "python", text);
  stub.show([document]);
  return document;
};
const at = (document: { uri: { toString(): string } }) => stub.diagnostics.get(document.uri.toString()) ?? [];

/** Severities are read from files, which fake timers do not advance. */
const found = (document: vscode.StubDocument, count: number) =>
  eventually(() => expect(at(document)).toHaveLength(count));

describe("diagnostics in code", () => {
  it("appear at their place with their rule after typing pauses", async () => {
    const document = open("x = 1\n");
    stub.edit(document, FALLBACK.slice(0, -2));
    await pause(200);
    stub.edit(document, FALLBACK);
    await pause(290);
    expect(at(document)).toEqual([]);
    await pause(20);
    await found(document, 1);
    expect(at(document)).toMatchObject([
      {
        message: expect.stringContaining("rope_theta"),
        severity: vscode.DiagnosticSeverity.Information,
        source: "posenc",
        code: { value: "code/silent-fallback" },
        range: { start: { line: 1, character: 11 } },
      },
    ]);
    stub.edit(document, "x = 1\n");
    await found(document, 0);
  });

  it("link to the other place they concern", async () => {
    const document = open(TWO);
    await found(document, 1);
    const [problem] = at(document);
    expect(problem).toMatchObject({ code: { value: "code/two-layouts" } });
    expect(problem?.relatedInformation).toMatchObject([{ location: { range: { start: { line: 1, character: 4 } } } }]);
  });

  it("appear for visible editors and notebook cells only", async () => {
    const hidden = stub.open("/workspace/hidden.py", "python", FALLBACK);
    const cell = stub.open(URI.parse("vscode-notebook-cell:/workspace/a.ipynb#1"), "python", FALLBACK);
    const other = stub.open("/workspace/a.txt", "plaintext", FALLBACK);
    await pause();
    expect(python.isParsed(hidden)).toBe(false);
    expect(stub.diagnostics.size).toBe(0);
    stub.show([other], [cell]);
    await found(cell, 1);
    expect(stub.diagnostics.size).toBe(1);
    stub.close(cell);
    expect(at(cell)).toEqual([]);
  });

  it("do not appear in the version of the last commit, which the editor opens beside the file", async () => {
    const file = stub.open("/workspace/a.py", "python", FALLBACK);
    const committed = stub.open(URI.parse("git:/workspace/a.py?HEAD"), "python", FALLBACK);
    stub.show([file, committed]);
    await found(file, 1);
    await pause();
    expect(at(committed)).toEqual([]);
    expect(python.isParsed(committed)).toBe(false);
  });

  it("are dropped if the text changes during the analysis", async () => {
    const document = open(FALLBACK);
    await vi.advanceTimersByTimeAsync(310);
    // The checks now load and run for a text that is about to change.
    stub.edit(document, "x = 1\n");
    await vi.dynamicImportSettled();
    await pause();
    expect(at(document)).toEqual([]);
  });

  it("start no timer for hidden documents", async () => {
    stub.edit(stub.open("/workspace/hidden.py", "python", FALLBACK), `${FALLBACK}\n`);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("treat the cells of a notebook as one program and appear in the cell they concern", async () => {
    const [half, interleaved] = TWO.split("\n\n").map((text, index) =>
      stub.open(URI.parse(`vscode-notebook-cell:/workspace/a.ipynb#${index}`), "python", text),
    );
    if (half === undefined || interleaved === undefined) throw new Error("no cells");
    stub.show([], [half, interleaved]);
    await found(interleaved, 1);
    expect(at(half)).toEqual([]);
    const [problem] = at(interleaved);
    expect(problem).toMatchObject({ code: { value: "code/two-layouts" }, range: { start: { line: 0, character: 4 } } });
    const [related] = problem?.relatedInformation ?? [];
    expect(related?.location).toMatchObject({ uri: half.uri, range: { start: { line: 1, character: 4 } } });
    stub.edit(half, "x = 1\n");
    await found(interleaved, 0);
  });

  it("have the severity from the settings", async () => {
    const document = open(FALLBACK);
    stub.set("posenc.rules", { "code/*": "error" });
    await found(document, 1);
    expect(at(document)).toMatchObject([{ severity: vscode.DiagnosticSeverity.Error }]);
    stub.set("posenc.rules", { "code/silent-fallback": "off" });
    await found(document, 0);
  });

  it("disappear when switched off and return when switched on", async () => {
    const document = open(FALLBACK);
    await found(document, 1);
    stub.set("posenc.python.diagnostics", false);
    expect(at(document)).toEqual([]);
    stub.edit(document, `${FALLBACK}\n`);
    await pause();
    expect(at(document)).toEqual([]);
    stub.set("posenc.python.diagnostics", true);
    await found(document, 1);
  });
});
