import { describe, expect, it } from "vitest";
import { URI } from "vscode-uri";
import { readPanelLink } from "../../../../src/core/protocol/guards.ts";
import * as feature from "../../../../src/host/features/explain/explain.ts";
import * as vscode from "../../stub/vscode.ts";
import { stub } from "../../stub/vscode.ts";
import { freshPythonFeature } from "../../support/freshPythonFeature.ts";
import { setLanguage } from "../../support/setLanguage.ts";

const python = freshPythonFeature(feature.register);

const CODE = `
def frequencies(dim=64, base=54321.0):
    inv_freq = 1.0 / (base ** (torch.arange(0, dim, 2) / dim))
    return inv_freq

def total(numbers):
    return sum(numbers)
`;
const open = () => stub.open("/workspace/a.py", "python", CODE);
const { Invoke, Automatic } = vscode.CodeActionTriggerKind;

async function actions(document: vscode.StubDocument, word: string, triggerKind: number = Invoke) {
  const before = document.text.slice(0, document.text.indexOf(word)).split("\n");
  const place = [before.length - 1, before.at(-1)?.length ?? 0] as const;
  const range = new vscode.Range(...place, ...place);
  const token = { isCancellationRequested: false };
  return (await stub.codeActions[0]?.provideCodeActions(document, range, { triggerKind }, token)) ?? [];
}

describe("the command Explain position encoding", () => {
  it("is offered at a position encoding and shows its hover", async () => {
    const [action, ...others] = await actions(open(), "inv_freq");
    expect(others).toEqual([]);
    expect(action).toMatchObject({
      title: "Explain position encoding",
      command: { command: "editor.action.showHover", arguments: [{ focus: "autoFocusImmediately" }] },
    });
  });

  it("is not offered elsewhere and parses nothing while the cursor moves", async () => {
    const document = open();
    expect(await actions(document, "inv_freq", Automatic)).toEqual([]);
    expect(python.isParsed(document)).toBe(false);
    expect(await actions(document, "sum(")).toEqual([]);
  });
});

describe("lenses above Python functions", () => {
  const lenses = async (document: vscode.StubDocument, isCancellationRequested = false) =>
    (await stub.lenses[0]?.provideCodeLenses(document, { isCancellationRequested })) as vscode.CodeLens[];

  it("are absent by default and then parse nothing", async () => {
    const document = open();
    expect(await lenses(document)).toEqual([]);
    expect(python.isParsed(document)).toBe(false);
  });

  it("are not computed after the request is cancelled", async () => {
    stub.set("posenc.python.codeLens", true);
    const document = open();
    expect(await lenses(document, true)).toEqual([]);
    expect(python.isParsed(document)).toBe(false);
  });

  it("belong to one cell and use definitions of earlier cells", async () => {
    stub.set("posenc.python.codeLens", true);
    const [constants, cell] = [
      "BASE = 43210.0\ndef get_slopes(n):\n    return [2 ** (-8 * i / n) for i in range(n)]\n",
      CODE,
    ].map((text, index) => stub.open(URI.parse(`vscode-notebook-cell:/workspace/a.ipynb#${index}`), "python", text));
    if (constants === undefined || cell === undefined) throw new Error("no cells");
    stub.edit(cell, CODE.replace("54321.0", "BASE"));
    stub.notebook([constants, cell]);
    const [lens, ...others] = await lenses(cell);
    expect(readPanelLink(lens?.command?.arguments?.[0])).toMatchObject({ given: { values: { rope_theta: 43210 } } });
    expect(lens?.range.start).toMatchObject({ line: 1, character: 4 });
    expect(others).toEqual([]);
  });

  it("name the encoding in either language and open the panel with the values of the code", async () => {
    stub.set("posenc.python.codeLens", true);
    const [lens, ...others] = await lenses(open());
    expect(others).toEqual([]);
    expect(lens?.range.start.line).toBe(1);
    expect(lens?.command?.title).toMatch(/^\$\(open-preview\) RoPE — /);
    expect(lens?.command?.command).toBe("posenc.openPanel");
    const state = readPanelLink(lens?.command?.arguments?.[0]);
    expect(state).toMatchObject({
      encoding: "rope",
      changes: {},
      given: { values: { rope_theta: 54321, head_dim: 64 }, sources: { rope_theta: "code", head_dim: "code" } },
    });
    await setLanguage("zh-cn");
    const [chinese] = await lenses(open());
    await setLanguage("en");
    expect(chinese?.command?.title).toMatch(/[\u4e00-\u9fff]/);
  });
});
