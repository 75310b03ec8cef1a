import { t } from "@vscode/l10n";
import { encodingById } from "../encodings/index.ts";
import { findParameter, knownParams } from "../encodings/support/schema.ts";
import type { EncodingSpec } from "../spec.ts";
import { UserError } from "../util/errors.ts";
import { readPanelLink } from "./guards.ts";
import { type Given, initialPanelState, type PanelState } from "./state.ts";

/** A panel as a link: what is shown, and no file. */

// Hosts, pages and workers all have these; core's project has neither Node's types nor the DOM's.
declare function atob(text: string): string;
declare function btoa(bytes: string): string;
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

/** Longest query that systems hand over without cutting it. */
const LONGEST = 8000;

/** As far as positions go: a link that asks for more asks for trouble. */
const FARTHEST = 10_000_000;

/** What a config says of an encoding, as values that stand by themselves. */
function givenBySpec({ encoding: id, params, sources }: EncodingSpec): Given | null {
  const encoding = encodingById(id);
  if (encoding === undefined) return null;
  const known: Given["sources"] = {};
  for (const [name, source] of Object.entries(sources)) {
    const parameter = findParameter(encoding, name);
    if (parameter !== undefined && source !== "you") known[parameter.name] = source;
  }
  return { name: null, values: { ...knownParams(encoding, params) }, sources: known };
}

/** The same picture without any file: what configs say of both sides travels as values, what a file holds does not. */
export function portableState(state: PanelState, spec: EncodingSpec | null, compared: EncodingSpec | null): PanelState {
  const { compare } = state;
  const sideB =
    compare === null || (compare.config !== null && compared === null)
      ? null
      : { ...compare, config: null, given: compared === null ? compare.given : givenBySpec(compared) };
  const given = spec === null ? state.given : givenBySpec(spec);
  const content = portableContent(state.content);
  return { ...state, config: null, weights: null, content, given, compare: sideB };
}

/** Content of a file is none in a link. */
function portableContent(content: PanelState["content"]): PanelState["content"] {
  return typeof content === "object" && "checkpoint" in content ? "ones" : content;
}

/** The state as far as it refers to no file. */
export function withoutFiles(state: PanelState): PanelState {
  const compare = state.compare?.config === null ? state.compare : null;
  return { ...state, config: null, weights: null, content: portableContent(state.content), compare };
}

/** Only what differs from a fresh panel, so that links stay short. */
function differences(state: PanelState): Record<string, unknown> {
  const fresh = new Map<string, unknown>(Object.entries(initialPanelState(state.encoding)));
  const changed = Object.entries(state).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(fresh.get(name)),
  );
  return { encoding: state.encoding, ...Object.fromEntries(changed) };
}

/**
 * The query of a link, `state=…`.
 * @throws UserError when it would be too long to be handed over
 */
export function linkQuery(state: PanelState): string {
  const bytes = new TextEncoder().encode(JSON.stringify(differences(withoutFiles(state))));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const query = `state=${base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  if (query.length > LONGEST)
    throw new UserError(
      t("This view is too large to share as a link: {0} characters, limit {1}.", query.length, LONGEST),
    );
  return query;
}

function decode(base64: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The state of a link, or undefined for anything that is not one. It never refers to a file. */
export function readLinkQuery(query: string): PanelState | undefined {
  if (query.length > LONGEST) return undefined;
  const [, base64] = /^state=([A-Za-z0-9_-]+)$/.exec(query) ?? [];
  const state = base64 === undefined ? undefined : readPanelLink(decode(base64));
  if (state === undefined) return undefined;
  const far = [state.queryLength, state.keyLength, Math.abs(state.shift)].some((length) => length > FARTHEST);
  return far ? undefined : withoutFiles(state);
}
