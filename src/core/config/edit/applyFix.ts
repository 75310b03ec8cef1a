import { applyEdits, type Edit, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";
import type { Fix, FixChange } from "../problems.ts";
import { findLastNode } from "./findLastNode.ts";

/**
 * Applies a fix in place; comments, order and indentation of the rest stay.
 * @param text without byte order mark
 */
export function applyFix(text: string, { changes }: Fix): string {
  return changes.reduce(applyChange, text);
}

/** Duplicates of a key that are removed; more are a flood. */
const MAX_REMOVED = 100;

function applyChange(text: string, change: FixChange): string {
  const isRemoval = change.renameTo === undefined && change.raw === undefined && change.value === undefined;
  let current = applyEdits(text, computeEdits(text, change));
  // An earlier duplicate of a removed key would count from now on.
  for (let n = 0; isRemoval && n < MAX_REMOVED && findLastNode(parseTree(current), change.path) !== undefined; n++)
    current = applyEdits(current, computeEdits(current, change));
  return current;
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
  const root = parseTree(text);
  const counts = findLastNode(root, path);
  const isDuplicate = root !== undefined && counts !== findNodeAtLocation(root, [...path]);
  if (value !== undefined && isDuplicate) return replaceNode(text, path, JSON.stringify(value), (node) => node);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: detectIndent(text), eol };
  return modify(text, [...path], value, { formattingOptions });
}

type SelectNode = (node: Node | undefined) => Node | undefined;

/** Replaces the value at a path, or another node that `select` derives from it (its key). */
function replaceNode(text: string, path: FixChange["path"], content: string, select: SelectNode): Edit[] {
  const node = select(findLastNode(parseTree(text), path));
  return node === undefined ? [] : [{ offset: node.offset, length: node.length, content }];
}

/** The smallest indentation of a key, so that one badly indented line does not count. */
function detectIndent(text: string): number {
  const indents = [...text.matchAll(/^( +)"/gm)].map(([, spaces = ""]) => spaces.length);
  return indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 2);
}
