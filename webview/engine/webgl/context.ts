import { GPGPUContext, MathBackendWebGL, setWebGLContext } from "@tensorflow/tfjs-backend-webgl/dist/base";
import {
  backend,
  env,
  findBackendFactory,
  registerBackend,
  removeBackend,
  setBackend,
} from "@tensorflow/tfjs-core/dist/base";

/** Freed textures that tfjs may keep for reuse; by default it keeps them forever. */
const MAX_FREED_TEXTURE_BYTES = 64 * 2 ** 20;

const CONTEXT_ATTRIBUTES: WebGLContextAttributes = {
  alpha: false,
  antialias: false,
  depth: false,
  stencil: false,
  premultipliedAlpha: false,
  preserveDrawingBuffer: false,
  // A software renderer is still several times faster than the CPU painter.
  failIfMajorPerformanceCaveat: false,
};

/** A WebGL 2 context on our canvas, and tfjs' program context for it. */
export interface Gpu {
  readonly gl: WebGL2RenderingContext;
  readonly gpgpu: GPGPUContext;
}

/** Why there is no context: another renderer has the page's only one, or WebGL 2 with float targets is missing. */
export interface ContextRefusal {
  readonly reason: "busy" | "no-webgl2";
}

// Module-level like tfjs' registry of backends, which it guards.
let contextInUse: WebGL2RenderingContext | null = null;

/** Makes tfjs use this canvas, until `releaseContext`. */
export function acquireContext(canvas: HTMLCanvasElement): Gpu | ContextRefusal {
  if (contextInUse !== null) return { reason: "busy" };
  const gl = canvas.getContext("webgl2", CONTEXT_ATTRIBUTES);
  if (gl === null || gl.isContextLost() || gl.getExtension("EXT_color_buffer_float") === null)
    return { reason: "no-webgl2" };
  // Must come before any flag is read, because flags are probed on the current context.
  setWebGLContext(2, gl);
  env().set("WEBGL_VERSION", 2);
  env().set("WEBGL_DELETE_TEXTURE_THRESHOLD", MAX_FREED_TEXTURE_BYTES);
  // Importing the backend registered it with a canvas of its own.
  if (findBackendFactory("webgl") !== null) removeBackend("webgl");
  registerBackend("webgl", () => new MathBackendWebGL(new GPGPUContext(gl)));
  // The backend is created synchronously; the promise matters only for asynchronous backends.
  void setBackend("webgl");
  const activeBackend = backend();
  if (!(activeBackend instanceof MathBackendWebGL)) return { reason: "no-webgl2" };
  contextInUse = gl;
  return { gl, gpgpu: activeBackend.gpgpu };
}

/** Releases the context and its memory immediately, without waiting for garbage collection. */
export function releaseContext({ gl }: Gpu): void {
  if (contextInUse !== gl) return;
  removeBackend("webgl");
  contextInUse = null;
  if (!gl.isContextLost()) gl.getExtension("WEBGL_lose_context")?.loseContext();
}

/** Whether WebGL runs on the CPU: no GPU, a virtual machine, a remote desktop. */
export function isSoftwareRenderer({ gl }: Gpu): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = gl.getParameter(info === null ? gl.RENDERER : info.UNMASKED_RENDERER_WEBGL);
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(String(name));
}
