import { writeFileSync } from "node:fs";
import { extname } from "node:path";
import type { Encoding } from "../core/encodings/encoding.ts";
import { ENCODINGS } from "../core/encodings/index.ts";
import { requireInDomain } from "../core/encodings/support/domain.ts";
import { requireParams } from "../core/encodings/support/schema.ts";
import { numbersToCsv } from "../core/export/csv.ts";
import { writeNpy } from "../core/export/npy.ts";
import { matrixPng, matrixSvg } from "../core/export/picture.ts";
import { computeViewMatrix, type SoftmaxSettings, type ViewMatrix } from "../core/export/viewMatrix.ts";
import type { Params } from "../core/spec.ts";
import { onesContent, randomContent } from "../core/terms/content.ts";
import { indexRange } from "../core/terms/engine.ts";
import { buildInputScene } from "../core/terms/inputScene.ts";
import { parseMask } from "../core/terms/parseMask.ts";
import { readVector } from "../core/terms/read.ts";
import type { Content, Inputs, Scene } from "../core/terms/scene.ts";
import { errorMessage, ParamError, UserError } from "../core/util/errors.ts";
import { isRecord } from "../core/util/isRecord.ts";
import { type CommandResult, failure, success } from "./io.ts";
import { formatJson as stringify } from "./output.ts";
import { parseParams } from "./parseParams.ts";
import { readRegularFile } from "./regularFile.ts";

export interface MatrixOptions {
  readonly set: readonly string[];
  readonly inputs?: string;
  readonly view: string;
  readonly rows?: string;
  readonly cols?: string;
  readonly head: string;
  readonly content: string;
  readonly mask: string;
  readonly sink?: string;
  readonly shift: string;
  readonly format: string;
  readonly output?: string;
}

/** `posenc matrix`: computes the numbers of a view and writes them to stdout or a file. */
export function runMatrix(id: string, options: MatrixOptions): CommandResult {
  try {
    const encoding = ENCODINGS.find((candidate) => candidate.id === id);
    if (encoding === undefined) {
      return failure(`unknown encoding ${id}; available: ${ENCODINGS.map((candidate) => candidate.id).join(", ")}`);
    }
    return writeMatrix(computeMatrix(encoding, options), options);
  } catch (error) {
    if (error instanceof UserError) return failure(error.message);
    if (error instanceof ParamError) return failure(`${id}: ${error.message}`);
    throw error;
  }
}

/** Parses the half-open range `a:b` or `a:b:step`. */
function parseRange(text: string, name: string): number[] {
  const [, from, to, step] = /^(\d+):(\d+)(?::([1-9]\d*))?$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new UserError(`${name} ${text}: expected from:to or from:to:step`);
  const [first, end, by] = [Number(from), Number(to), Number(step ?? 1)];
  if (![first, end, by].every(Number.isSafeInteger))
    throw new UserError(`${name} ${text}: must be at most ${Number.MAX_SAFE_INTEGER}`);
  requireCells(name, Math.ceil((end - first) / by));
  const range = indexRange(first, end, by);
  if (range.length === 0) throw new UserError(`${name} ${text}: the range is empty`);
  return range;
}

/** Cells of a matrix, and keys of the rows that a softmax needs: as text, 80 MB. */
const MAX_CELLS = 2048 * 2048;

/** @throws UserError for more than this command holds in memory */
function requireCells(what: string, count: number): void {
  if (count > MAX_CELLS) throw new UserError(`${what}: ${count} cells; the limit is ${MAX_CELLS}`);
}

function readInputs(file: string, option: string): Inputs {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(readRegularFile(file)));
  } catch (error) {
    throw new UserError(`${option} ${file}: ${errorMessage(error)}`);
  }
  if (!isRecord(value)) {
    throw new UserError(`${option} ${file}: must contain one JSON object of named arrays`);
  }
  return value;
}

function parseContent(text: string): Content | Inputs {
  if (text === "ones") return onesContent;
  const [, seed] = /^random:(-?\d+)$/.exec(text) ?? [];
  if (seed !== undefined) return randomContent(Number(seed));
  if (text === "random") return randomContent(0);
  return readInputs(text, "--content");
}

function isContent(content: Content | Inputs): content is Content {
  return typeof content.rows === "function";
}

function parseInteger(text: string, option: string): number {
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(Number(text)))
    throw new UserError(`${option} ${text}: must be an integer of at most ${Number.MAX_SAFE_INTEGER}`);
  return Number(text);
}

const VECTOR_INPUTS = ["q", "k", "v", "x", "hidden_states"];

/** @throws UserError if a file of content has vectors for queries or keys only, or none that are known */
function requireVectors(vectors: Inputs, file: string): void {
  if (["x", "hidden_states"].some((name) => name in vectors)) return;
  const missing = ["q", "k"].filter((name) => !(name in vectors));
  if (missing.length === 0) return;
  const names = Object.keys(vectors).join(", ");
  throw new UserError(`--content ${file}: must have "q" and "k", or "x"; it has ${names === "" ? "nothing" : names}`);
}

function endOf(range: readonly number[] | undefined): number {
  return (range?.at(-1) ?? -1) + 1;
}

interface RequestedIndices {
  readonly rows: readonly number[] | undefined;
  readonly columns: readonly number[] | undefined;
}

/** Vectors in the inputs determine the lengths; otherwise queries and keys run from 0 to the last requested index. */
function buildScene(encoding: Encoding, params: Params, options: MatrixOptions, requested: RequestedIndices): Scene {
  const inputs = options.inputs === undefined ? {} : readInputs(options.inputs, "--inputs");
  const needed = encoding.requiredArrays?.(params) ?? encoding.learnedArrays.map((name) => [name]);
  const missing = needed.filter((names) => !names.some((name) => name in inputs)).map((names) => names[0]);
  if (missing.length > 0) {
    throw new UserError(`${encoding.id} needs learned arrays: pass --inputs FILE.json with ${missing.join(", ")}`);
  }
  const content = parseContent(options.content);
  const vectors = isContent(content) ? inputs : content;
  if (!isContent(content)) requireVectors(content, options.content);
  const head = parseInteger(options.head, "--head");
  const shift = parseInteger(options.shift, "--shift");
  if (VECTOR_INPUTS.some((name) => name in vectors)) {
    return { ...buildInputScene(vectors, head), inputs, shift };
  }
  const length = Math.max(endOf(requested.rows), options.view === "table" ? 0 : endOf(requested.columns), 1);
  const centre = shift + ((requested.rows?.[0] ?? 0) + endOf(requested.rows)) / 2;
  return {
    queryLength: length,
    keyLength: length,
    shift,
    head,
    centre,
    content: isContent(content) ? content : onesContent,
    inputs,
  };
}

function computeMatrix(encoding: Encoding, options: MatrixOptions): ViewMatrix {
  const requested = {
    rows: options.rows === undefined ? undefined : parseRange(options.rows, "--rows"),
    columns: options.cols === undefined ? undefined : parseRange(options.cols, "--cols"),
  };
  const params = requireParams(encoding, parseParams(options.set));
  const scene = buildScene(encoding, params, options, requested);
  const heads = params.num_heads;
  if (scene.head < 0 || (typeof heads === "number" && scene.head >= heads)) {
    throw new UserError(`--head ${scene.head}: must be from 0 to ${Number(heads) - 1} (${String(heads)} heads)`);
  }
  const rows = options.view === "table" ? tablePositions(scene.inputs, requested.rows) : requested.rows;
  requireMatrix(options, params, scene, { rows, columns: requested.columns });
  const queries = rows ?? indexRange(0, scene.queryLength);
  const columns = requested.columns ?? (options.view === "table" ? [] : indexRange(0, scene.keyLength));
  requireInDomain(encoding, params, [...queries, ...(options.view === "table" ? [] : columns)], scene.shift);
  return computeViewMatrix(encoding, params, scene, parseSoftmax(options), options.view, queries, columns);
}

/** Softmax needs whole rows, and a table without columns has all dimensions. */
function requireMatrix(
  options: MatrixOptions,
  params: Params,
  scene: Scene,
  { rows, columns }: RequestedIndices,
): void {
  const rowCount = rows?.length ?? scene.queryLength;
  const keys = options.view === "attention" ? scene.keyLength : (columns?.length ?? scene.keyLength);
  const isTable = options.view === "table";
  requireCells(`--view ${options.view}`, rowCount * (isTable ? (columns?.length ?? vectorLength(params)) : keys));
}

/** The length of a position's vector. */
function vectorLength({ hidden_size, num_heads, head_dim }: Params): number {
  if (typeof hidden_size === "number") return hidden_size;
  return Number(head_dim ?? 1) * (typeof num_heads === "number" ? num_heads : 1);
}

function parseSoftmax({ mask, sink }: MatrixOptions): SoftmaxSettings {
  if (sink === undefined) return { mask: parseMask(mask) };
  const extraLogit = Number(sink);
  if (sink.trim() === "" || !Number.isFinite(extraLogit))
    throw new UserError(`--sink ${sink}: must be a finite number`);
  return { mask: parseMask(mask), extraLogit };
}

/** If the inputs give `positions`, a table has a row for each of them, and `--rows` indexes these. */
function tablePositions(inputs: Inputs, rows: readonly number[] | undefined): readonly number[] | undefined {
  if (inputs.positions === undefined) return rows;
  const positions = readVector(inputs.positions, "positions");
  return (rows ?? indexRange(0, positions.length)).map((row) => {
    const position = positions[row];
    if (position === undefined) throw new UserError(`--rows: the inputs have only ${positions.length} positions`);
    return position;
  });
}

function formatJson({ values, columns }: ViewMatrix): string {
  const rows: number[][] = [];
  for (let start = 0; start < values.length; start += columns)
    rows.push(Array.from(values.subarray(start, start + columns)));
  return stringify(rows);
}

function writeMatrix(matrix: ViewMatrix, options: MatrixOptions): CommandResult {
  if (options.output === undefined) {
    if (options.format === "json") return success(formatJson(matrix));
    if (options.format === "csv") return success(numbersToCsv(matrix.values, matrix.columns));
    return failure(`--format must be one of csv, json, not ${options.format}`);
  }
  const { values, columns } = matrix;
  const writers: Record<string, () => string | Uint8Array> = {
    ".csv": () => numbersToCsv(values, columns),
    ".json": () => formatJson(matrix),
    ".npy": () => writeNpy(values, values.length / columns, columns),
    ".png": () => matrixPng(values, columns),
    ".svg": () => matrixSvg(values, columns),
  };
  const writer = writers[extname(options.output).toLowerCase()];
  if (writer === undefined)
    return failure(`-o ${options.output}: supported extensions: ${Object.keys(writers).join(", ")}`);
  try {
    writeFileSync(options.output, writer());
  } catch (error) {
    return failure(`-o ${options.output}: ${errorMessage(error)}`);
  }
  return success("");
}
