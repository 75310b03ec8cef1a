import { type GPGPUContext, webgl_util } from "@tensorflow/tfjs-backend-webgl/dist/base";
import type { Gpu } from "./context.ts";
import type { Texture } from "./textures.ts";

type GpgpuProgram = ReturnType<GPGPUContext["createProgram"]>;

/**
 * The value of a uniform: one to four numbers, integers as Int32Array, packed colours as Uint32Array (one, or fours), a
 * texture, or the program's one uniform block.
 */
export type UniformValue = number | boolean | readonly number[] | Int32Array | Uint32Array | Texture | UniformBlock;

interface CompiledProgram {
  readonly program: GpgpuProgram;
  readonly locations: Map<string, WebGLUniformLocation | null>;
}

export interface UniformBlock {
  readonly uniformBlock: WebGLBuffer;
}

/** Size of the drawn part of the target, in pixels. */
export interface TargetSize {
  readonly width: number;
  readonly height: number;
}

/** Compiles each program text once and runs it through tfjs' context. */
export class Programs {
  readonly #gpu: Gpu;
  readonly #compiled = new Map<string, CompiledProgram>();

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
  }

  /** @param framebuffer null: the canvas */
  run(
    text: string,
    framebuffer: WebGLFramebuffer | null,
    area: TargetSize,
    uniforms: Readonly<Record<string, UniformValue>>,
  ): void {
    const { gl, gpgpu } = this.#gpu;
    const compiled = this.#compiled.get(text) ?? this.#compile(text);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, area.width, area.height);
    gl.scissor(0, 0, area.width, area.height);
    gpgpu.setProgram(compiled.program);
    gpgpu.bindVertexArray(compiled.program.vao);
    let unit = 0;
    for (const [name, value] of Object.entries(uniforms)) {
      if (typeof value !== "object" || "length" in value) this.#set(value, this.#location(compiled, name));
      else if ("texture" in value) this.#bind(value, this.#location(compiled, name), unit++);
      else gl.bindBufferBase(gl.UNIFORM_BUFFER, 0, value.uniformBlock);
    }
    gpgpu.executeProgram();
  }

  dispose(): void {
    for (const { program } of this.#compiled.values()) this.#gpu.gpgpu.deleteProgram(program);
    this.#compiled.clear();
  }

  #compile(text: string): CompiledProgram {
    const { gl, gpgpu } = this.#gpu;
    const program = gpgpu.createProgram(webgl_util.createFragmentShader(gl, text));
    gpgpu.buildVao(program);
    const compiled = { program, locations: new Map<string, WebGLUniformLocation | null>() };
    this.#compiled.set(text, compiled);
    return compiled;
  }

  #location({ program, locations }: CompiledProgram, name: string): WebGLUniformLocation | null {
    let location = locations.get(name);
    if (location === undefined) {
      location = this.#gpu.gl.getUniformLocation(program, name);
      locations.set(name, location);
    }
    return location;
  }

  #bind({ texture, target }: Texture, location: WebGLUniformLocation | null, unit: number): void {
    const { gl } = this.#gpu;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(target, texture);
    gl.uniform1i(location, unit);
  }

  #set(value: Exclude<UniformValue, Texture | UniformBlock>, location: WebGLUniformLocation | null): void {
    const { gl } = this.#gpu;
    if (typeof value === "number") gl.uniform1f(location, value);
    else if (typeof value === "boolean") gl.uniform1i(location, value ? 1 : 0);
    else if (value instanceof Int32Array) this.#setIntegers(value, location);
    else if (value instanceof Uint32Array)
      value.length === 1 ? gl.uniform1uiv(location, value) : gl.uniform4uiv(location, value);
    else if (value.length === 2) gl.uniform2fv(location, value);
    else if (value.length === 3) gl.uniform3fv(location, value);
    else gl.uniform4fv(location, value);
  }

  #setIntegers(value: Int32Array, location: WebGLUniformLocation | null): void {
    const { gl } = this.#gpu;
    if (value.length === 1) gl.uniform1iv(location, value);
    else if (value.length === 2) gl.uniform2iv(location, value);
    else if (value.length === 3) gl.uniform3iv(location, value);
    else gl.uniform4iv(location, value);
  }
}
