import type { Node } from "typescript/unstable/ast";
import {
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
} from "typescript/unstable/ast/is";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { URI } from "vscode-uri";
import { UserError } from "../../src/core/util/errors.ts";
import { readWeights } from "../../src/host/features/previewPanel/learnedWeights.ts";
import { reportFailure } from "../../src/host/platform/reportFailure.ts";
import { Hover, Position, Range, stub, window } from "../unit/stub/vscode.ts";
import { eventually } from "../unit/support/eventually.ts";
import { freshHost } from "../unit/support/freshHost.ts";
import { config } from "../unit/support/llamaConfig.ts";
import { findDanger, HOSTILE_NAMES, type TextKind } from "./support/names.ts";
import { descendants, readSources } from "./support/sources.ts";

/** Functions and constructors of VS Code that show text. */
const SHOWING =
  /^(?:show(?:Error|Warning|Information)Message|showQuickPick|showInputBox|createQuickPick|createInputBox|withProgress|setStatusBarMessage|createStatusBarItem|createTreeView|createWebviewPanel|showSaveDialog|showOpenDialog|MarkdownString|TreeItem|CodeLens|CodeAction|Diagnostic|DiagnosticRelatedInformation|CompletionItem|InlayHint)$/;

/** Properties of such objects that are text. */
const TEXT_PROPERTY =
  /^(?:tooltip|text|description|title|message|detail|documentation|label|badge|accessibilityInformation)$/;

/** The called function, constructor or assigned property of a node, if it shows text. */
function shownBy(node: Node): string | undefined {
  if (isCallExpression(node) || isNewExpression(node)) {
    const called = node.expression;
    const name = isPropertyAccessExpression(called) ? called.name.text : isIdentifier(called) ? called.text : "";
    return SHOWING.test(name) ? name : undefined;
  }
  if (!isBinaryExpression(node) || !isPropertyAccessExpression(node.left)) return undefined;
  const isAssignment = node.operatorToken.getText() === "=";
  return isAssignment && TEXT_PROPERTY.test(node.left.name.text) ? `.${node.left.name.text}` : undefined;
}

const findPlaces = (): string[] => [
  ...new Set(
    readSources(({ file, ast }) => {
      if (!file.startsWith("src/host/")) return [];
      return [...descendants(ast)].flatMap((node) => {
        const name = shownBy(node);
        return name === undefined ? [] : [`${file.slice("src/host/".length)}: ${name}`];
      });
    }),
  ),
];

/**
 * Every place where the host shows text. A new place belongs here once the tests below feed it hostile names, or with
 * the reason why it shows only the product's own texts.
 */
const PLACES: readonly string[] = [
  // The functions that escape.
  "platform/show.ts: showErrorMessage",
  "platform/show.ts: showQuickPick",
  "platform/show.ts: withProgress",
  // Tested below.
  "platform/configDiagnostics.ts: Diagnostic",
  "features/configLens/configLens.ts: CodeLens",
  "features/hover/provideCodeHover.ts: MarkdownString",
  "features/keyHover/provideKeyHover.ts: MarkdownString",
  "features/models/modelItems.ts: .accessibilityInformation",
  "features/models/modelItems.ts: .description",
  "features/models/modelItems.ts: .tooltip",
  "features/models/modelItems.ts: TreeItem",
  "features/previewPanel/previewSession.ts: .title",
  "features/sideView/sideSession.ts: .description",
  "features/statusBar/statusBar.ts: .accessibilityInformation",
  "features/statusBar/statusBar.ts: .text",
  "features/statusBar/statusBar.ts: .tooltip",
  "features/configFixes/codeActions.ts: CodeAction",
  "features/explain/codeLenses.ts: CodeLens",
  // Own texts: titles of encodings, names in the table of models, counts.
  "features/codeProblems/findCodeProblems.ts: DiagnosticRelatedInformation",
  "features/explain/explainActions.ts: CodeAction",
  "features/keyCompletion/completionItems.ts: .detail",
  "features/keyCompletion/completionItems.ts: .documentation",
  "features/keyCompletion/completionItems.ts: CompletionItem",
  "features/models/modelTree.ts: withProgress",
  "features/models/models.ts: .badge",
  "features/models/models.ts: .message",
  "features/models/models.ts: createTreeView",
  "features/previewEncoding/encodingTree.ts: .description",
  "features/previewEncoding/encodingTree.ts: .tooltip",
  "features/previewEncoding/encodingTree.ts: TreeItem",
  "features/previewPanel/panels.ts: createWebviewPanel",
  "features/sideView/sideSession.ts: .title",
  "features/statusBar/statusBar.ts: createStatusBarItem",
  // A dialog of the operating system, whose file name is cleaned by safeFileName.
  "features/previewPanel/saveFile.ts: showSaveDialog",
];

it("the host shows text only in places that these tests know", () => {
  expect(findPlaces().toSorted()).toEqual([...PLACES].toSorted());
});

function expectHarmless(kind: TextKind, text: string | undefined): void {
  expect({ text, danger: findDanger(kind, text ?? "") }).toEqual({ text, danger: undefined });
}

/** A config with this name in all its free texts. */
const hostileConfig = (name: string) =>
  config({
    model_type: name,
    architectures: [name],
    rope_scaling: { type: name, rope_type: name, factor: 4, [name]: 1 },
  });

const put = (path: string, text: string): URI => {
  const uri = URI.file(`/workspace/${path}`);
  stub.files.set(uri.toString(), new TextEncoder().encode(text));
  stub.found.push(uri);
  return uri;
};

describe.each(HOSTILE_NAMES)("the hostile name %j", (name) => {
  freshHost();
  beforeEach(() => void vi.restoreAllMocks());
  const folder = name.replaceAll("/", "∕");

  it("creates no link as an error in a notification", async () => {
    const log = { error: () => undefined, show: () => undefined };
    for (const error of [new UserError(name), new Error(name), name])
      Reflect.apply(reportFailure, undefined, [log, "test", error]);
    await stub.handlers.get("posenc.compareConfigs")?.(URI.file(`/workspace/${folder}/config.json`), [
      URI.file(`/workspace/${folder}/config.json`),
      URI.file(`/workspace/${folder}/gone.json`),
    ]);
    expect(stub.errors).toHaveLength(4);
    for (const shown of stub.errors) expectHarmless("notification", shown);
  });

  it("is shown literally as a folder in the models view", async () => {
    put(`${folder}/config.json`, hostileConfig(name));
    put(`${folder}/a_config.json`, "{");
    const provider = stub.trees.get("posenc.models")?.provider;
    const rows = async (node?: unknown): Promise<void> => {
      for (const child of (await provider?.getChildren(node)) ?? []) {
        const item = await provider?.getTreeItem(child);
        for (const text of [item?.label, item?.description]) expectHarmless("plain", text);
        expectHarmless("lines", item?.tooltip);
        expect(item?.tooltip?.split("\n").length ?? 0).toBeLessThanOrEqual(3);
        await rows(child);
      }
    };
    await rows();
  });

  it("is shown literally as a folder in a quick pick, which returns the file", async () => {
    const uri = put(`${folder}/config.json`, hostileConfig(name));
    stub.open(uri, "json", hostileConfig(name));
    stub.pick = (items) => {
      for (const item of items) {
        const { label, description } = Object(item);
        for (const text of [label, description]) expectHarmless("label", text);
      }
      return items[0];
    };
    const shown = vi.spyOn(window, "showQuickPick");
    await stub.handlers.get("posenc.compareConfigs")?.(uri);
    expect(shown).toHaveBeenCalledOnce();
    const [, options] = Array.from<unknown>(shown.mock.calls[0] ?? []);
    expectHarmless("plain", Reflect.get(Object(options), "title"));
    expect(stub.errors).toEqual([]);
    expect(stub.panels).toHaveLength(1);
    expectHarmless("plain", stub.panels[0]?.title);
  });

  it("is shown literally as a folder while a checkpoint is read", async () => {
    const progress = vi.spyOn(window, "withProgress");
    const uri = URI.file(`/workspace/${folder}/model.safetensors`);
    await expect(
      readWeights({ encoding: "learned_absolute", uri: uri.toString(), tensor: name, params: {} }),
    ).rejects.toThrow();
    const title: unknown = Reflect.get(Object(progress.mock.calls[0]?.[0]), "title");
    expectHarmless("label", String(title));
    expectHarmless("notification", String(title));
  });

  it("is shown literally as config keys and values in status bar, lenses, diagnostics, fixes and side view", async () => {
    const document = stub.open(`/workspace/${folder}/config.json`, "json", hostileConfig(name));
    stub.activate(document);
    const side = await stub.openView("posenc.side");
    const [item] = stub.statusItems;
    await eventually(() => expect(item?.visible).toBe(true));
    expectHarmless("label", item?.text.replace(/\$\((?:error|warning|info)\) \d/, ""));
    expectHarmless("lines", item?.tooltip);
    expectHarmless("plain", item?.accessibilityInformation?.label);
    await eventually(() => expect(stub.diagnostics.get(document.uri.toString())?.length).toBeGreaterThan(0));
    for (const { message } of stub.diagnostics.get(document.uri.toString()) ?? []) expectHarmless("plain", message);
    const token = { isCancellationRequested: false };
    for (const { provideCodeLenses } of stub.lenses)
      for (const lens of Array.from(Object(await provideCodeLenses(document, token))))
        expectHarmless("label", String(Object(lens).command.title).replace("$(open-preview)", ""));
    const everywhere = new Range(0, 0, 0, document.text.length);
    for (const provider of stub.codeActions)
      for (const { title } of await provider.provideCodeActions(document, everywhere, { triggerKind: 2 }, token))
        expectHarmless("plain", title);
    expectHarmless("plain", side.description);
  });

  it("is escaped as config keys and values in hovers", async () => {
    const document = stub.open(`/workspace/${folder}/config.json`, "json", hostileConfig(name));
    const token = { isCancellationRequested: false };
    for (let character = 0; character < document.text.length; character += 8)
      for (const provider of stub.hovers) {
        const hover = await provider.provideHover(document, new Position(0, character), token);
        for (const { value, isTrusted } of hover instanceof Hover ? hover.contents : []) {
          expect(isTrusted).not.toBe(true);
          for (const [, target] of value.matchAll(/(?<!\\)\]\(([^)]*)/g))
            expect(target).toMatch(
              /^(?:command:posenc\.(?:previewConfig|openRule|openPanel)\?|data:image\/|https:\/\/(?!evil))/,
            );
          expect(value).not.toMatch(/<img src=x/);
        }
      }
  });
});
