import { evaluatePlan } from "../evaluatePlan.ts";
import type { FigurePlan, ProductPart } from "../plan.ts";
import type { RelativePart } from "../relativePart.ts";
import type { Gpu } from "./context.ts";
import { type ProductVariant, productShader } from "./productShader.ts";
import type { Programs, UniformValue } from "./programs.ts";
import { BLOCK_ROWS, type ColumnGroups, type ShaderParts } from "./shaders.ts";
import type { Texture, Textures } from "./textures.ts";
import {
  canStartAtNormaliser,
  regionUniform,
  roundsTooMuch,
  uploadFloats,
  uploadPairs,
  uploadRanges,
  uploadSlots,
  uploadVectors,
} from "./upload.ts";

/** A plan on the GPU: which contributions a program must add up, and its uniforms. */
export interface UploadedPlan {
  readonly parts: ShaderParts;
  readonly uniforms: Readonly<Record<string, UniformValue>>;
}

export interface GpuResources {
  readonly gpu: Gpu;
  readonly programs: Programs;
  readonly textures: Textures;
  readonly groups: ColumnGroups;
}

/** Limits of samplers per program; WebGL 2 guarantees 16 in all. */
const MAX_PRODUCT_SAMPLERS = 3;
const MAX_RELATIVE_SAMPLERS = 4;

/** Adds up on the CPU what the GPU cannot: parts without a sampler, and parts whose rounding would show in weights. */
function moveToCells(plan: FigurePlan): FigurePlan {
  const weights = plan.normalisers !== null;
  const count = plan.products.length + plan.relatives.length;
  const preciseEnough = <T>(parts: readonly T[], vectors: (part: T) => [Float64Array, Float64Array, number]) =>
    weights ? parts.filter((part) => !roundsTooMuch(...vectors(part), count)) : parts;
  const products = preciseEnough(plan.products, ({ query, key, dim }) => [query, key, dim]).slice(
    0,
    MAX_PRODUCT_SAMPLERS,
  );
  const relatives = preciseEnough(plan.relatives, ({ vectors, table, dim }) => [vectors, table, dim]).slice(
    0,
    MAX_RELATIVE_SAMPLERS,
  );
  const cpuParts = {
    products: plan.products.filter((part) => !products.includes(part)),
    relatives: plan.relatives.filter((part) => !relatives.includes(part)),
  };
  if (cpuParts.products.length + cpuParts.relatives.length === 0) return plan;
  return {
    ...plan,
    products,
    relatives,
    cells: evaluatePlan({ ...plan, ...cpuParts, profile: null, normalisers: null }),
  };
}

/** Replaces −Infinity, the normaliser of a row that sees no key: it would turn masked cells into NaN. */
function withFiniteNormalisers(plan: FigurePlan): FigurePlan {
  if (plan.normalisers === null) return plan;
  return { ...plan, normalisers: plan.normalisers.map((value) => (Number.isFinite(value) ? value : 0)) };
}

/** Adds profile and normalisers to the cells in float64, so that sums of large numbers stay exact. */
function foldIntoCells(cells: Float64Array, { profile, normalisers, grid, diagonals }: FigurePlan): Float32Array {
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

interface MatrixProduct {
  readonly name: string;
  readonly rows: Float64Array;
  readonly columns: Float64Array;
  readonly dim: number;
}

type ProductInputs = { readonly normalisers?: Texture; readonly ranges?: Texture };

/** Computes rows · columnsᵀ in blocks, into the layers of an array texture. */
function runProduct(
  resources: GpuResources,
  product: MatrixProduct,
  variant: ProductVariant,
  inputs: ProductInputs,
): Texture {
  const { textures, groups } = resources;
  const { name, dim } = product;
  const rows = uploadVectors(textures, `${name} rows`, product.rows, dim);
  const columns = uploadVectors(textures, `${name} columns`, product.columns, dim);
  const size = {
    width: Math.ceil(product.columns.length / dim / (4 * groups)),
    height: Math.ceil(product.rows.length / dim / BLOCK_ROWS),
  };
  const out = textures.acquire(name, "rgba32f", { ...size, layers: BLOCK_ROWS * groups });
  resources.programs.run(productShader(variant), textures.framebufferFor(name, out), size, {
    rowVectors: rows.texture,
    columnVectors: columns.texture,
    texels: Int32Array.of(rows.texels),
    ...inputs,
  });
  return out;
}

/** Uploads everything but the products. */
function uploadLists(textures: Textures, plan: FigurePlan) {
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
            foldIntoCells(cells, plan),
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

function runProducts(
  resources: GpuResources,
  plan: FigurePlan,
  inputs: ProductInputs,
  startAtNormaliser: boolean,
): Record<string, UniformValue> {
  const uniforms: Record<string, UniformValue> = {};
  const variant = {
    groups: resources.groups,
    compensated: plan.normalisers !== null,
    normalised: startAtNormaliser,
    ranges: inputs.ranges !== undefined,
  };
  plan.products.forEach(({ query, key, dim, region }: ProductPart, n) => {
    uniforms[`product${n}`] = runProduct(
      resources,
      { name: `product${n}`, rows: query, columns: key, dim },
      variant,
      inputs,
    );
    if (region !== undefined) uniforms[`productRegion${n}`] = regionUniform(region, plan);
  });
  return uniforms;
}

function runRelatives(resources: GpuResources, plan: FigurePlan): Record<string, UniformValue> {
  if (plan.relatives.length === 0) return {};
  const uniforms: Record<string, UniformValue> = {
    relativeSlots: uploadSlots(
      resources.textures,
      plan.relatives.map(({ slots }) => slots),
    ),
  };
  const variant = {
    groups: resources.groups,
    compensated: plan.normalisers !== null,
    normalised: false,
    ranges: false,
  };
  plan.relatives.forEach(({ vectors, table, dim, region }: RelativePart, n) => {
    const product = { name: `relative${n}`, rows: vectors, columns: table, dim };
    uniforms[`relative${n}`] = runProduct(resources, product, variant, {});
    if (region !== undefined) uniforms[`relativeRegion${n}`] = regionUniform(region, plan);
  });
  return uniforms;
}

/** Uploads a plan and runs its products; the caller's program then adds everything up per cell. */
export function uploadPlan(resources: GpuResources, source: FigurePlan): UploadedPlan {
  const plan = withFiniteNormalisers(moveToCells(source));
  const { diagonals, products, relatives, normalisers } = plan;
  const { normalisers: normaliserTexture, ...lists } = uploadLists(resources.textures, plan);
  const startAtNormaliser = normaliserTexture !== undefined && canStartAtNormaliser(plan);
  const productInputs = {
    ...(lists.ranges === undefined ? {} : { ranges: lists.ranges }),
    ...(startAtNormaliser ? { normalisers: normaliserTexture } : {}),
  };
  return {
    parts: {
      profile: lists.profile !== undefined,
      products: products.map(({ region }) => ({ everywhere: region === undefined })),
      relatives: relatives.map(({ side, region }) => ({ side, everywhere: region === undefined })),
      cells: lists.cells !== undefined,
      ranges: lists.ranges !== undefined,
      weights:
        normalisers === null
          ? "no"
          : normaliserTexture === undefined
            ? "cells"
            : startAtNormaliser
              ? "products"
              : "here",
    },
    uniforms: {
      slots: Int32Array.of(diagonals.rowStep, diagonals.columnStep, diagonals.shift),
      ...lists,
      ...(normaliserTexture === undefined ? {} : { normalisers: normaliserTexture }),
      ...runProducts(resources, plan, productInputs, startAtNormaliser),
      ...runRelatives(resources, plan),
    },
  };
}
