import * as vscode from "vscode";
import { type Completion, ropeCompletions } from "../../../core/completion/ropeCompletion.ts";
import { yamlCompletions } from "../../../core/completion/yamlCompletion.ts";
import type { EncodingSpec } from "../../../core/spec.ts";

const KINDS: Readonly<Record<Completion["kind"], vscode.CompletionItemKind>> = {
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.Value,
  snippet: vscode.CompletionItemKind.Snippet,
};

/** Where something is being typed, in the text of that moment. */
export interface Asked {
  readonly text: string;
  readonly offset: number;
  readonly position: vscode.Position;
}

/**
 * What may be typed at a position, in the order in which core gives it.
 * @param specs what a JSON file says now; null for YAML
 */
export function completionItems(
  { text, offset, position }: Asked,
  specs: readonly EncodingSpec[] | null,
): vscode.CompletionItem[] | undefined {
  const found = specs === null ? yamlCompletions(text, offset) : ropeCompletions(text, offset, specs);
  if (found === undefined) return undefined;
  const { line, character } = position;
  // Strings and words end with their line.
  const range = new vscode.Range(line, character - (offset - found.start), line, character + (found.end - offset));
  const quoted = text[found.start] === '"';
  return found.items.map((item, index) => toItem(item, index, range, quoted));
}

function toItem(
  { kind, label, detail, documentation, insert }: Completion,
  index: number,
  range: vscode.Range,
  quoted: boolean,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label, description: detail }, KINDS[kind]);
  item.detail = detail;
  item.documentation = documentation;
  item.insertText = new vscode.SnippetString(insert);
  item.range = range;
  // VS Code compares with the text in the range, its opening quote included.
  item.filterText = quoted ? JSON.stringify(label) : label;
  item.sortText = String(index).padStart(3, "0");
  return item;
}
