import { describe, expect, it } from "vitest";
import { buildLinkQuery, makePortable, readLinkQuery } from "../../../../src/core/protocol/link.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingSpec } from "../../../../src/core/spec.ts";

const CONFIG = { uri: "file:///home/someone/secret/config.json", index: 0 };

const SPEC: EncodingSpec = {
  encoding: "rope",
  where: "text",
  layers: "all",
  params: { rope_theta: 1_000_000, head_dim: 64, sliding_window: 4096 },
  sources: { rope_theta: "config", head_dim: "derived", sliding_window: "config" },
  evidence: [],
  confidence: "checked",
};

const linkOf = (value: unknown) => `state=${Buffer.from(JSON.stringify(value)).toString("base64url")}`;

describe("a link", () => {
  it("restores the same view and stays short", () => {
    const state: PanelState = {
      ...initialPanelState("rope"),
      view: "attention",
      changes: { rope_theta: 500_000, rope_type: "yarn", factor: 4 },
      keyLength: 131_072,
      queryLength: 131_072,
      crosshair: { row: 5, column: 3 },
      tokens: ["我", "喜欢", "🍎"],
    };
    const query = buildLinkQuery(state);
    expect(query.length).toBeLessThan(600);
    expect(query).toMatch(/^state=[A-Za-z0-9_-]+$/);
    expect(readLinkQuery(query)).toEqual(state);
  });

  it("contains the values of configs and never their path", () => {
    const compare = { encoding: "rope", config: { ...CONFIG, index: 1 }, given: null, changes: { factor: 2 } };
    const bound: PanelState = { ...initialPanelState("rope"), config: CONFIG, changes: { head_dim: 32 }, compare };
    const query = buildLinkQuery(makePortable(bound, SPEC, SPEC));
    const state = readLinkQuery(query);
    expect(state).toMatchObject({
      config: null,
      given: { name: null, values: { rope_theta: 1_000_000, head_dim: 64 }, sources: { rope_theta: "config" } },
      changes: { head_dim: 32 },
      compare: { config: null, given: { values: { rope_theta: 1_000_000 } }, changes: { factor: 2 } },
    });
    expect(state?.given?.values).not.toHaveProperty("sliding_window");
    expect(Buffer.from(query.slice("state=".length), "base64url").toString()).not.toMatch(/secret|file:/);
  });

  it("omits a side whose config cannot be read, and keeps values from an earlier link", () => {
    const compare = { encoding: "rope", config: CONFIG, given: null, changes: {} };
    const given = { name: "Llama 3.1 8B", values: { rope_theta: 500_000 }, sources: {} };
    const state = makePortable({ ...initialPanelState("rope"), given, compare }, null, null);
    expect(state).toMatchObject({ given, compare: null });
  });

  it("is refused if it is too long to open", () => {
    const changes = { short_factor: Array.from({ length: 1000 }, (_, k) => 1 + k / 7) };
    expect(() => buildLinkQuery({ ...initialPanelState("rope"), changes })).toThrow(/too large to share as a link/);
  });
});

describe("a hostile link", () => {
  it.each([
    ["an empty query", ""],
    ["another parameter", "stat=abc"],
    ["two parameters", `${linkOf({ encoding: "rope" })}&state=x`],
    ["invalid base64", "state=%7B%7D"],
    ["invalid UTF-8", "state=_____w"],
    ["invalid JSON", `state=${Buffer.from("{").toString("base64url")}`],
    ["a list", linkOf([])],
    ["deep nesting", `state=${Buffer.from("[".repeat(5000)).toString("base64url")}`],
    ["no encoding", linkOf({ view: "scores" })],
    ["an unknown encoding", linkOf({ encoding: "rm -rf" })],
    ["a prototype's property as encoding", linkOf({ encoding: "__proto__" })],
    ["an unknown view", linkOf({ encoding: "rope", view: "../../secret" })],
    ["excessive lengths", linkOf({ encoding: "rope", keyLength: 1e300, queryLength: 1e300 })],
    ["a shift beyond all positions", linkOf({ encoding: "rope", shift: -1e15 })],
    ["no finite numbers", linkOf({ encoding: "rope", viewport: { row: "0", column: 0, rows: 1, columns: 1 } })],
    ["objects as values", linkOf({ encoding: "rope", changes: { rope_theta: { evil: true } } })],
    ["too much", linkOf({ encoding: "rope", tokens: Array.from({ length: 4000 }, () => "x") })],
  ])("with %s is refused", (_what, query) => {
    expect(readLinkQuery(query)).toBeUndefined();
  });

  it("opens no file on either side", () => {
    const side = { encoding: "alibi", config: CONFIG, changes: {} };
    const state = readLinkQuery(linkOf({ encoding: "rope", config: CONFIG, compare: side }));
    expect(state).toMatchObject({ config: null, compare: null });
  });

  it("changes no shared object", () => {
    readLinkQuery(
      `state=${Buffer.from('{"encoding":"rope","changes":{"__proto__":{"polluted":1}}}').toString("base64url")}`,
    );
    expect(Object.keys({})).toEqual([]);
    expect(Object.prototype).not.toHaveProperty("polluted");
  });
});
