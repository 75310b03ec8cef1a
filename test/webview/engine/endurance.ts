import { memory } from "@tensorflow/tfjs-core/dist/base";
import type { Attention } from "../../../src/core/terms/term.ts";
import { attentionFromSource } from "../../../webview/engine/attentionSource.ts";
import { NormaliserClient } from "../../../webview/engine/normaliserClient.ts";
import { normaliserStream } from "../../../webview/engine/normaliserStreams.ts";
import { planSource } from "../../../webview/engine/planner.ts";
import type { AttentionSource } from "../../../webview/engine/renderer.ts";
import { sampleAxis, sampleGrid } from "../../../webview/engine/sampledGrid.ts";
import { runInSlices } from "../../../webview/engine/timeSlicing.ts";
import { acquireContext } from "../../../webview/engine/webgl/context.ts";
import { WebglPainter } from "../../../webview/engine/webgl/webglPainter.ts";
import { madeUpAttentions } from "./madeUp.ts";
import { attentionFor, LOGITS, WEIGHTS } from "./pictures.ts";

/** Long work: many pictures, long rows. */

/** Fine and coarse. */
const SIZES = [64, 32, 16].map((side) => ({ width: side, height: side }));

interface Variation {
  readonly attention: Attention;
  readonly weights: boolean;
  readonly row: number;
  readonly rows: number;
  readonly scale: "linear" | "row";
  readonly size: { readonly width: number; readonly height: number };
  /** Onto the canvas, or cell by cell for a canvas without WebGL. */
  readonly way: "canvas" | "cells";
}

function pick<T>(list: readonly T[], n: number): T {
  const found = list[n % list.length];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

const ATTENTIONS = [
  attentionFor("rope", "ones", 4000),
  attentionFor("rope", "random", 4000, { causal: true }),
  attentionFor("t5_bias", "random", 4000),
  ...["every kind", "products and relatives", "regions by distance", "large column bias"].map((name) => {
    const found = madeUpAttentions[name];
    if (found === undefined) throw new Error(`no attention ${name}`);
    return found;
  }),
];

/** The n-th picture: kind, place, size and scale change with different periods. */
function variation(n: number): Variation {
  return {
    attention: pick(ATTENTIONS, n),
    weights: n % 3 === 0,
    row: n % 50,
    rows: 20 + (n % 40),
    scale: n % 5 === 0 ? "row" : "linear",
    size: pick(SIZES, Math.floor(n / 2)),
    way: n % 2 === 0 ? "canvas" : "cells",
  };
}

/** Textures and buffers of WebGL and tensors of tfjs, counted while a painter draws. */
export async function manyDraws(count: number) {
  const canvas = document.createElement("canvas");
  document.body.append(canvas);
  const gpu = acquireContext(canvas);
  if ("reason" in gpu) throw new Error(gpu.reason);
  const alive = { textures: 0, framebuffers: 0, buffers: 0, programs: 0 };
  watch(gpu.gl, alive);
  const painter = new WebglPainter(canvas, gpu);
  const draw = async ({ attention, weights, row, rows, scale, size, way }: Variation) => {
    const viewport = { row, column: row, rows, columns: rows };
    const grid = sampleGrid(viewport, { rows: attention.queryLength, columns: attention.keyLength }, size);
    const slices = { progress: () => undefined, stopped: () => false };
    const normalisers = weights ? await runInSlices(normaliserStream(attention, grid.rows), slices) : null;
    const source = { kind: "attention", attention, show: weights ? WEIGHTS : LOGITS } as const;
    const plan = planSource(source, grid, normalisers === null ? {} : { normalisers: normalisers.values });
    const colouring = { map: "viridis", scale, domain: null, background: "#000000" } as const;
    const frame = { plan, colouring, ...size };
    await (way === "canvas" ? painter.paint(frame) : painter.cellColours(frame));
  };
  // The first run compiles every program and sizes every texture; the second run creates nothing.
  for (let n = 0; n < count; n++) await draw(variation(n));
  const before = { ...alive, tensors: memory().numTensors, held: painter.textureCount };
  for (let n = 0; n < count; n++) await draw(variation(n));
  const after = { ...alive, tensors: memory().numTensors, held: painter.textureCount };
  const error = gpu.gl.getError();
  painter.dispose();
  return { before, after, error, end: { ...alive } };
}

/** Counts what is created and not deleted. */
function watch(
  gl: WebGL2RenderingContext,
  alive: Record<"textures" | "framebuffers" | "buffers" | "programs", number>,
): void {
  const count = (
    make: "createTexture" | "createFramebuffer" | "createBuffer" | "createProgram",
    key: keyof typeof alive,
  ) => {
    const remove = make.replace("create", "delete");
    for (const [name, step] of [
      [make, 1],
      [remove, -1],
    ] as const) {
      const original: unknown = Reflect.get(gl, name);
      if (typeof original !== "function") throw new Error(`no ${name}`);
      Reflect.set(gl, name, (...args: unknown[]) => {
        alive[key] += step;
        return Reflect.apply(original, gl, args);
      });
    }
  };
  count("createTexture", "textures");
  count("createFramebuffer", "framebuffers");
  count("createBuffer", "buffers");
  count("createProgram", "programs");
}

/** A worker and the page itself must find the same normalisers. */
export async function inWorker(recipe: AttentionSource, first: number, rows: number) {
  const attention = attentionFromSource(recipe);
  const axis = sampleAxis(first, rows, attention.queryLength, rows);
  const NativeWorker = window.Worker;
  let workers = 0;
  window.Worker = class extends NativeWorker {
    constructor(url: string | URL) {
      super(url);
      workers++;
    }
  };
  const client = new NormaliserClient();
  const fractions: number[] = [];
  const slices = { progress: (fraction: number) => fractions.push(fraction), stopped: () => false };
  try {
    const far = await client.rows(attention, recipe, axis, slices);
    const again = await client.rows(attention, recipe, axis, slices);
    const here = await runInSlices(normaliserStream(attention, axis), { ...slices, progress: () => undefined });
    if (far === null || again === null || here === null) throw new Error("stopped");
    const worst = Math.max(...far.values.map((value, k) => Math.abs(value - (here.values[k] ?? 0))));
    return {
      workers,
      worst,
      same: far.values.every((value, k) => value === again.values[k]),
      progress: fractions.length,
    };
  } finally {
    client.dispose();
    window.Worker = NativeWorker;
  }
}
