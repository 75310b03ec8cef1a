import type { TargetSize } from "./programs.ts";

/** Reads results from the GPU without blocking the page. */

/** Copies texels of four numbers into a buffer, on the GPU. */
export function copyToBuffer(
  gl: WebGL2RenderingContext,
  framebuffer: WebGLFramebuffer,
  { width, height }: TargetSize,
  numbers: "float" | "uint",
): WebGLBuffer {
  const buffer = gl.createBuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
  gl.bufferData(gl.PIXEL_PACK_BUFFER, width * height * 16, gl.STREAM_READ);
  if (numbers === "float") gl.readPixels(0, 0, width, height, gl.RGBA, gl.FLOAT, 0);
  else gl.readPixels(0, 0, width, height, gl.RGBA_INTEGER, gl.UNSIGNED_INT, 0);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
  return buffer;
}

/** Fills an array from a buffer after `waitForGpu`, and deletes the buffer. Fills with zeros if the context is lost. */
export function readBuffer(gl: WebGL2RenderingContext, buffer: WebGLBuffer, into: Float32Array | Uint32Array): void {
  if (gl.isContextLost()) into.fill(0);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
  gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, into);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
  gl.deleteBuffer(buffer);
}

/** Resolves when all submitted GPU work is done; immediately if the context is lost. */
export async function waitForGpu(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence === null) return;
  gl.flush();
  while (!gl.isContextLost() && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  gl.deleteSync(fence);
}
