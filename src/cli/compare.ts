import { type ComparedPair, compareSpecs, type Difference, MATTERS } from "../core/config/compare/differences.ts";
import type { Parting } from "../core/config/compare/firstDivergence.ts";
import { summarise } from "../core/config/report/summarise.ts";
import { localize } from "../core/l10n/l10n.ts";
import type { EncodingSpec, ParamValue } from "../core/spec.ts";
import { findFiles } from "./findFiles.ts";
import { type CommandResult, failure } from "./io.ts";
import { type FileReading, readModelFile } from "./readFile.ts";
import { textTable } from "./textTable.ts";

export interface CompareOptions {
  readonly json: boolean;
  /** Share of a logit's spread that counts as visible, as given. */
  readonly tolerance?: string | undefined;
}

/** `posenc compare A B`: what differs between two configs, and from which distance on it is seen. */
export async function runCompare(paths: readonly [string, string], options: CompareOptions): Promise<CommandResult> {
  const tolerance = options.tolerance === undefined ? undefined : Number(options.tolerance);
  if (tolerance !== undefined && !(tolerance > 0))
    return failure(`--tolerance must be greater than 0, not ${options.tolerance}`);
  const [a, b] = [await readOne(paths[0]), await readOne(paths[1])];
  for (const side of [a, b]) {
    if (typeof side === "string") return failure(side);
    if (side.reading.error !== null) return failure(`${side.file}: ${side.reading.error.message}`);
  }
  if (typeof a === "string" || typeof b === "string") return failure("nothing to compare");
  const pairs = compareSpecs(a.reading.specs, b.reading.specs, tolerance === undefined ? {} : { tolerance });
  const stdout = options.json ? json(a, b, pairs) : text(a, b, pairs);
  return { exitCode: 0, stdout, stderr: "" };
}

/** The file that a PATH stands for: of a folder, its config. */
async function readOne(path: string): Promise<FileReading | string> {
  const files = findFiles([path]);
  const file = files.find((found) => /(^|[\\/])config\.json$/.test(found)) ?? files[0];
  return file === undefined ? `${path}: no model config found` : readModelFile(file);
}

function json(a: FileReading, b: FileReading, pairs: readonly ComparedPair[]): string {
  const sideOf = (specs: readonly EncodingSpec[], index: number | null) => {
    const spec = index === null ? undefined : specs[index];
    return spec === undefined ? null : { where: spec.where, encoding: spec.encoding, layers: spec.layers };
  };
  const value = {
    a: a.file,
    b: b.file,
    pairs: pairs.map((pair) => ({
      a: sideOf(a.reading.specs, pair.a),
      b: sideOf(b.reading.specs, pair.b),
      differences: pair.differences.map(({ sourceA, sourceB, ...rest }) => ({
        ...rest,
        sources: { a: sourceA ?? null, b: sourceB ?? null },
      })),
      parting: partingJson(pair.parting),
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function partingJson(parting: Parting | null): Record<string, unknown> | null {
  return parting?.kind === "incomparable" ? { ...parting, reason: parting.reason.en } : parting;
}

function text(a: FileReading, b: FileReading, pairs: readonly ComparedPair[]): string {
  const head = [`A  ${a.file}`, `B  ${b.file}`];
  return `${[...head, ...pairs.flatMap((pair) => pairLines(a.reading.specs, b.reading.specs, pair))].join("\n")}\n`;
}

function pairLines(a: readonly EncodingSpec[], b: readonly EncodingSpec[], pair: ComparedPair): readonly string[] {
  const line = (specs: readonly EncodingSpec[], index: number | null) => {
    const spec = index === null ? undefined : specs[index];
    return spec === undefined ? "–" : `${spec.where}: ${summarise([spec])}`;
  };
  const rows = pair.differences.map(rowOf);
  const table = rows.length === 0 ? [] : textTable([["", "A", "B", "affects"], ...rows], "  ");
  return ["", `A  ${line(a, pair.a)}`, `B  ${line(b, pair.b)}`, ...table, ...partingLines(pair)];
}

function rowOf({ param, a, b, sourceA, sourceB, matter }: Difference): readonly string[] {
  const value = (side: ParamValue, source: string | undefined) =>
    side === null ? "–" : `${shortened(JSON.stringify(side))}${source === "config" ? "" : ` (${source ?? "none"})`}`;
  return [param, value(a, sourceA), value(b, sourceB), localize(MATTERS[matter])];
}

function shortened(value: string): string {
  return value.length > 32 ? `${value.slice(0, 31)}…` : value;
}

function partingLines({ parting, a, b }: ComparedPair): readonly string[] {
  if (parting === null) return [`  only in ${a === null ? "B" : b === null ? "A" : "one"}`];
  switch (parting.kind) {
    case "never":
      return [`  scores agree up to a distance of ${parting.searched} tokens`];
    case "incomparable":
      return [`  scores not compared: ${localize(parting.reason)}`];
    case "parts": {
      const share = Number.isFinite(parting.difference)
        ? `, by ${Math.round(100 * parting.difference)} % of the score spread`
        : "";
      return [`  scores diverge at distance ${parting.distance} (${parting.cause}${share})`];
    }
  }
}
