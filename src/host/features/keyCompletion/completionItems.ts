import * as vscode from "vscode";
import { type Completion, ropeCompletions } from "../../../core/completion/ropeCompletion.ts";
import { yamlCompletions } from "../../../core/completion/yamlCompletion.ts";
import type { EncodingSpec } from "../../../core/spec.ts";

const ITEM_KINDS: Readonly<Record<Completion["kind"], vscode.CompletionItemKind>> = {
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  snippet: vscode.CompletionItemKind.Snippet,
};

/** The cursor in the text at the time of the request. */
export interface CompletionRequest {
  readonly text: string;
  readonly offset: number;
  readonly position: vscode.Position;
}

/**
 * Completions at a position, in the order that core returns.
 * @param specs encodings of the JSON file as it is now; null for YAML
 */
export function createCompletionItems(
  { text, offset, position }: CompletionRequest,
  specs: readonly EncodingSpec[] | null,
): vscode.CompletionItem[] | undefined {
  const completions = specs === null ? yamlCompletions(text, offset) : ropeCompletions(text, offset, specs);
  if (completions === undefined) return undefined;
  const { line, character } = position;
  // The replaced string or word is on one line.
  const range = new vscode.Range(
    line,
    character - (offset - completions.start),
    line,
    character + (completions.end - offset),
  );
  const isQuoted = text[completions.start] === '"';
  return completions.items.map((item, index) => toCompletionItem(item, index, range, isQuoted));
}

function toCompletionItem(
  { kind, label, detail, documentation, insert }: Completion,
  index: number,
  range: vscode.Range,
  isQuoted: boolean,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label, description: detail }, ITEM_KINDS[kind]);
  item.detail = detail;
  item.documentation = documentation;
  item.insertText = new vscode.SnippetString(insert);
  item.range = range;
  // VS Code filters by the text in the range, which includes the opening quote.
  item.filterText = isQuoted ? JSON.stringify(label) : label;
  item.sortText = String(index).padStart(3, "0");
  return item;
}
