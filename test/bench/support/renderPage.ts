import { MathBackendWebGL, webgl_util } from "@tensorflow/tfjs-backend-webgl/dist/base";
import { batchMatMulConfig } from "@tensorflow/tfjs-backend-webgl/dist/kernels/BatchMatMul";
import * as tf from "@tensorflow/tfjs-core/dist/base";
import { registerKernel } from "@tensorflow/tfjs-core/dist/kernel_registry";
import { matMul } from "@tensorflow/tfjs-core/dist/ops/mat_mul";
import { buildAttention } from "../../../src/core/encodings/buildAttention.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { requireParams } from "../../../src/core/encodings/support/schema.ts";
import { colourTable } from "../../../src/core/export/colourMaps.ts";
import type { Params } from "../../../src/core/spec.ts";
import { onesContent, randomContent } from "../../../src/core/terms/content.ts";
import type { Content } from "../../../src/core/terms/scene.ts";
import type { Attention, Mask } from "../../../src/core/terms/term.ts";
import { createWebglPainter } from "../../../webview/engine/figureRenderer.ts";
import type { Painter } from "../../../webview/engine/painter.ts";
import { planSource } from "../../../webview/engine/planner.ts";
import { sampleGrid } from "../../../webview/engine/sampledGrid.ts";
import { acquireContext } from "../../../webview/engine/webgl/context.ts";

/** Runs in Chromium: what the bench of drawing measures. */

const SIZE = 1024;
const DIM = 128;
/** Between two runs the page draws a frame, so that a run does not wait for the previous one. */
const PAUSE = 60;

registerKernel(batchMatMulConfig);

export interface View {
  readonly encoding: "rope" | "alibi" | "t5_bias" | "sinusoidal";
  readonly content: "ones" | "random";
  readonly length: number;
  readonly domain: [number, number] | null;
  readonly mask: Mask;
}

interface Setup {
  readonly gl: WebGL2RenderingContext;
  readonly painter: Painter;
  readonly flat: CanvasRenderingContext2D;
}

function newCanvas(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = SIZE;
  canvas.height = SIZE;
  document.body.append(canvas);
  return canvas;
}

function build(): Setup {
  const canvas = newCanvas();
  const gpu = acquireContext(canvas);
  const flat = newCanvas().getContext("2d");
  if ("reason" in gpu || flat === null) throw new Error("no WebGL 2 with float targets");
  return { gl: gpu.gl, painter: createWebglPainter(document.body, canvas, gpu), flat };
}

let setup: Setup | null = null;
const getSetup = (): Setup => (setup ??= build());

const contents: Record<View["content"], Content> = { ones: onesContent, random: randomContent(7) };

/** The n-th base of a slider that is being dragged. */
function paramsOf({ encoding }: View, n: number): Params {
  const given: Record<View["encoding"], Params> = {
    rope: { head_dim: DIM, rope_theta: 10_000 + 100 * n },
    alibi: { head_dim: DIM, alibi_bias_max: 8 + n / 100 },
    t5_bias: { head_dim: DIM, max_distance: 128 + n },
    sinusoidal: { hidden_size: DIM, base: 10_000 + 100 * n },
  };
  const found = encodingById(encoding);
  if (found === undefined) throw new Error(`no encoding ${encoding}`);
  return requireParams(found, given[encoding]);
}

function attentionAt(view: View, n: number): Attention {
  const encoding = encodingById(view.encoding);
  if (encoding === undefined) throw new Error(`no encoding ${view.encoding}`);
  const { length } = view;
  const scene = {
    queryLength: length,
    keyLength: length,
    shift: 0,
    head: 0,
    centre: length - SIZE / 2,
    content: contents[view.content],
    inputs: {},
  };
  return buildAttention(encoding, paramsOf(view, n), scene, view.mask);
}

/** Base → pixels, as the panel does it. */
async function drawView(view: View, n: number): Promise<void> {
  const { gl, painter } = getSetup();
  const first = view.length - SIZE;
  const viewport = { row: first, column: first, rows: SIZE, columns: SIZE };
  const grid = sampleGrid(viewport, { rows: view.length, columns: view.length }, { width: SIZE, height: SIZE });
  const source = { kind: "attention", attention: attentionAt(view, n), show: { of: "logits", hidden: [] } } as const;
  const colouring = { map: "viridis", scale: "linear", domain: view.domain, background: "#1f1f1f" } as const;
  const frame = { plan: planSource(source, grid), colouring, width: SIZE, height: SIZE };
  await painter.paint(frame);
  readPixel(gl);
}

/** Reads one painted pixel from either canvas, so that the time includes the drawing. */
function readPixel(gl: WebGL2RenderingContext): void {
  const cpu = document.querySelector<HTMLCanvasElement>("canvas[data-by=cpu]");
  if (cpu !== null && cpu.style.display !== "none") {
    cpu.getContext("2d")?.getImageData(0, 0, 1, 1);
    return;
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
}

/** Both float32 factors of the view's product, the input of a program without this engine. */
function factorsAt(view: View, n: number): [Float32Array, Float32Array] {
  const term = attentionAt(view, n).terms.find(({ kind }) => kind === "product");
  if (term?.kind !== "product") throw new Error("no product");
  const rows = new Float64Array(SIZE * DIM);
  const keys = new Float64Array(SIZE * DIM);
  for (let k = 0; k < SIZE; k++) {
    term.query.write(view.length - SIZE + k, rows, k * DIM);
    term.key.write(view.length - SIZE + k, keys, k * DIM);
  }
  return [Float32Array.from(rows, (value) => value * term.scale), Float32Array.from(keys)];
}

function readOne(tensor: tf.Tensor): void {
  const { gl } = getSetup();
  const backend = tf.backend();
  if (!(backend instanceof MathBackendWebGL)) throw new Error("not WebGL");
  const { texture } = backend.getDataInfo(tensor.dataId);
  if (texture === null || texture === undefined) throw new Error("not on the GPU");
  webgl_util.bindColorTextureToFramebuffer(backend.gpgpu.gl, texture.texture, backend.gpgpu.framebuffer);
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.FLOAT, new Float32Array(4));
}

let operands: [tf.Tensor2D, tf.Tensor2D] | null = null;

/** The product alone, operands on the GPU already. */
function bareMatMul(): void {
  operands ??= ((): [tf.Tensor2D, tf.Tensor2D] => {
    const [a, b] = factorsAt({ encoding: "rope", content: "random", length: SIZE, domain: null, mask: {} }, 0);
    return [tf.tensor2d(a, [SIZE, DIM]), tf.tensor2d(b, [SIZE, DIM])];
  })();
  const product = matMul(operands[0], operands[1], false, true);
  readOne(product);
  product.dispose();
}

/** Base → pixels with tfjs as its documentation has it: product, data(), colours in a loop, putImageData. */
async function drawWithTfjs(view: View, n: number): Promise<void> {
  const [a, b] = factorsAt(view, n);
  const left = tf.tensor2d(a, [SIZE, DIM]);
  const right = tf.tensor2d(b, [SIZE, DIM]);
  const product = matMul(left, right, false, true);
  const values = await product.data();
  const [low, high] = view.domain ?? [-4, 4];
  const table = colourTable("viridis");
  const image = new ImageData(SIZE, SIZE);
  for (let cell = 0; cell < values.length; cell++) {
    const step = Math.min(255, Math.max(0, Math.floor((((values[cell] ?? 0) - low) / (high - low)) * 256)));
    image.data[cell * 4] = table[step * 3] ?? 0;
    image.data[cell * 4 + 1] = table[step * 3 + 1] ?? 0;
    image.data[cell * 4 + 2] = table[step * 3 + 2] ?? 0;
    image.data[cell * 4 + 3] = 255;
  }
  const { flat } = getSetup();
  flat.putImageData(image, 0, 0);
  flat.getImageData(0, 0, 1, 1);
  for (const tensor of [left, right, product]) tensor.dispose();
}

async function idle(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
}

export type Leg =
  | { readonly of: "view"; readonly view: View }
  | { readonly of: "naive"; readonly view: View }
  | { readonly of: "matMul" };

async function runLeg(leg: Leg, n: number): Promise<void> {
  if (leg.of === "view") await drawView(leg.view, n);
  else if (leg.of === "naive") await drawWithTfjs(leg.view, n);
  else bareMatMul();
}

export const renderBench = {
  renderer(): string {
    const { gl } = getSetup();
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    return String(gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL));
  },
  /** Times of each leg in milliseconds. The legs alternate, so that other load affects all alike. */
  async run(legs: readonly Leg[], { warm, runs }: { warm: number; runs: number }): Promise<number[][]> {
    getSetup();
    await tf.setBackend("webgl");
    const times = legs.map((): number[] => []);
    for (let n = 0; n < warm + runs; n++) {
      for (const [which, leg] of legs.entries()) {
        await idle();
        const began = performance.now();
        await runLeg(leg, n);
        if (n >= warm) times[which]?.push(performance.now() - began);
      }
    }
    return times;
  },
};

export type RenderBench = typeof renderBench;

Object.assign(window, { renderBench });
