import { applyEdits, type Edit, modify, type Node, parseTree } from "jsonc-parser";
import type { Fix, FixChange } from "../problems.ts";
import { findNode } from "../text/findNode.ts";

/**
 * Applies a fix in place; comments, order and indentation of the rest stay.
 * @param text without byte order mark
 */
export function applyFix(text: string, { changes }: Fix): string {
  return changes.reduce(applyChange, text);
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

function applyChange(text: string, change: FixChange): string {
  const { path, value, raw, renameTo } = change;
  if (renameTo !== undefined)
    return replaceNode(text, path, JSON.stringify(renameTo), (node) => node?.parent?.children?.[0]);
  if (raw !== undefined) return replaceNode(text, path, raw, (node) => node);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: !/^\t/m.test(text), tabSize: detectIndent(text), eol };
  return editWithUniqueKeys(text, path, (unique) =>
    applyEdits(unique, modify(unique, [...path], value, { formattingOptions })),
  );
}

type SelectNode = (node: Node | undefined) => Node | undefined;

/** Replaces the value at a path, or another node that `select` derives from it (its key). */
function replaceNode(text: string, path: FixChange["path"], content: string, select: SelectNode): string {
  const node = select(findNode(parseTree(text), path));
  return node === undefined ? text : applyEdits(text, [{ offset: node.offset, length: node.length, content }]);
}

/**
 * Edits a text in which each key on the path occurs once: `modify` takes the first of duplicate keys, but the last one
 * counts. The earlier ones have another name while `edit` runs. They are all before the place that it changes.
 */
function editWithUniqueKeys(text: string, path: FixChange["path"], edit: (text: string) => string): string {
  const earlier = findEarlierKeys(parseTree(text), path);
  if (earlier.length === 0) return edit(text);
  let name = "duplicate";
  while (text.includes(name)) name += name;
  const placeholder = JSON.stringify(name);
  const unique = applyEdits(
    text,
    earlier.map(({ offset, length }) => ({ offset, length, content: placeholder })),
  );
  const spellings = earlier.map(({ offset, length }) => text.slice(offset, offset + length));
  return edit(unique).replaceAll(placeholder, () => spellings.shift() ?? placeholder);
}

/** Keys on the path that a later key of the same object overrides, in the order of the text. */
function findEarlierKeys(root: Node | undefined, path: FixChange["path"]): Node[] {
  return path.flatMap((step, depth) => {
    const parent = findNode(root, path.slice(0, depth));
    const keys =
      parent?.type === "object" ? (parent.children ?? []).flatMap(({ children }) => children?.[0] ?? []) : [];
    return keys.filter(({ value }) => value === step).slice(0, -1);
  });
}

/** The smallest indentation of a key, so that one badly indented line does not count. */
function detectIndent(text: string): number {
  const indents = [...text.matchAll(/^( +)"/gm)].map(([, spaces = ""]) => spaces.length);
  return indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 2);
}
