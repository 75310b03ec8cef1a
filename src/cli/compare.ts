import { type ComparedPair, compareSpecs, type Difference, IMPACTS } from "../core/config/compare/differences.ts";
import type { Divergence } from "../core/config/compare/firstDivergence.ts";
import { summarise } from "../core/config/report/summarise.ts";
import { localize } from "../core/l10n/l10n.ts";
import type { EncodingSpec, ParamValue } from "../core/spec.ts";
import { findFiles } from "./findFiles.ts";
import { type CommandResult, failure } from "./io.ts";
import { formatJson, joinLines } from "./output.ts";
import { type FileReading, readModelFile, whyUnusable } from "./readFile.ts";
import { formatTextTable } from "./textTable.ts";

export interface CompareOptions {
  readonly json: boolean;
  /** Share of a logit's spread that counts as visible, as typed on the command line. */
  readonly tolerance?: string | undefined;
}

/** `posenc compare A B`: the differences between two configs, and the distance at which their scores diverge. */
export async function runCompare(paths: readonly [string, string], options: CompareOptions): Promise<CommandResult> {
  const tolerance = options.tolerance === undefined ? undefined : Number(options.tolerance);
  if (tolerance !== undefined && !(tolerance > 0))
    return failure(`--tolerance must be greater than 0, not ${options.tolerance}`);
  const [a, b] = [await readConfigAt(paths[0]), await readConfigAt(paths[1])];
  for (const side of [a, b]) {
    if (typeof side === "string") return failure(side);
    const problem = whyUnusable(side);
    if (problem !== undefined) return failure(problem);
  }
  if (typeof a === "string" || typeof b === "string") return failure("nothing to compare");
  const pairs = compareSpecs(a.reading.specs, b.reading.specs, tolerance === undefined ? {} : { tolerance });
  const stdout = options.json ? formatComparisonJson(a, b, pairs) : formatText(a, b, pairs);
  return { exitCode: 0, stdout, stderr: "" };
}

/** Reads the file at a path; of a folder, its `config.json`, else the first model file. */
async function readConfigAt(path: string): Promise<FileReading | string> {
  const files = findFiles([path]);
  const file = files.find((found) => /(^|[\\/])config\.json$/.test(found)) ?? files[0];
  return file === undefined ? `${path}: no model config found` : readModelFile(file);
}

function formatComparisonJson(a: FileReading, b: FileReading, pairs: readonly ComparedPair[]): string {
  const describeSide = (specs: readonly EncodingSpec[], index: number | null) => {
    const spec = index === null ? undefined : specs[index];
    return spec === undefined ? null : { where: spec.where, encoding: spec.encoding, layers: spec.layers };
  };
  const value = {
    a: a.file,
    b: b.file,
    pairs: pairs.map((pair) => ({
      a: describeSide(a.reading.specs, pair.a),
      b: describeSide(b.reading.specs, pair.b),
      differences: pair.differences.map(({ sourceA, sourceB, ...rest }) => ({
        ...rest,
        sources: { a: sourceA ?? null, b: sourceB ?? null },
      })),
      divergence: divergenceToJson(pair.divergence),
    })),
  };
  return formatJson(value, 2);
}

function divergenceToJson(parting: Divergence | null): Record<string, unknown> | null {
  return parting?.kind === "incomparable" ? { ...parting, reason: parting.reason.en } : parting;
}

function formatText(a: FileReading, b: FileReading, pairs: readonly ComparedPair[]): string {
  const head = [`A  ${a.file}`, `B  ${b.file}`];
  return joinLines([...head, ...pairs.flatMap((pair) => formatPair(a.reading.specs, b.reading.specs, pair))]);
}

function formatPair(a: readonly EncodingSpec[], b: readonly EncodingSpec[], pair: ComparedPair): readonly string[] {
  const line = (specs: readonly EncodingSpec[], index: number | null) => {
    const spec = index === null ? undefined : specs[index];
    return spec === undefined ? "–" : `${spec.where}: ${summarise([spec])}`;
  };
  const rows = pair.differences.map(differenceRow);
  const table = rows.length === 0 ? [] : formatTextTable([["", "A", "B", "affects"], ...rows], "  ");
  return ["", `A  ${line(a, pair.a)}`, `B  ${line(b, pair.b)}`, ...table, ...formatDivergence(pair)];
}

function differenceRow({ param, a, b, sourceA, sourceB, impact }: Difference): readonly string[] {
  const value = (side: ParamValue, source: string | undefined) =>
    side === null ? "–" : `${truncate(JSON.stringify(side))}${source === "config" ? "" : ` (${source ?? "none"})`}`;
  return [param, value(a, sourceA), value(b, sourceB), localize(IMPACTS[impact])];
}

function truncate(value: string): string {
  return value.length > 32 ? `${value.slice(0, 31)}…` : value;
}

function formatDivergence({ divergence, a, b }: ComparedPair): readonly string[] {
  if (divergence === null) return [`  only in ${a === null ? "B" : b === null ? "A" : "one"}`];
  switch (divergence.kind) {
    case "never":
      return [`  scores agree up to a distance of ${divergence.searched} tokens`];
    case "incomparable":
      return [`  scores not compared: ${localize(divergence.reason)}`];
    case "diverges": {
      const share = Number.isFinite(divergence.difference)
        ? `, by ${Math.round(100 * divergence.difference)} % of the score spread`
        : "";
      return [`  scores diverge at distance ${divergence.distance} (${divergence.cause}${share})`];
    }
  }
}
