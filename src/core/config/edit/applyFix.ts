import { applyEdits, type Edit, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";
import type { Fix, FixChange } from "../problems.ts";

/**
 * Applies a fix in place; comments, order and indentation of the rest stay.
 * @param text without byte order mark
 */
export function applyFix(text: string, { changes }: Fix): string {
  return changes.reduce((current, change) => applyEdits(current, computeEdits(current, change)), text);
}

/** A fix as one edit (offsets into `text`), for editors that apply it themselves. */
export function fixEdit(text: string, fix: Fix): Edit {
  return minimalEdit(text, applyFix(text, fix));
}

/** The smallest single edit between two texts: what lies between their common start and end. */
export function minimalEdit(text: string, edited: string): Edit {
  let start = 0;
  while (start < text.length && text[start] === edited[start]) start++;
  let tail = 0;
  const maxTail = Math.min(text.length, edited.length) - start;
  while (tail < maxTail && text.at(-1 - tail) === edited.at(-1 - tail)) tail++;
  return { offset: start, length: text.length - tail - start, content: edited.slice(start, edited.length - tail) };
}

function computeEdits(text: string, { path, value, raw, renameTo }: FixChange): Edit[] {
  if (renameTo !== undefined)
    return replaceNode(text, path, JSON.stringify(renameTo), (node) => node?.parent?.children?.[0]);
  if (raw !== undefined) return replaceNode(text, path, raw, (node) => node);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: detectIndent(text), eol };
  return modify(text, [...path], value, { formattingOptions });
}

type SelectNode = (node: Node | undefined) => Node | undefined;

/** Replaces the value at a path, or another node that `select` derives from it (its key). */
function replaceNode(text: string, path: FixChange["path"], content: string, select: SelectNode): Edit[] {
  const root = parseTree(text);
  const node = select(root === undefined ? undefined : findNodeAtLocation(root, [...path]));
  return node === undefined ? [] : [{ offset: node.offset, length: node.length, content }];
}

/** The smallest indentation of a key, so that one badly indented line does not count. */
function detectIndent(text: string): number {
  const indents = [...text.matchAll(/^( +)"/gm)].map(([, spaces = ""]) => spaces.length);
  return indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 2);
}
