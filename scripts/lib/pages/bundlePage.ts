import { type BuildOptions, build } from "esbuild";
import { esbuildOptions } from "../bundles.ts";

const options: BuildOptions = { platform: "browser", format: "iife", target: ["chrome122"] };

/**
 * The script of a page that tests or measures, bundled as the product's own page is.
 * @param entry path from the repository's root
 */
export async function bundlePage(entry: string, { minify }: { readonly minify: boolean }): Promise<string> {
  const bundle = { name: "webview", entry, output: "page.js", budget: 0, options } as const;
  const made = await build({ ...esbuildOptions(bundle, minify), sourcemap: false, write: false });
  // The other file has the licence comments.
  return made.outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "";
}
