import { applyEdits, type Edit, findNodeAtLocation, modify, type Node, parseTree } from "jsonc-parser";
import type { Fix, FixChange } from "../problems.ts";

/**
 * Text with a fix applied in place: comments, order and indentation of the rest are kept.
 * @param text without byte order mark
 */
export function applyFix(text: string, { changes }: Fix): string {
  return changes.reduce((current, change) => applyEdits(current, editsOf(current, change)), text);
}

/** A fix as one edit, for editors that apply it themselves: what differs, offsets into `text`. */
export function fixEdit(text: string, fix: Fix): Edit {
  return replacement(text, applyFix(text, fix));
}

/** The one edit that makes one text of another: what lies between the start and the end that they share. */
export function replacement(text: string, fixed: string): Edit {
  let start = 0;
  while (start < text.length && text[start] === fixed[start]) start++;
  let tail = 0;
  const most = Math.min(text.length, fixed.length) - start;
  while (tail < most && text.at(-1 - tail) === fixed.at(-1 - tail)) tail++;
  return { offset: start, length: text.length - tail - start, content: fixed.slice(start, fixed.length - tail) };
}

function editsOf(text: string, { path, value, raw, rename }: FixChange): Edit[] {
  if (rename !== undefined) return nodeEdit(text, path, JSON.stringify(rename), (node) => node?.parent?.children?.[0]);
  if (raw !== undefined) return nodeEdit(text, path, raw, (node) => node);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: indentOf(text), eol };
  return modify(text, [...path], value, { formattingOptions });
}

type Pick = (node: Node | undefined) => Node | undefined;

/** Puts `content` in the place of the value at a path, or of what `pick` makes of it (its key). */
function nodeEdit(text: string, path: FixChange["path"], content: string, pick: Pick): Edit[] {
  const root = parseTree(text);
  const node = pick(root === undefined ? undefined : findNodeAtLocation(root, [...path]));
  return node === undefined ? [] : [{ offset: node.offset, length: node.length, content }];
}

/** The least that a key is indented: one line that is out of step must not move others. */
function indentOf(text: string): number {
  const indents = [...text.matchAll(/^( +)"/gm)].map(([, spaces = ""]) => spaces.length);
  return indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 2);
}
