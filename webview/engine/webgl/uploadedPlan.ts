import { evaluate } from "../evaluate.ts";
import type { Plan, ProductPart } from "../plan.ts";
import type { RelativePart } from "../relative.ts";
import type { Gpu } from "./context.ts";
import { type ProductVariant, productShader } from "./productShader.ts";
import type { Programs, Uniform } from "./programs.ts";
import { BLOCK_ROWS, type Groups, type Parts } from "./shaders.ts";
import type { Texture, Textures } from "./textures.ts";
import {
  regionUniform,
  roundsTooMuch,
  startsAtNormaliser,
  uploadFloats,
  uploadPairs,
  uploadRanges,
  uploadSlots,
  uploadVectors,
} from "./upload.ts";

/** A plan on the GPU: what programs that need values are made for, and are given. */
export interface Stage {
  readonly parts: Parts;
  readonly uniforms: Readonly<Record<string, Uniform>>;
}

export interface Tools {
  readonly gpu: Gpu;
  readonly programs: Programs;
  readonly textures: Textures;
  readonly groups: Groups;
}

/** Parts that a program has samplers for; 16 is what every WebGL 2 has. */
const MOST_PRODUCTS = 3;
const MOST_RELATIVES = 4;

/**
 * Parts that the GPU cannot have are added up on the CPU: those for which there is no sampler, and those whose
 * rounding would show in weights.
 */
function spill(plan: Plan): Plan {
  const weights = plan.normalisers !== null;
  const count = plan.products.length + plan.relatives.length;
  const exact = <T>(parts: readonly T[], vectors: (part: T) => [Float64Array, Float64Array, number]) =>
    weights ? parts.filter((part) => !roundsTooMuch(...vectors(part), count)) : parts;
  const products = exact(plan.products, ({ query, key, dim }) => [query, key, dim]).slice(0, MOST_PRODUCTS);
  const relatives = exact(plan.relatives, ({ vectors, table, dim }) => [vectors, table, dim]).slice(0, MOST_RELATIVES);
  const rest = {
    products: plan.products.filter((part) => !products.includes(part)),
    relatives: plan.relatives.filter((part) => !relatives.includes(part)),
  };
  if (rest.products.length + rest.relatives.length === 0) return plan;
  return { ...plan, products, relatives, cells: evaluate({ ...plan, ...rest, profile: null, normalisers: null }) };
}

/** A row that sees nothing has −Infinity, which would make NaN of its masked cells. */
function finite(plan: Plan): Plan {
  if (plan.normalisers === null) return plan;
  return { ...plan, normalisers: plan.normalisers.map((value) => (Number.isFinite(value) ? value : 0)) };
}

/** Cells with profile and normalisers in them, still in float64: sums of large numbers stay exact. */
function gatheredCells(cells: Float64Array, { profile, normalisers, grid, diagonals }: Plan): Float32Array {
  const { rows, columns } = grid;
  const out = new Float32Array(cells.length);
  for (let k = 0; k < rows.count; k++) {
    const start = k * diagonals.rowStep + diagonals.shift;
    const normaliser = normalisers?.[k] ?? 0;
    for (let l = 0; l < columns.count; l++) {
      const n = k * columns.count + l;
      out[n] = (cells[n] ?? 0) + (profile?.[start - l * diagonals.columnStep] ?? 0) - normaliser;
    }
  }
  return out;
}

interface Product {
  readonly name: string;
  readonly rows: Float64Array;
  readonly columns: Float64Array;
  readonly dim: number;
}

type ProductTextures = { readonly normalisers?: Texture; readonly ranges?: Texture };

/** rows · columnsᵀ in blocks, into the layers of an array texture. */
function multiply(tools: Tools, product: Product, variant: ProductVariant, given: ProductTextures): Texture {
  const { textures, groups } = tools;
  const { name, dim } = product;
  const rows = uploadVectors(textures, `${name} rows`, product.rows, dim);
  const columns = uploadVectors(textures, `${name} columns`, product.columns, dim);
  const size = {
    width: Math.ceil(product.columns.length / dim / (4 * groups)),
    height: Math.ceil(product.rows.length / dim / BLOCK_ROWS),
  };
  const out = textures.take(name, "rgba32f", { ...size, layers: BLOCK_ROWS * groups });
  tools.programs.run(productShader(variant), textures.target(name, out), size, {
    rowVectors: rows.texture,
    columnVectors: columns.texture,
    texels: Int32Array.of(rows.texels),
    ...given,
  });
  return out;
}

/** The textures of a plan that are not products. */
function uploadLists(textures: Textures, plan: Plan) {
  const { cells, profile, ranges, normalisers, grid } = plan;
  const weights = normalisers !== null;
  return {
    ...(ranges === null ? {} : { ranges: uploadRanges(textures, ranges) }),
    ...(cells === null
      ? {}
      : {
          cells: textures.upload(
            "cells",
            "r32f",
            { width: grid.columns.count, height: grid.rows.count },
            gatheredCells(cells, plan),
          ),
        }),
    ...(cells !== null || profile === null
      ? {}
      : {
          profile: weights
            ? uploadPairs(textures, "profile pairs", profile)
            : uploadFloats(textures, "profile", profile),
        }),
    ...(cells !== null || normalisers === null
      ? {}
      : { normalisers: uploadPairs(textures, "normalisers", normalisers) }),
  };
}

function runProducts(tools: Tools, plan: Plan, given: ProductTextures, starts: boolean): Record<string, Uniform> {
  const uniforms: Record<string, Uniform> = {};
  const variant = {
    groups: tools.groups,
    compensated: plan.normalisers !== null,
    normalised: starts,
    ranges: given.ranges !== undefined,
  };
  plan.products.forEach(({ query, key, dim, region }: ProductPart, n) => {
    uniforms[`product${n}`] = multiply(tools, { name: `product${n}`, rows: query, columns: key, dim }, variant, given);
    if (region !== undefined) uniforms[`productRegion${n}`] = regionUniform(region, plan);
  });
  return uniforms;
}

function runRelatives(tools: Tools, plan: Plan): Record<string, Uniform> {
  if (plan.relatives.length === 0) return {};
  const uniforms: Record<string, Uniform> = {
    relativeSlots: uploadSlots(
      tools.textures,
      plan.relatives.map(({ slots }) => slots),
    ),
  };
  const variant = { groups: tools.groups, compensated: plan.normalisers !== null, normalised: false, ranges: false };
  plan.relatives.forEach(({ vectors, table, dim, region }: RelativePart, n) => {
    const product = { name: `relative${n}`, rows: vectors, columns: table, dim };
    uniforms[`relative${n}`] = multiply(tools, product, variant, {});
    if (region !== undefined) uniforms[`relativeRegion${n}`] = regionUniform(region, plan);
  });
  return uniforms;
}

/** Uploads a plan and runs its products; the caller's program then adds everything up, cell by cell. */
export function stageOf(tools: Tools, given: Plan): Stage {
  const plan = finite(spill(given));
  const { diagonals, products, relatives, normalisers } = plan;
  const { normalisers: shifts, ...lists } = uploadLists(tools.textures, plan);
  const starts = shifts !== undefined && startsAtNormaliser(plan);
  const forProducts = {
    ...(lists.ranges === undefined ? {} : { ranges: lists.ranges }),
    ...(starts ? { normalisers: shifts } : {}),
  };
  return {
    parts: {
      profile: lists.profile !== undefined,
      products: products.map(({ region }) => ({ everywhere: region === undefined })),
      relatives: relatives.map(({ side, region }) => ({ side, everywhere: region === undefined })),
      cells: lists.cells !== undefined,
      ranges: lists.ranges !== undefined,
      weights: normalisers === null ? "no" : shifts === undefined ? "cells" : starts ? "products" : "here",
    },
    uniforms: {
      slots: Int32Array.of(diagonals.rowStep, diagonals.columnStep, diagonals.shift),
      ...lists,
      ...(shifts === undefined ? {} : { normalisers: shifts }),
      ...runProducts(tools, plan, forProducts, starts),
      ...runRelatives(tools, plan),
    },
  };
}
