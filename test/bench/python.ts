import { atMost, type Case } from "../../scripts/lib/bench/case.ts";
import { createPythonDocument, type PythonDocument } from "../../src/core/python/document.ts";
import { explainAt } from "../../src/core/python/explain.ts";
import { modelFile } from "./support/modelFile.ts";

const LINES = 5000;
const KEYSTROKES = 60;
const HOVERS = 10;
const PLACES = 6;

function percentile95(times: number[]): number {
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

function timed<Result>(times: number[], work: () => Result): Result {
  const started = performance.now();
  const result = work();
  times.push(performance.now() - started);
  return result;
}

/** Typing and pointing in a model file of 5,000 lines. */
export default async function python(): Promise<readonly Case[]> {
  const text = modelFile(LINES);
  const lines = text.split("\n").length;
  return [...hoverCases(text, lines), ...typingCases(text, lines)];
}

/** Keystrokes all over the file, then hovers over its names, one in ten directly after a keystroke. */
function hoverCases(text: string, lines: number): readonly Case[] {
  const names = [...text.matchAll(/\b(?:inv_freq|rotate_half|cos|position_embeddings|hidden_states|scaling)\b/g)].map(
    (match) => match.index,
  );
  const parses: number[] = [];
  const firsts: number[] = [];
  const hovers: number[] = [];
  let document = createPythonDocument(text);
  explainAt(document, names[0] ?? 0);
  for (let key = 0; key < KEYSTROKES; key++) {
    const end = document.text.indexOf("\n", Math.floor((text.length * (key + 1)) / (KEYSTROKES + 2)));
    const before = document;
    document = timed(parses, () => before.withChanges([{ from: end, to: end, text: "#" }]));
    for (let hover = 0; hover < HOVERS; hover++) {
      const offset = names[((key * HOVERS + hover) * 37) % names.length] ?? 0;
      timed(hover === 0 ? firsts : hovers, () => explainAt(document, offset));
    }
  }
  return [
    atMost(`re-parse of Python after a keystroke, ${lines} lines, p95`, percentile95(parses), 10, "ms"),
    atMost("hover over Python in it, p95", percentile95([...hovers, ...firsts]), 30, "ms"),
    atMost("first hover after each keystroke, p95", percentile95(firsts), 30, "ms"),
  ];
}

/** The editor's insertions for each key of `y = self.rope(x, [1, 2], base="a")`, with automatic closing brackets. */
const KEYS = ["\n        ", ..."y = self.rope", "()", ..."x, ", "[]", ..."1, 2", ">", ...", base=", '""', "a"];

/** A line typed at several places; the code is incomplete between the keys. */
function typingCases(text: string, lines: number): readonly Case[] {
  const parses: number[] = [];
  const hovers: number[] = [];
  let document = createPythonDocument(text);
  for (let place = 0; place < PLACES; place++) {
    let at = lineInside(document, (place + 1) / (PLACES + 2));
    for (const key of KEYS) {
      // Types over the bracket that the editor has closed.
      const typed = key === ">" ? "" : key;
      const [from, before] = [at, document];
      document = timed(parses, () => before.withChanges([{ from, to: from, text: typed }]));
      timed(hovers, () => explainAt(document, from));
      at += /^(?:\(\)|\[\]|"")$/.test(key) ? 1 : key.length;
    }
  }
  return [
    atMost(`re-parse while a line is written, ${lines} lines, p95`, percentile95(parses), 10, "ms"),
    atMost("hover at each key of it, p95", percentile95(hovers), 30, "ms"),
  ];
}

/** The end of the first line of a method's body, at about a fraction of the file. */
function lineInside({ text }: PythonDocument, fraction: number): number {
  return text.indexOf("\n        ", text.indexOf("\n    def ", Math.floor(text.length * fraction)) + 10);
}
