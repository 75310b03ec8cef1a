/** What a texture holds. Integer formats are for indices: floats are exact to 2^24 only. */
export type Format = "r32f" | "rg32f" | "rgba32f" | "rgba32i" | "rgba32ui" | "rgba8";

interface GlFormat {
  readonly internal: GLenum;
  readonly format: GLenum;
  readonly type: GLenum;
}

function glFormat(gl: WebGL2RenderingContext, format: Format): GlFormat {
  switch (format) {
    case "r32f":
      return { internal: gl.R32F, format: gl.RED, type: gl.FLOAT };
    case "rg32f":
      return { internal: gl.RG32F, format: gl.RG, type: gl.FLOAT };
    case "rgba32f":
      return { internal: gl.RGBA32F, format: gl.RGBA, type: gl.FLOAT };
    case "rgba32i":
      return { internal: gl.RGBA32I, format: gl.RGBA_INTEGER, type: gl.INT };
    case "rgba32ui":
      return { internal: gl.RGBA32UI, format: gl.RGBA_INTEGER, type: gl.UNSIGNED_INT };
    case "rgba8":
      return { internal: gl.RGBA8, format: gl.RGBA, type: gl.UNSIGNED_BYTE };
  }
}

export interface Size {
  readonly width: number;
  readonly height: number;
  /** Layers of an array texture; absent for a plain one. */
  readonly layers?: number;
}

export interface Texture extends Size {
  readonly texture: WebGLTexture;
  readonly target: GLenum;
  readonly format: Format;
}

/** Lists are wrapped into rows of this many texels: no axis meets the largest texture. */
export const LIST_WIDTH = 2048;

/** Smallest side: sizes are powers of two from here, so that panning and zooming find what they need again. */
const LEAST = 8;

function quantise(size: number): number {
  return Math.max(LEAST, 2 ** Math.ceil(Math.log2(size)));
}

type Data = Float32Array | Int32Array | Uint8Array;

/** The textures of a painter by the name of their use, kept from frame to frame while their size fits. */
export class Textures {
  readonly #gl: WebGL2RenderingContext;
  readonly #named = new Map<string, Texture>();
  readonly #targets = new Map<string, { readonly framebuffer: WebGLFramebuffer; readonly of: WebGLTexture }>();

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  get count(): number {
    return this.#named.size;
  }

  /** A texture of at least this size; what it holds is undefined. */
  take(name: string, format: Format, { width, height, layers }: Size): Texture {
    const size = { width: quantise(width), height: quantise(height), ...(layers === undefined ? {} : { layers }) };
    const kept = this.#named.get(name);
    const fits =
      kept?.format === format && kept.width === size.width && kept.height === size.height && kept.layers === layers;
    if (kept !== undefined && fits) return kept;
    if (kept !== undefined) this.#gl.deleteTexture(kept.texture);
    const made = this.#make(format, size);
    this.#named.set(name, made);
    return made;
  }

  upload(name: string, format: Format, size: { width: number; height: number }, data: Data): Texture {
    const texture = this.take(name, format, size);
    const gl = this.#gl;
    const { format: layout, type } = glFormat(gl, format);
    gl.bindTexture(gl.TEXTURE_2D, texture.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, size.width, size.height, layout, type, data);
    return texture;
  }

  /** Element n stands at (n mod LIST_WIDTH, ⌊n / LIST_WIDTH⌋). @param data its length is a multiple of the width's */
  uploadList(name: string, format: Format, data: Data, channels: number): Texture {
    const height = data.length / channels / LIST_WIDTH;
    return this.upload(name, format, { width: LIST_WIDTH, height }, data);
  }

  /** A framebuffer that draws into a texture, or into all layers of an array at once. */
  target(name: string, { texture, target, layers }: Texture): WebGLFramebuffer {
    const gl = this.#gl;
    const kept = this.#targets.get(name);
    if (kept?.of === texture) return kept.framebuffer;
    if (kept !== undefined) gl.deleteFramebuffer(kept.framebuffer);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const attachments = Array.from({ length: layers ?? 1 }, (_, n) => gl.COLOR_ATTACHMENT0 + n);
    attachments.forEach((attachment, layer) => {
      if (layers === undefined) gl.framebufferTexture2D(gl.FRAMEBUFFER, attachment, target, texture, 0);
      else gl.framebufferTextureLayer(gl.FRAMEBUFFER, attachment, texture, 0, layer);
    });
    gl.drawBuffers(attachments);
    this.#targets.set(name, { framebuffer, of: texture });
    return framebuffer;
  }

  dispose(): void {
    for (const { texture } of this.#named.values()) this.#gl.deleteTexture(texture);
    for (const { framebuffer } of this.#targets.values()) this.#gl.deleteFramebuffer(framebuffer);
    this.#named.clear();
    this.#targets.clear();
  }

  #make(format: Format, size: Size): Texture {
    const gl = this.#gl;
    const texture = gl.createTexture();
    const target = size.layers === undefined ? gl.TEXTURE_2D : gl.TEXTURE_2D_ARRAY;
    const { internal } = glFormat(gl, format);
    gl.bindTexture(target, texture);
    if (size.layers === undefined) gl.texStorage2D(target, 1, internal, size.width, size.height);
    else gl.texStorage3D(target, 1, internal, size.width, size.height, size.layers);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(target, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(target, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return { ...size, texture, target, format };
  }
}

/** Zero-padded to whole rows of a list texture. */
export function listLength(count: number, channels: number): number {
  return Math.max(1, Math.ceil(count / LIST_WIDTH)) * LIST_WIDTH * channels;
}
