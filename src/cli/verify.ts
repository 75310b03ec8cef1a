import { statSync } from "node:fs";
import { join } from "node:path";
import { openRange } from "#openRange";
import type { RangeReader, TensorInfo } from "../core/checkpoint/rangeReader.ts";
import { readSafetensorsHeader } from "../core/checkpoint/safetensors.ts";
import { readTensorValues } from "../core/checkpoint/tensorValues.ts";
import {
  type CapturedRotation,
  fitRotation,
  type RotationCandidate,
  rotatesAsDeclared,
} from "../core/measure/rotationFit.ts";
import type { EncodingSpec } from "../core/spec.ts";
import { errorMessage, UserError } from "../core/util/errors.ts";
import { type CommandResult, failure } from "./io.ts";
import { formatJson, joinLines } from "./output.ts";
import { readModelFile, whyUnusable } from "./readFile.ts";

export interface VerifyOptions {
  readonly config: string;
  readonly json: boolean;
}

/** One captured layer and what fits it. */
interface VerifiedLayer {
  readonly layer: number;
  readonly of: "q" | "k";
  readonly declared: {
    readonly layout: string | null;
    readonly rope_type: string | null;
    readonly rope_theta: number | null;
  };
  readonly holds: boolean;
  readonly candidates: readonly RotationCandidate[];
}

/** Larger captures are not read (numbers of one tensor). */
const MAX_NUMBERS = 2 ** 26;

/** `posenc verify CAPTURE`: says which rotation was applied to captured queries and keys. */
export async function runVerify(capture: string, options: VerifyOptions): Promise<CommandResult> {
  try {
    const specs = await readSpecs(options.config);
    const opened = await openRange(capture).catch((error: unknown) => {
      throw new UserError(`${capture}: ${errorMessage(error)}`);
    });
    try {
      const layers = await verifyLayers(capture, opened.reader, specs);
      const exitCode = layers.every(({ holds }) => holds) ? 0 : 1;
      return {
        exitCode,
        stdout: options.json ? formatJson(layers, 2) : joinLines(layers.flatMap(formatLayer)),
        stderr: "",
      };
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof Error) return failure(error.message);
    throw error;
  }
}

async function readSpecs(path: string): Promise<readonly EncodingSpec[]> {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const found = await readModelFile(isFolder ? join(path, "config.json") : path);
  const problem = whyUnusable(found);
  if (problem !== undefined) throw new UserError(problem);
  return found.reading.specs;
}

async function verifyLayers(
  file: string,
  reader: RangeReader,
  specs: readonly EncodingSpec[],
): Promise<readonly VerifiedLayer[]> {
  const { tensors } = await readSafetensorsHeader(reader).catch((error: unknown) => {
    throw new UserError(`${file}: ${errorMessage(error)}`);
  });
  const byName = new Map(tensors.map((info) => [info.name, info]));
  const verified: VerifiedLayer[] = [];
  for (const [name, before] of byName) {
    const [, layer, of] = /^layers\.(\d+)\.([qk])$/.exec(name) ?? [];
    const after = byName.get(`${name}_rot`);
    if (layer === undefined || (of !== "q" && of !== "k") || after === undefined) continue;
    const spec = specOf(specs, Number(layer));
    if (spec === undefined) throw new UserError(`${file}: ${name}: the config declares no layer ${layer}`);
    verified.push(verifyLayer(Number(layer), of, spec, await readCaptured(reader, before, after)));
  }
  if (verified.length === 0)
    throw new UserError(
      `${file}: has no pair of tensors layers.N.q and layers.N.q_rot, or layers.N.k and layers.N.k_rot`,
    );
  return verified.sort((a, b) => a.layer - b.layer || (a.of < b.of ? 1 : -1));
}

function specOf(specs: readonly EncodingSpec[], layer: number): EncodingSpec | undefined {
  const own = specs.filter(({ params }) => typeof params.num_layers !== "number" || layer < params.num_layers);
  return own.find(({ layers }) => layers === "all" || layers.includes(layer));
}

/** An axis of length 1 before the heads is the batch. */
async function readCaptured(reader: RangeReader, before: TensorInfo, after: TensorInfo): Promise<CapturedRotation> {
  const shape = before.shape.length === 4 && before.shape[0] === 1 ? before.shape.slice(1) : before.shape;
  const [heads = 0, tokens = 0, dim = 0] = shape;
  if (shape.length !== 3 || heads * tokens * dim === 0)
    throw new UserError(`${before.name}: shape [${before.shape.join(", ")}] is not [heads, tokens, head_dim]`);
  if (after.shape.join() !== before.shape.join())
    throw new UserError(`${after.name}: has another shape than ${before.name}`);
  if (heads * tokens * dim > MAX_NUMBERS) throw new UserError(`${before.name}: more than ${MAX_NUMBERS} numbers`);
  if (tokens < 2) throw new UserError(`${before.name}: one token does not show a rotation`);
  return { heads, tokens, dim, before: await readFinite(reader, before), after: await readFinite(reader, after) };
}

async function readFinite(reader: RangeReader, info: TensorInfo): Promise<Float64Array> {
  const values = await readTensorValues(reader, info);
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new UserError(`${info.name}: contains ${wrong}`);
  return values;
}

function verifyLayer(layer: number, of: "q" | "k", spec: EncodingSpec, captured: CapturedRotation): VerifiedLayer {
  const rotates = spec.encoding === "rope";
  const candidates = fitRotation(captured, rotates ? spec.params : { head_dim: captured.dim, rope_theta: 10_000 });
  const { layout, rope_type, rope_theta } = spec.params;
  // A layer that declares no rotation has "no rotation" as its declared candidate.
  const named = rotates ? candidates : candidates.map((own) => renameUndeclared(own));
  return {
    layer,
    of,
    declared: {
      layout: typeof layout === "string" ? layout : null,
      rope_type: typeof rope_type === "string" ? rope_type : null,
      rope_theta: typeof rope_theta === "number" ? rope_theta : null,
    },
    holds: rotatesAsDeclared(named),
    candidates: named,
  };
}

function renameUndeclared(own: RotationCandidate): RotationCandidate {
  if (own.name === "no rotation") return { ...own, name: "declared" };
  return own.name.startsWith("declared") ? { ...own, name: own.name.replace("declared", "rope_theta 10000") } : own;
}

/** Candidates that are shown for a layer. */
const SHOWN = 3;

function formatLayer({ layer, of, holds, candidates }: VerifiedLayer): string[] {
  const shown = candidates.slice(0, SHOWN).map(({ name, layout, rope_type, rope_theta, error }) => {
    const base = rope_theta === null ? "" : `, rope_theta ${Number(rope_theta.toPrecision(6))}`;
    return `    ${error.toExponential(1)}  ${name}: ${layout}, ${rope_type}${base}`;
  });
  return [`layer ${layer}, ${of}: ${holds ? "as declared" : "NOT as declared"}`, ...shown];
}
