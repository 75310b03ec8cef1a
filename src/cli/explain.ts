import * as v from "valibot";
import { buildCodeHover } from "../core/hover/codeHover.ts";
import { renderHover } from "../core/hover/hoverMarkdown.ts";
import type { CodeExplanation } from "../core/python/explain.ts";
import { openSource, type SourceFile } from "../core/python/sourceFile.ts";
import { errorMessage } from "../core/util/errors.ts";
import { type CommandResult, failure } from "./io.ts";
import { formatJson, joinLines } from "./output.ts";
import { readRegularFile } from "./regularFile.ts";

export interface ExplainArguments {
  /** FILE:LINE:COLUMN, or undefined with `points`. */
  readonly place: string | undefined;
  /** A JSON file with `[{"file", "line", "column"}, …]`. */
  readonly points: string | undefined;
  readonly json: boolean;
}

const pointsSchema = v.array(v.object({ file: v.string(), line: v.number(), column: v.number() }));
type SourcePoint = v.InferOutput<typeof pointsSchema>[number];

/** `posenc explain`: the hover at a location of a Python file, as text. */
export function runExplain(args: ExplainArguments): CommandResult {
  if (args.points !== undefined) return explainPoints(args.points);
  const point = args.place === undefined ? null : parsePoint(args.place);
  if (point === null) return failure("explain needs FILE:LINE:COLUMN or --points FILE.json");
  const reader = new ExplanationReader();
  const found = reader.explain(point);
  if (reader.errors.length > 0) return { exitCode: 2, stdout: "", stderr: reader.stderr() };
  if (args.json) return { exitCode: 0, stdout: formatJson(found, 2), stderr: "" };
  return {
    exitCode: 0,
    stdout: found === null ? "" : joinLines(String(found.markdown).split("\n")),
    stderr: found === null ? "posenc: no position encoding at this location\n" : "",
  };
}

function explainPoints(path: string): CommandResult {
  let points: readonly SourcePoint[];
  try {
    points = v.parse(pointsSchema, JSON.parse(new TextDecoder().decode(readRegularFile(path))));
  } catch (error) {
    return failure(`${path}: ${errorMessage(error)}`);
  }
  const reader = new ExplanationReader();
  const found = points.map((point) => reader.explain(point));
  return {
    exitCode: reader.errors.length > 0 ? 2 : 0,
    stdout: formatJson(found, 2),
    stderr: reader.stderr(),
  };
}

/** The last two numbers are line and column: the path itself may contain colons. */
function parsePoint(place: string): SourcePoint | null {
  const match = /^(.+):(\d+):(\d+)$/.exec(place);
  return match === null ? null : { file: match[1] ?? "", line: Number(match[2]), column: Number(match[3]) };
}

/** Explains locations in Python files, and opens each file once. */
class ExplanationReader {
  readonly errors: string[] = [];
  readonly #files = new Map<string, SourceFile | null>();

  stderr(): string {
    return joinLines(this.errors.map((error) => `posenc: ${error}`));
  }

  explain(point: SourcePoint): Record<string, unknown> | null {
    const file = this.#open(point.file);
    const found = file?.explain({ line: point.line, column: point.column }) ?? null;
    return found === null ? null : explanationToJson(found);
  }

  #open(path: string): SourceFile | null {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    let file: SourceFile | null = null;
    try {
      const text = new TextDecoder("utf-8").decode(readRegularFile(path));
      file = openSource(path, text);
    } catch (error) {
      this.errors.push(`${path}: ${errorMessage(error)}`);
    }
    this.#files.set(path, file);
    return file;
  }
}

function explanationToJson(found: CodeExplanation): Record<string, unknown> {
  const { rope_type: _type, layout: _layout, ...params } = found.spec.params;
  const content = buildCodeHover(found, { panel: () => null });
  return {
    encoding: found.spec.encoding,
    rope_type: found.ropeType,
    layout: found.layout,
    title: found.title,
    params,
    range: found.range,
    markdown: renderHover(content, { sections: "full", image: () => null }),
  };
}
