import { describe, expect, it } from "vitest";
import { ENCODINGS } from "../../src/core/encodings/index.ts";
import { readPanelState } from "../../src/core/protocol/guards.ts";
import { buildLinkQuery, readLinkQuery } from "../../src/core/protocol/link.ts";
import { initialPanelState, MAX_SEQUENCE_LENGTH, MAX_WORDS } from "../../src/core/protocol/state.ts";
import { derivePanelEncoding } from "../../webview/state/panelEncoding.ts";

const linkOf = (value: object) =>
  `state=${Buffer.from(JSON.stringify({ encoding: "rope", ...value })).toString("base64url")}`;

/** Numbers and lists that no control of the panel can enter. */
const REFUSED: readonly (readonly [string, object])[] = [
  ["a length beyond the field's", { queryLength: MAX_SEQUENCE_LENGTH + 1 }],
  ["keys beyond all", { keyLength: 1e15 }],
  ["a negative shift", { shift: -1 }],
  ["a shift beyond all", { shift: 1e12 }],
  ["a head beyond all", { head: 1e12 }],
  ["a window beyond all", { window: 1e12 }],
  ["a chunk beyond all", { chunk: 2 ** 53 }],
  ["first tokens beyond all", { keepFirst: 1e12 }],
  ["a training context beyond all", { trained: 1e15 }],
  ["a seed beyond the field's", { content: { seed: 2 ** 40 } }],
  ["a viewport far outside", { viewport: { row: 1e300, column: 0, rows: 10, columns: 10 } }],
  ["a viewport without size", { viewport: { row: 0, column: 0, rows: 0, columns: -5 } }],
  ["a crosshair outside", { crosshair: { row: -1, column: 1e15 } }],
  ["padding beyond all", { positions: { kind: "left_padding", padding: 1e12, fromMask: true, documents: [1] } }],
  ["a document beyond all", { positions: { kind: "packed", padding: 0, fromMask: true, documents: [1e12] } }],
  ["a picked position beyond all", { picked: { position: 1e15 } }],
  ["a picked distance beyond all", { picked: { distance: -1e15 } }],
  ["a vector beyond the field's", { vectors: [[1e300, 0]] }],
  ["a word of a thousand letters", { tokens: ["a".repeat(1000)] }],
  ["a text of 5,000 letters as a value", { changes: { rope_type: "x".repeat(5000) } }],
  ["no words", { tokens: [] }],
  ["300 parameters", { changes: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, 1])) }],
  ["300 hidden terms", { hiddenTerms: Array(300).fill("t") }],
];

describe("a link", () => {
  it.each(REFUSED)("with %s is refused, and so is a saved state", (_, change) => {
    const query = linkOf(change);
    expect(query.length).toBeLessThan(8000);
    expect(readLinkQuery(query)).toBeUndefined();
    expect(readPanelState({ ...initialPanelState("rope"), ...change })).toBeUndefined();
  });

  it("of an earlier version with more words keeps the first", () => {
    const tokens = Array.from({ length: 200 }, (_, n) => `w${n}`);
    const state = readLinkQuery(linkOf({ view: "example", tokens, order: tokens.map((_, n) => n) }));
    expect(state?.tokens).toEqual(tokens.slice(0, MAX_WORDS));
    expect(state?.order).toHaveLength(MAX_WORDS);
  });

  it("at the limits of all fields is read as it is", () => {
    const most = MAX_SEQUENCE_LENGTH;
    const state = {
      ...initialPanelState("rope"),
      queryLength: most,
      keyLength: most,
      shift: most,
      window: most,
      chunk: most,
      keepFirst: most,
      trained: most,
      content: { seed: 2 ** 31 },
      crosshair: { row: 2 * most - 1, column: most },
      viewport: { row: -3.5, column: most - 0.25, rows: 7.5, columns: most },
    };
    expect(readLinkQuery(buildLinkQuery(state))).toEqual(state);
  });

  it.each(ENCODINGS.map(({ id }) => id))("without any of the later keys still opens %s", (id) => {
    const first = { encoding: id, view: "scores", keyLength: 64, queryLength: 64, changes: {}, hiddenTerms: [] };
    expect(readLinkQuery(linkOf(first))).toEqual({ ...initialPanelState(id), keyLength: 64, queryLength: 64 });
  });
});

describe("a value of a parameter that is refused", () => {
  const numbers = ENCODINGS.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, kind }) =>
      kind === "integer" || kind === "number"
        ? [1e300, -1e300, 0.5, "x", [1, 2]].map((value) => ({ id, name, value }))
        : [],
    ),
  );

  it("leaves a panel with the controls of the encoding", () => {
    for (const { id, name, value } of numbers) {
      const derived = derivePanelEncoding({ ...initialPanelState(id), changes: { [name]: value } }, null);
      expect(derived?.controls.length, `${id} ${name} ${String(value)}`).toBeGreaterThan(0);
    }
  });
});

describe("the largest window of an encoding", () => {
  const grids = ENCODINGS.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, kind, max, default: pair }) =>
      kind === "numbers" && max !== undefined && Array.isArray(pair) && pair.length === 2 ? [{ id, name, max }] : [],
    ),
  );

  it.each(grids)("$name of $id is drawn in two seconds", ({ id, name, max }) => {
    const start = performance.now();
    const panel = { ...initialPanelState(id), changes: { [name]: [max, max] } };
    expect(derivePanelEncoding(panel, null)?.problems).toEqual([]);
    expect(performance.now() - start).toBeLessThan(2000);
    const beyond = { ...panel, changes: { [name]: [max + 1, max + 1] } };
    expect(derivePanelEncoding(beyond, null)?.problems).toMatchObject([{ param: name }]);
  });
});
