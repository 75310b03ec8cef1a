import { inputContent } from "./content.ts";
import { readMatrix, readMatrixList } from "./read.ts";
import type { Inputs, Scene } from "./scene.ts";

function readOptional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}

/**
 * Scene of one head whose content and lengths are those of the inputs.
 * @param inputs `q`, `k`, `v` as [heads][tokens][head_dim], `x` (or `hidden_states`) as [tokens][hidden_size]
 * @throws ParamError if an array has the wrong shape
 */
export function buildInputScene(inputs: Inputs, head: number): Scene {
  const q = readOptional(inputs.q, (value) => readMatrixList(value, "q"));
  const k = readOptional(inputs.k, (value) => readMatrixList(value, "k"));
  const v = readOptional(inputs.v, (value) => readMatrixList(value, "v"));
  const x = readOptional(inputs.x ?? inputs.hidden_states, (value) => readMatrix(value, "x"));
  const content = inputContent({
    ...(q === undefined ? {} : { q }),
    ...(k === undefined ? {} : { k }),
    ...(v === undefined ? {} : { v }),
    ...(x === undefined ? {} : { x }),
  });
  const queryLength = q?.[0]?.length ?? x?.length ?? 0;
  const keyLength = k?.[0]?.length ?? x?.length ?? 0;
  return { queryLength, keyLength, shift: 0, head, centre: 0, content, inputs };
}
