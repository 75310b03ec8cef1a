import { type BuildOptions, build } from "esbuild";
import { esbuildOptions } from "../../../scripts/lib/bundles.ts";

const options: BuildOptions = { platform: "browser", format: "iife", target: ["chrome122"] };

/** The script of a page that measures, bundled and minified as the product's own page is. */
export async function bundlePage(entry: string): Promise<string> {
  const page = { name: "webview", entry, output: "page.js", budget: 0, options } as const;
  const made = await build({ ...esbuildOptions(page, true), sourcemap: false, write: false });
  // The other file has the licence comments.
  return made.outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "";
}
