import type { Node } from "jsonc-parser";
import { findNode } from "./findNode.ts";
import { createPositionLookup, type JsonDocument } from "./json.ts";

/** Options of one command line; more are not a program's. */
const MAX_OPTIONS = 2000;

/**
 * An option and its value, in a shell script, a list of strings or a string: `--num-layers 32`, `--num-layers=32`,
 * `"--num-layers", "32"`. A value does not begin with two dashes.
 */
const OPTION =
  /(?<![\w-])--([a-z][a-z\d_-]{1,60})(?:["']?(?:\s*[,=:]\s*|[ \t]+|[ \t]*\n\s*-\s+)(?!--|\\)["']?([\w.+-]{1,60}|\$\{?\w{1,60}\}?)["']?)?/g;

/** A variable of a shell script: `HIDDEN=4096`. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,60})=["']?([\w.+-]{1,60})["']?[ \t]*(?:#.*)?$/gm;

/**
 * Reads the options of a command line as one object, with their places; comments are left out. Variables that the text
 * sets once are resolved, others stay `${NAME}`. Undefined if an option has two values: the text describes two models.
 */
export function readOptions(text: string): JsonDocument | undefined {
  const code = text.replace(/(^|\s)#[^\n]*/g, (comment) => comment.replace(/[^\n]/g, " "));
  const variables = readVariables(code);
  const properties = new Map<string, Node>();
  for (const match of code.matchAll(OPTION)) {
    const property = createProperty(match, variables);
    const name = String(property.children?.[0]?.value);
    const known = properties.get(name);
    if (known !== undefined && known.children?.[1]?.value !== property.children?.[1]?.value) return undefined;
    if (properties.size >= MAX_OPTIONS) return undefined;
    properties.set(name, property);
  }
  return createDocument(text, { type: "object", offset: 0, length: text.length, children: [...properties.values()] });
}

function createProperty(match: RegExpExecArray, variables: ReadonlyMap<string, string | undefined>): Node {
  const [whole, name = "", written] = match;
  const key: Node = { type: "string", value: `--${name}`, offset: match.index, length: name.length + 2 };
  const end = match.index + whole.replace(/["']$/, "").length;
  const value: Node =
    written === undefined
      ? { type: "boolean", value: true, offset: key.offset, length: key.length }
      : { ...scalar(resolve(written, variables)), offset: end - written.length, length: written.length };
  return { type: "property", offset: key.offset, length: end - key.offset, children: [key, value] };
}

/** Of a variable with several values, none is known. */
function readVariables(code: string): ReadonlyMap<string, string | undefined> {
  const variables = new Map<string, string | undefined>();
  for (const [, name = "", value] of code.matchAll(ASSIGNMENT))
    variables.set(name, variables.has(name) && variables.get(name) !== value ? undefined : value);
  return variables;
}

function resolve(written: string, variables: ReadonlyMap<string, string | undefined>): string {
  const name = /^\$\{?(\w+)\}?$/.exec(written)?.[1];
  if (name === undefined) return written;
  return variables.get(name) ?? `\${${name}}`;
}

function scalar(text: string): { readonly type: "number" | "boolean" | "string"; readonly value: unknown } {
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return { type: "number", value: Number(text) };
  if (/^(?:true|false)$/i.test(text)) return { type: "boolean", value: text.toLowerCase() === "true" };
  return { type: "string", value: text };
}

function createDocument(text: string, root: Node): JsonDocument {
  const positions = createPositionLookup(text);
  return {
    root,
    error: null,
    rangeOf: (node) => ({ start: positions(node.offset), end: positions(node.offset + node.length) }),
    valueOf: (node) =>
      node.type === "object"
        ? Object.fromEntries((node.children ?? []).map(({ children }) => [children?.[0]?.value, children?.[1]?.value]))
        : node.value,
    textAt: (path) => {
      const node = findNode(root, path);
      return node === undefined ? undefined : text.slice(node.offset, node.offset + node.length);
    },
  };
}
