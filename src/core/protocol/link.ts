import * as l10n from "@vscode/l10n";
import { encodingById } from "../encodings/index.ts";
import { findParameter, pickKnownParams } from "../encodings/support/schema.ts";
import type { EncodingSpec } from "../spec.ts";
import { UserError } from "../util/errors.ts";
import { readPanelLink } from "./guards.ts";
import { initialPanelState, type PanelState, type Preset } from "./state.ts";

/** Links to a panel. They contain its state and refer to no file. */

// Available in hosts, pages and workers; core's project includes neither Node's nor the DOM's types.
declare function atob(text: string): string;
declare function btoa(bytes: string): string;
declare class TextEncoder {
  encode(text: string): Uint8Array;
}

/** Longest query, in characters, that all systems pass on without truncation. */
const MAX_QUERY_LENGTH = 8000;

/** Values of a config's encoding as a preset that does not refer to the file. */
export function presetFromSpec({ encoding: id, params, sources }: EncodingSpec): Preset | null {
  const encoding = encodingById(id);
  if (encoding === undefined) return null;
  const knownSources: Preset["sources"] = {};
  for (const [name, source] of Object.entries(sources)) {
    const parameter = findParameter(encoding, name);
    if (parameter !== undefined && source !== "you") knownSources[parameter.name] = source;
  }
  return { name: null, values: { ...pickKnownParams(encoding, params) }, sources: knownSources };
}

/**
 * The same view without files: values of the configs of both sides become presets, values of other files are dropped.
 */
export function makePortable(state: PanelState, spec: EncodingSpec | null, compared: EncodingSpec | null): PanelState {
  const { compare } = state;
  const sideB =
    compare === null || (compare.config !== null && compared === null)
      ? null
      : { ...compare, config: null, given: compared === null ? compare.given : presetFromSpec(compared) };
  const preset = spec === null ? state.given : presetFromSpec(spec);
  const content = makeContentPortable(state.content);
  return { ...state, config: null, weights: null, content, given: preset, compare: sideB };
}

/** Replaces content from a checkpoint, which a link must not refer to. */
function makeContentPortable(content: PanelState["content"]): PanelState["content"] {
  return typeof content === "object" && "checkpoint" in content ? "ones" : content;
}

/** The state without references to files. */
export function withoutFiles(state: PanelState): PanelState {
  const compare = state.compare?.config === null ? state.compare : null;
  return { ...state, config: null, weights: null, content: makeContentPortable(state.content), compare };
}

/** Only values that differ from the initial state, to keep links short. */
function changedValues(state: PanelState): Record<string, unknown> {
  const fresh = new Map<string, unknown>(Object.entries(initialPanelState(state.encoding)));
  const changed = Object.entries(state).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(fresh.get(name)),
  );
  return { encoding: state.encoding, ...Object.fromEntries(changed) };
}

/**
 * The query of a link, `state=…`.
 * @throws UserError if the query would be too long
 */
export function buildLinkQuery(state: PanelState): string {
  const bytes = new TextEncoder().encode(JSON.stringify(changedValues(withoutFiles(state))));
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const query = `state=${base64
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "")}`;
  if (query.length > MAX_QUERY_LENGTH)
    throw new UserError(
      l10n.t("This view is too large to share as a link: {0} characters, limit {1}.", query.length, MAX_QUERY_LENGTH),
    );
  return query;
}

function decodeJson(base64: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(base64.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The state of a link, without references to files; undefined if the link is invalid. */
export function readLinkQuery(query: string): PanelState | undefined {
  if (query.length > MAX_QUERY_LENGTH) return undefined;
  const [, base64] = /^state=([A-Za-z0-9_-]+)$/.exec(query) ?? [];
  const state = base64 === undefined ? undefined : readPanelLink(decodeJson(base64));
  return state === undefined ? undefined : withoutFiles(state);
}
