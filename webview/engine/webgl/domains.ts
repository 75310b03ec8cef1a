import { type Domain, isByRow, isLogarithmic } from "../colouring.ts";
import type { Frame } from "../painter.ts";
import type { Gpu } from "./context.ts";
import type { Block } from "./programs.ts";
import { copyToBuffer, takeBuffer } from "./readBack.ts";
import { REDUCED, reduceShader, stretchShader } from "./reduceShaders.ts";
import type { Texture } from "./textures.ts";
import type { Stage, Tools } from "./uploadedPlan.ts";

/** Domains of the visible cells, found where the values are: in three small reductions. */
export interface Domains {
  /** (low, high) of the picture, for programs as a uniform block and for the page to read later. */
  readonly all: Block;
  /** 1 × rows, for a scale of each row's own. */
  readonly rows: Texture | null;
}

export function reduceDomains(tools: Tools, { parts, uniforms }: Stage, { plan, colouring }: Frame): Domains {
  const { programs, textures, groups } = tools;
  const { rows, columns } = plan.grid;
  const stretches = { width: Math.ceil(columns.count / REDUCED), height: rows.count };
  const partial = textures.take("stretches", "rg32f", stretches);
  programs.run(stretchShader(parts, groups), textures.target("stretches", partial), stretches, {
    ...uniforms,
    columnCount: Int32Array.of(columns.count),
  });
  const settle = {
    symmetric: colouring.map === "difference",
    logarithmic: isLogarithmic(colouring),
    weights: plan.normalisers !== null,
  };
  const alongRows = (name: string, settled: boolean) => {
    const out = textures.take(name, "rg32f", { width: 1, height: rows.count });
    programs.run(
      reduceShader("x"),
      textures.target(name, out),
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
  const all = textures.take("domain", "rgba32f", { width: 1, height: 1 });
  programs.run(
    reduceShader("y"),
    textures.target("domain", all),
    { width: 1, height: 1 },
    {
      ranges: raw,
      count: Int32Array.of(rows.count),
      ...settle,
      settled: true,
    },
  );
  const rowDomains = isByRow(colouring) ? alongRows("row domains", true) : null;
  const uniformBlock = copyToBuffer(tools.gpu.gl, textures.target("domain", all), { width: 1, height: 1 }, "float");
  return { all: { uniformBlock }, rows: rowDomains };
}

/** The picture's, once the GPU is finished; lets go of the buffer. */
export function takeDomain({ gl }: Gpu, { all }: Domains): Domain {
  const pair = new Float32Array(4);
  takeBuffer(gl, all.uniformBlock, pair);
  return [pair[0] ?? 0, pair[1] ?? 1];
}
