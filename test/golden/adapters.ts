import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { GoldenAdapter } from "./case.ts";

/** Loads the adapter of every encoding: one file each in `adapters`. */
export function loadAdapters(): Promise<GoldenAdapter[]> {
  const folder = join(import.meta.dirname, "adapters");
  return Promise.all(
    readdirSync(folder).map(async (file) => {
      const module: { readonly adapter: GoldenAdapter } = await import(join(folder, file));
      return module.adapter;
    }),
  );
}
