import { parser } from "@lezer/python";
import { describe, expect, it } from "vitest";
import { findCodeDiagnostics } from "../../../../src/core/python/diagnostics/index.ts";
import { createPythonDocument, type PythonDocument, type TextChange } from "../../../../src/core/python/document.ts";
import { explainAt, findEncodingSites } from "../../../../src/core/python/explain.ts";
import { modelFile } from "../../../bench/support/modelFile.ts";
import { SCRAPS } from "../../support/pythonEdits.ts";
import { generator } from "../../support/random.ts";
import { pythonPoints } from "./cases.ts";

const codes = [...new Set(pythonPoints().map((point) => point.code))];

/** One keystroke, a line removed or inserted, a pasted piece of another file, or a longer name. */
function anyChange(text: string, random: () => number): TextChange {
  const at = Math.floor(random() * (text.length + 1));
  const line = text.lastIndexOf("\n", at) + 1;
  const kind = random();
  if (kind < 0.25) return { from: at, to: at, text: SCRAPS[Math.floor(random() * SCRAPS.length)] ?? "" };
  if (kind < 0.45) return { from: at, to: Math.min(text.length, at + 1 + Math.floor(random() * 8)), text: "" };
  if (kind < 0.6) return { from: line, to: line, text: "rope_theta = 12345.0\n" };
  if (kind < 0.75) {
    const end = text.indexOf("\n", line);
    return { from: line, to: end < 0 ? text.length : end + 1, text: "" };
  }
  const other = codes[Math.floor(random() * codes.length)] ?? "";
  const start = Math.floor(random() * other.length);
  if (kind < 0.85) return { from: line, to: line, text: other.slice(start, start + 300) };
  const word = /\w+/.exec(text.slice(at));
  const end = at + (word === null ? 0 : word.index + word[0].length);
  return { from: end, to: end, text: "x" };
}

function applied(text: string, { from, to, text: given }: TextChange): string {
  return text.slice(0, from) + given + text.slice(to);
}

/** All results for a file. */
function allResults(document: PythonDocument, offsets: readonly number[]): unknown {
  const points = offsets.map((offset) => explainAt(document, offset));
  return JSON.stringify([points, findEncodingSites(document), findCodeDiagnostics(document)]);
}

function isWhole(text: string): boolean {
  let whole = true;
  parser.parse(text).iterate({
    enter(node) {
      whole &&= !node.type.isError;
    },
  });
  return whole;
}

/**
 * A document with an incremental analysis gives the results of one with its own analysis, and of a fresh
 * document. Between other statements, Lezer may parse broken code differently after an edit than from scratch.
 */
function expectSame(document: PythonDocument, offsets: readonly number[], alone = false): PythonDocument {
  const kept = allResults(document, offsets);
  const heir = document.withChanges([]);
  expect(allResults(heir, offsets)).toBe(kept);
  expect(allResults(document, offsets)).toBe(kept);
  if (alone || isWhole(document.text)) expect(kept).toBe(allResults(createPythonDocument(document.text), offsets));
  return heir;
}

function someOffsets(text: string, around: number, random: () => number): number[] {
  const near = Array.from({ length: 4 }, () => around + Math.floor((random() - 0.5) * 60));
  const names = [...text.matchAll(/\w*(?:freq|rot|pos|cos|sin|slope|bias|theta)\w*/g)].map((match) => match.index);
  const far = Array.from({ length: 8 }, () => names[Math.floor(random() * names.length)] ?? 0);
  return [...near, ...far].map((offset) => Math.min(Math.max(offset, 0), text.length));
}

describe("an edited document", () => {
  // Each seed uses every other case, so that no test takes long.
  it.each([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])(
    "gives the result of a fresh parse after each of many edits to every case (seed %i)",
    (seed) => {
      const random = generator(seed);
      let edits = 0;
      for (const code of codes.filter((_, index) => index % 2 === seed % 2)) {
        let document = createPythonDocument(code);
        for (let step = 0; step < 5; step++) {
          const change = anyChange(document.text, random);
          const text = applied(document.text, change);
          document = document.withChanges([change]);
          expect(document.text).toBe(text);
          edits++;
          // As in the editor, not every state is queried.
          if (random() < 0.5) document = expectSame(document, someOffsets(text, change.from, random), true);
        }
      }
      expect(edits).toBeGreaterThan(200);
    },
  );

  it.each([23, 24, 25, 26, 27, 28])(
    "gives the result of a fresh parse for all cases in one mostly unchanged file (seed %i)",
    (seed) => {
      const random = generator(seed);
      let document = createPythonDocument(codes.join("\n\n"));
      // More edits would break the code and hide everything after it.
      for (let edit = 0; edit < 30; edit++) {
        const change = anyChange(document.text, random);
        document = document.withChanges([change]);
        if (edit % 6 === 0) document = expectSame(document, someOffsets(document.text, change.from, random));
        else explainAt(document, change.from);
      }
    },
  );

  it.each([29, 30, 31])(
    "gives the result of a fresh parse for a large file while edits are undone (seed %i)",
    (seed) => {
      const random = generator(seed);
      const text = modelFile(600);
      let document = createPythonDocument(text);
      for (let round = 0; round < 10; round++) {
        const change = anyChange(text, random);
        document = document.withChanges([change]);
        document = expectSame(document, someOffsets(document.text, change.from, random));
        const back = {
          from: change.from,
          to: change.from + change.text.length,
          text: text.slice(change.from, change.to),
        };
        document = document.withChanges([back]);
        expect(document.text).toBe(text);
        if (round % 10 === 0) document = expectSame(document, someOffsets(text, change.from, random));
      }
    },
  );

  it("gives the right result when older and newer versions alternate", () => {
    const before = createPythonDocument(`${codes[0]}\n\n${modelFile(200)}`);
    const after = before.withChanges([{ from: 0, to: 0, text: "import math\n\n\n" }]);
    const other = before.withChanges([{ from: 3, to: 5, text: "" }]);
    const random = generator(5);
    for (const document of [before, after, before, other, after, before]) {
      expectSame(document, someOffsets(document.text, 50, random));
    }
  });
});
