import { GPGPUContext, MathBackendWebGL, setWebGLContext } from "@tensorflow/tfjs-backend-webgl/dist/base";
import {
  backend,
  env,
  findBackendFactory,
  registerBackend,
  removeBackend,
  setBackend,
} from "@tensorflow/tfjs-core/dist/base";

/** Bytes of freed textures that tfjs may keep for later: by default it keeps them for ever. */
const KEPT_BYTES = 64 * 2 ** 20;

const ATTRIBUTES: WebGLContextAttributes = {
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
  premultipliedAlpha: false,
  preserveDrawingBuffer: false,
  // A software renderer is still several times faster than the CPU painter.
  failIfMajorPerformanceCaveat: false,
};

/** tfjs on a canvas of ours: its backend, its context for programs, and WebGL 2 itself. */
export interface Gpu {
  readonly gl: WebGL2RenderingContext;
  readonly gpgpu: GPGPUContext;
}

let owner: WebGL2RenderingContext | null = null;

/** One context a page: whether somebody has it. */
export function isTaken(): boolean {
  return owner !== null;
}

/**
 * Makes the canvas tfjs' own. Needs `isTaken()` to be false.
 * @returns null where WebGL 2 with float targets is not to be had
 */
export function takeContext(canvas: HTMLCanvasElement): Gpu | null {
  const gl = canvas.getContext("webgl2", ATTRIBUTES);
  if (gl === null || gl.isContextLost() || gl.getExtension("EXT_color_buffer_float") === null) return null;
  // Before any flag is read: flags are probed on the context that is set.
  setWebGLContext(2, gl);
  env().set("WEBGL_VERSION", 2);
  env().set("WEBGL_DELETE_TEXTURE_THRESHOLD", KEPT_BYTES);
  // Importing the backend registers it, on a canvas of its own.
  if (findBackendFactory("webgl") !== null) removeBackend("webgl");
  registerBackend("webgl", () => new MathBackendWebGL(new GPGPUContext(gl)));
  // The backend is made at once, the promise is for backends that are not.
  void setBackend("webgl");
  const made = backend();
  if (!(made instanceof MathBackendWebGL)) return null;
  owner = gl;
  return { gl, gpgpu: made.gpgpu };
}

/** Gives the context back, and its memory at once: not when the page is collected. */
export function giveContext({ gl }: Gpu): void {
  if (owner !== gl) return;
  removeBackend("webgl");
  owner = null;
  if (!gl.isContextLost()) gl.getExtension("WEBGL_lose_context")?.loseContext();
}

/** Whether WebGL is computed by the processor: no GPU, a virtual machine, a remote desktop. */
export function isSoftware({ gl }: Gpu): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL);
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
}
