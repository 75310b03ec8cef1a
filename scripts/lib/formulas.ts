import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Formula } from "../../src/core/encodings/encoding.ts";
import { GENERAL_FORMS } from "../../src/core/encodings/generalForms.ts";
import { ENCODINGS } from "../../src/core/encodings/index.ts";
import { MATRIX_FORMULAS } from "../../src/core/encodings/rope/detailFormulas.ts";
import { SHARED_EXPANSION_FORMULAS } from "../../src/core/encodings/support/expansion.ts";
import { EXPANSION_FORMULAS } from "../../src/core/hover/formulaTerms.ts";
import { slidingWindowFormula } from "../../src/core/hover/keyTopics.ts";
import { errorMessage } from "../../src/core/util/errors.ts";
import type { Typeset } from "./formulas/typeset.ts";
import { root } from "./root.ts";

/** The pictures of one hover share 27,000 bytes, of which its matrix takes well under half. */
const MAX_SVG_BYTES = 16_000;

type FormulaCache = Readonly<Record<string, Typeset>>;

const cacheFile = path.join(root, "node_modules/.cache/posenc/formulas.json");

/** Everything that determines how a formula looks, except its text. */
async function readCompilerSources(): Promise<string> {
  const sources = [
    "scripts/lib/formulas/typeset.ts",
    "scripts/lib/formulas/minifySvg.ts",
    "node_modules/@mathjax/src/package.json",
    "node_modules/svgo/package.json",
  ];
  const texts = await Promise.all(sources.map((file) => readFile(path.join(root, file), "utf8")));
  return texts.join("\n");
}

async function readCache(): Promise<FormulaCache> {
  try {
    return JSON.parse(await readFile(cacheFile, "utf8"));
  } catch {
    return {};
  }
}

/** Ids of formulas that only hovers show: the pages compose them of their terms. */
export const HOVER_FORMULAS: ReadonlySet<string> = new Set(EXPANSION_FORMULAS.map(({ id }) => id));

/** All formulas that are shown, by id. */
export function listFormulas(): readonly Formula[] {
  const byId = new Map<string, Formula>();
  const ofEncodings = ENCODINGS.flatMap(({ formulas, expansion, partFormulas = {}, parameterFormulas = [] }) => [
    ...formulas,
    ...Object.values(expansion?.terms ?? {}),
    ...Object.values(partFormulas),
    ...parameterFormulas,
  ]);
  for (const formula of [
    ...ofEncodings,
    ...SHARED_EXPANSION_FORMULAS,
    ...Object.values(MATRIX_FORMULAS),
    ...GENERAL_FORMS.map(({ formula }) => formula),
    ...EXPANSION_FORMULAS,
    slidingWindowFormula,
  ]) {
    const other = byId.get(formula.id);
    if (other !== undefined && other.tex !== formula.tex) throw new Error(`two formulas are called ${formula.id}`);
    byId.set(formula.id, formula);
  }
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function compileFormula({ id, tex }: Formula): Promise<Typeset> {
  // Loaded only if a formula changed, because MathJax takes a second to start.
  const { typeset } = await import("./formulas/typeset.ts");
  const result = await typeset(tex).catch((failure: unknown) => {
    throw new Error(`formula ${id}: ${errorMessage(failure)}\n  ${tex}`);
  });
  if (result.svg.length > MAX_SVG_BYTES)
    throw new Error(`formula ${id} takes ${result.svg.length} bytes, more than ${MAX_SVG_BYTES}`);
  return result;
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(value, null, 1)}\n`);
}

/**
 * Compiles the formulas of all encodings and their parts: SVG for hovers into `media/formulas/`, MathML for the pages
 * into `webview/generated/mathml.json`. Unchanged formulas come from a cache.
 */
export async function writeFormulas(): Promise<void> {
  const compiler = await readCompilerSources();
  const cache = await readCache();
  const folder = path.join(root, "media/formulas");
  await mkdir(folder, { recursive: true });
  const newCache: Record<string, Typeset> = {};
  const mathml: Record<string, string> = {};
  const ids = new Set<string>();
  let compiled = 0;
  for (const formula of listFormulas()) {
    const key = createHash("sha256").update(compiler).update(formula.tex).digest("hex");
    const cached = cache[key];
    if (cached === undefined) compiled++;
    const typeset = cached ?? (await compileFormula(formula));
    newCache[key] = typeset;
    if (!HOVER_FORMULAS.has(formula.id)) mathml[formula.id] = typeset.mathml;
    ids.add(formula.id);
    await writeFile(path.join(folder, `${formula.id}.svg`), typeset.svg);
  }
  await writeJson(path.join(root, "webview/generated/mathml.json"), mathml);
  for (const name of await readdir(folder)) {
    if (!ids.has(path.basename(name, ".svg"))) await rm(path.join(folder, name));
  }
  if (compiled > 0) await writeJson(cacheFile, newCache);
  console.log(`${ids.size} formulas, ${compiled} newly compiled`);
}
