import { readdirSync, readFileSync } from "node:fs";

/** One place in a case, and its expected result. */
export interface Point {
  readonly title: string;
  readonly code: string;
  readonly offset: number;
  /** Null: no encoding is recognised. */
  readonly expected: Expectation | null;
}

export interface Expectation {
  readonly encoding: string;
  /** `layout`, `rope_type` and parameters by name. */
  readonly values: Readonly<Record<string, unknown>>;
}

const MARK = "‸";
const folder = new URL("../../../fixtures/python/cases/", import.meta.url);

/**
 * Cases of `test/fixtures/python/cases/*.txt`: a title, Python with cursor marks (‸), `==>`, and a line for each
 * mark: `null`, or an encoding's id and `name=JSON` pairs; a single `null` is for all marks. `=====` separates cases.
 */
export function pythonPoints(): readonly Point[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .flatMap((name) =>
      readFileSync(new URL(name, folder), "utf8")
        .split("\n=====\n")
        .flatMap((text) => pointsOf(name, text)),
    );
}

function pointsOf(file: string, text: string): Point[] {
  const [written = "", answers = ""] = text.split("\n==>\n");
  const newline = written.indexOf("\n");
  const title = `${file}: ${written.slice(0, newline)}`;
  const pieces = written.slice(newline + 1).split(MARK);
  const code = pieces.join("");
  const given = answers.trim();
  const lines = given === "null" ? pieces.slice(1).map(() => "null") : given.split("\n");
  if (lines.length !== pieces.length - 1)
    throw new Error(`${title}: ${pieces.length - 1} marks, ${lines.length} answers`);
  let offset = 0;
  return lines.map((line, index) => {
    offset += pieces[index]?.length ?? 0;
    const word = /^\w+/.exec(pieces[index + 1] ?? "")?.[0] ?? (pieces[index + 1] ?? "").slice(0, 2);
    const lineNumber = code.slice(0, offset).split("\n").length;
    return { title: `${title}, line ${lineNumber}: ${word}`, code, offset, expected: expectation(line.trim()) };
  });
}

function expectation(line: string): Expectation | null {
  if (line === "null") return null;
  const [encoding = "", ...pairs] = line.split(/\s+/);
  return { encoding, values: Object.fromEntries(pairs.map(pair)) };
}

function pair(text: string): [string, unknown] {
  const at = text.indexOf("=");
  const value = text.slice(at + 1);
  return [
    text.slice(0, at),
    /^[a-z]\w*$/.test(value) && !/^(?:null|true|false)$/.test(value) ? value : JSON.parse(value),
  ];
}
