import { type ColourDomain, isByRow, isLogarithmic } from "../colouring.ts";
import type { PictureFrame } from "../painter.ts";
import type { Gpu } from "./context.ts";
import type { UniformBlock } from "./programs.ts";
import { copyToBuffer, readBuffer } from "./readBack.ts";
import { CELLS_PER_STRETCH, reduceShader, stretchShader } from "./reduceShaders.ts";
import type { Texture } from "./textures.ts";
import type { GpuResources, UploadedPlan } from "./uploadedPlan.ts";

/** Colour domains of the visible cells, computed on the GPU in three small reductions. */
export interface GpuDomains {
  /** (low, high) of the picture: a uniform block for programs, read back by the page later. */
  readonly all: UniformBlock;
  /** 1 × rows, for a scale by row. */
  readonly rows: Texture | null;
}

export function reduceDomains(
  resources: GpuResources,
  { parts, uniforms }: UploadedPlan,
  { plan, colouring }: PictureFrame,
): GpuDomains {
  const { programs, textures, groups } = resources;
  const { rows, columns } = plan.grid;
  const stretches = { width: Math.ceil(columns.count / CELLS_PER_STRETCH), height: rows.count };
  const partial = textures.acquire("stretches", "rg32f", stretches);
  programs.run(stretchShader(parts, groups), textures.framebufferFor("stretches", partial), stretches, {
    ...uniforms,
    columnCount: Int32Array.of(columns.count),
  });
  const settle = {
    symmetric: colouring.map === "difference",
    logarithmic: isLogarithmic(colouring),
    weights: plan.normalisers !== null,
  };
  const alongRows = (name: string, settled: boolean) => {
    const out = textures.acquire(name, "rg32f", { width: 1, height: rows.count });
    programs.run(
      reduceShader("x"),
      textures.framebufferFor(name, out),
      { width: 1, height: rows.count },
      {
        ranges: partial,
        count: Int32Array.of(stretches.width),
        ...settle,
        settled,
      },
    );
    return out;
  };
  const raw = alongRows("row extremes", false);
  const all = textures.acquire("domain", "rgba32f", { width: 1, height: 1 });
  programs.run(
    reduceShader("y"),
    textures.framebufferFor("domain", all),
    { width: 1, height: 1 },
    {
      ranges: raw,
      count: Int32Array.of(rows.count),
      ...settle,
      settled: true,
    },
  );
  const rowDomains = isByRow(colouring) ? alongRows("row domains", true) : null;
  const uniformBlock = copyToBuffer(
    resources.gpu.gl,
    textures.framebufferFor("domain", all),
    { width: 1, height: 1 },
    "float",
  );
  return { all: { uniformBlock }, rows: rowDomains };
}

/** Reads the picture's domain once the GPU is done, and deletes the buffer. */
export function readDomain({ gl }: Gpu, { all }: GpuDomains): ColourDomain {
  const pair = new Float32Array(4);
  readBuffer(gl, all.uniformBlock, pair);
  return [pair[0] ?? 0, pair[1] ?? 1];
}
