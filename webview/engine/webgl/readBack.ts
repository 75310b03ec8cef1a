import type { Area } from "./programs.ts";

/** What comes back from the GPU, without making the page wait for it. */

/** Copies texels of four numbers into a buffer, on the GPU. */
export function copyToBuffer(
  gl: WebGL2RenderingContext,
  framebuffer: WebGLFramebuffer,
  { width, height }: Area,
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

/** Fills an array from a buffer whose GPU is `finished`, and lets go of the buffer. A lost context fills it with zero. */
export function takeBuffer(gl: WebGL2RenderingContext, buffer: WebGLBuffer, into: Float32Array | Uint32Array): void {
  if (gl.isContextLost()) into.fill(0);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, buffer);
  gl.getBufferSubData(gl.PIXEL_PACK_BUFFER, 0, into);
  gl.bindBuffer(gl.PIXEL_PACK_BUFFER, null);
  gl.deleteBuffer(buffer);
}

/** When everything that was asked of the GPU is done; at once when its context is lost. */
export async function finished(gl: WebGL2RenderingContext): Promise<void> {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  if (fence === null) return;
  gl.flush();
  while (!gl.isContextLost() && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  gl.deleteSync(fence);
}
