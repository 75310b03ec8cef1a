/** Texel formats. Integer formats are for indices, because floats are exact only up to 2^24. */
export type TextureFormat = "r32f" | "rg32f" | "rgba32f" | "rgba32i" | "rgba32ui" | "rgba8";

interface WebglFormat {
  readonly internal: GLenum;
  readonly format: GLenum;
  readonly type: GLenum;
}

function webglFormat(gl: WebGL2RenderingContext, format: TextureFormat): WebglFormat {
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

export interface TextureSize {
  readonly width: number;
  readonly height: number;
  /** Layers of an array texture; absent for a plain one. */
  readonly layers?: number;
}

export interface Texture extends TextureSize {
  readonly texture: WebGLTexture;
  readonly target: GLenum;
  readonly format: TextureFormat;
}

/** Lists are wrapped into rows of this many texels, so that their length stays below the largest texture size. */
export const LIST_WIDTH = 2048;

/** Sizes are powers of two from here on, so that panning and zooming can reuse textures. */
const MIN_TEXTURE_SIDE = 8;

function roundUpSide(size: number): number {
  return Math.max(MIN_TEXTURE_SIDE, 2 ** Math.ceil(Math.log2(size)));
}

type TextureData = Float32Array | Int32Array | Uint8Array;

/** A painter's textures by purpose, reused from frame to frame while their size fits. */
export class Textures {
  readonly #gl: WebGL2RenderingContext;
  readonly #textures = new Map<string, Texture>();
  readonly #framebuffers = new Map<string, { readonly framebuffer: WebGLFramebuffer; readonly of: WebGLTexture }>();

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
  }

  get count(): number {
    return this.#textures.size;
  }

  /** A texture of at least this size, with undefined content. */
  acquire(name: string, format: TextureFormat, { width, height, layers }: TextureSize): Texture {
    const size = {
      width: roundUpSide(width),
      height: roundUpSide(height),
      ...(layers === undefined ? {} : { layers }),
    };
    const existing = this.#textures.get(name);
    const fits =
      existing?.format === format &&
      existing.width === size.width &&
      existing.height === size.height &&
      existing.layers === layers;
    if (existing !== undefined && fits) return existing;
    if (existing !== undefined) this.#gl.deleteTexture(existing.texture);
    const created = this.#createTexture(format, size);
    this.#textures.set(name, created);
    return created;
  }

  upload(name: string, format: TextureFormat, size: { width: number; height: number }, data: TextureData): Texture {
    const texture = this.acquire(name, format, size);
    const gl = this.#gl;
    const { format: layout, type } = webglFormat(gl, format);
    gl.bindTexture(gl.TEXTURE_2D, texture.texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, size.width, size.height, layout, type, data);
    return texture;
  }

  /**
   * Element n is at (n mod LIST_WIDTH, ⌊n / LIST_WIDTH⌋).
   * @param data padded with `paddedListLength`
   */
  uploadList(name: string, format: TextureFormat, data: TextureData, channels: number): Texture {
    const height = data.length / channels / LIST_WIDTH;
    return this.upload(name, format, { width: LIST_WIDTH, height }, data);
  }

  /** A framebuffer that draws into a texture, or into all layers of an array at once. */
  framebufferFor(name: string, { texture, target, layers }: Texture): WebGLFramebuffer {
    const gl = this.#gl;
    const existing = this.#framebuffers.get(name);
    if (existing?.of === texture) return existing.framebuffer;
    if (existing !== undefined) gl.deleteFramebuffer(existing.framebuffer);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    const attachments = Array.from({ length: layers ?? 1 }, (_, n) => gl.COLOR_ATTACHMENT0 + n);
    attachments.forEach((attachment, layer) => {
      if (layers === undefined) gl.framebufferTexture2D(gl.FRAMEBUFFER, attachment, target, texture, 0);
      else gl.framebufferTextureLayer(gl.FRAMEBUFFER, attachment, texture, 0, layer);
    });
    gl.drawBuffers(attachments);
    this.#framebuffers.set(name, { framebuffer, of: texture });
    return framebuffer;
  }

  dispose(): void {
    for (const { texture } of this.#textures.values()) this.#gl.deleteTexture(texture);
    for (const { framebuffer } of this.#framebuffers.values()) this.#gl.deleteFramebuffer(framebuffer);
    this.#textures.clear();
    this.#framebuffers.clear();
  }

  #createTexture(format: TextureFormat, size: TextureSize): Texture {
    const gl = this.#gl;
    const texture = gl.createTexture();
    const target = size.layers === undefined ? gl.TEXTURE_2D : gl.TEXTURE_2D_ARRAY;
    const { internal } = webglFormat(gl, format);
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

/** Length of list data when padded with zeros to whole rows of the texture. */
export function paddedListLength(count: number, channels: number): number {
  return Math.max(1, Math.ceil(count / LIST_WIDTH)) * LIST_WIDTH * channels;
}
