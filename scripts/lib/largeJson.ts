import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

/**
 * Large JSON files become strings that are parsed on first use, because an object literal costs time at every start.
 * Their keys are short in the bundle: the table of model types says each of its names a hundred times.
 */
export const largeJson: Plugin = {
  name: "large-json",
  setup(setup) {
    setup.onLoad({ filter: /\.json$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      return text.length < 20_000 ? undefined : { contents: largeJsonModule(JSON.parse(text)), loader: "js" };
    });
  },
};

/** A module whose default export is `value`. */
export function largeJsonModule(value: unknown): string {
  const names = shortNames(value);
  const text = JSON.stringify(value);
  if (names.size === 0) return `export default JSON.parse(${JSON.stringify(text)});`;
  const shortened = text.replace(/"(\w+)":/g, (match, key: string) =>
    names.has(key) ? `"${names.get(key)}":` : match,
  );
  const originals = [...names].map(([key, short]) => [short, key]);
  // Replacing in the text is several times as fast as a reviver.
  return `const names = new Map(${JSON.stringify(originals)});
const text = ${JSON.stringify(shortened)};
export default JSON.parse(text.replace(/"([a-z]+)":/g, (match, key) => (names.has(key) ? \`"\${names.get(key)}":\` : match)));`;
}

/** A short key for each that occurs more than twice; none of them is a key of the file. */
function shortNames(value: unknown): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  forEachKey(value, (key) => counts.set(key, (counts.get(key) ?? 0) + 1));
  const names = new Map<string, string>();
  // A quote in a key could look like the start of another one.
  if ([...counts.keys()].some((key) => /["\\]/.test(key))) return names;
  const repeated = [...counts].filter(([key, count]) => count > 2 && /^\w+$/.test(key)).sort(([, a], [, b]) => b - a);
  let next = 0;
  for (const [key] of repeated) {
    let short = toLetters(next++);
    while (counts.has(short)) short = toLetters(next++);
    if (short.length < key.length) names.set(key, short);
  }
  return names;
}

function forEachKey(value: unknown, visit: (key: string) => void): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) visit(key);
    forEachKey(item, visit);
  }
}

/** 0 → a, 25 → z, 26 → aa: keys that are no numbers keep their order in an object. */
function toLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest === 0 ? "" : toLetters(rest - 1)) + String.fromCharCode(97 + (index % 26));
}
