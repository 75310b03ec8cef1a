import { createPythonDocument } from "../../src/core/python/document.ts";
import { explainAt } from "../../src/core/python/explain.ts";
import { atMost, type Case } from "./support/case.ts";
import { modelFile } from "./support/modelFile.ts";

const LINES = 5000;
const KEYSTROKES = 60;
const HOVERS = 10;

function percentile95(times: number[]): number {
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

function timed(times: number[], work: () => void): void {
  const started = performance.now();
  work();
  times.push(performance.now() - started);
}

/** Typing and pointing in a model file of 5,000 lines: re-parse after each key, then hovers over names all over it. */
export default async function python(): Promise<readonly Case[]> {
  const text = modelFile(LINES);
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
    timed(parses, () => {
      document = document.edit([{ from: end, to: end, text: "#" }]);
    });
    for (let hover = 0; hover < HOVERS; hover++) {
      const offset = names[((key * HOVERS + hover) * 37) % names.length] ?? 0;
      timed(hover === 0 ? firsts : hovers, () => explainAt(document, offset));
    }
  }
  const lines = text.split("\n").length;
  return [
    atMost(`re-parse of Python after a keystroke, ${lines} lines, p95`, percentile95(parses), 10, "ms"),
    atMost("hover over Python in it, p95", percentile95([...hovers, ...firsts]), 30, "ms"),
    {
      name: "first hover after each keystroke, p95",
      value: percentile95(firsts),
      unit: "ms",
      against: null,
      ratio: null,
      target: null,
      holds: null,
    },
  ];
}
