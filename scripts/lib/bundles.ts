import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BuildOptions, build, type Metafile, type Plugin } from "esbuild";
import { largeJson } from "./largeJson.ts";
import { pageStrings } from "./pageStrings.ts";
import { root } from "./root.ts";

export interface Bundle {
  readonly name: "extension" | "web" | "webview" | "side" | "cli";
  readonly entry: string;
  readonly output: string;
  /** Largest allowed size of this bundle with all its parts, minified, in kilobytes of 1000 bytes. */
  readonly budget: number;
  readonly options: BuildOptions;
  /** Folder in `dist` of the parts that load on demand. Needs a file system to load them from. */
  readonly parts?: string;
  /** Files of packages that are copied to a folder in `dist`. */
  readonly copies?: { readonly folder: string; readonly files: readonly string[] };
}

/** Keeps what a bundle contains for the tests and the notices. */
export async function writeMetafile(name: Bundle["name"] | "worker", metafile: Metafile): Promise<void> {
  await mkdir(path.join(root, "dist/meta"), { recursive: true });
  await writeFile(path.join(root, "dist/meta", `${name}.json`), JSON.stringify(metafile));
}

const nodeOptions: BuildOptions = {
  platform: "node",
  target: "node20",
  format: "cjs",
  // jsonc-parser's `main` is UMD, whose requires no bundler can follow; its `module` is ESM.
  mainFields: ["module", "main"],
};

const browserOptions: BuildOptions = { platform: "browser", target: ["chrome122", "firefox128", "safari17.4"] };

/**
 * `import source from "../worker.ts?worker-source"` gives the bundled text of a worker. The page's content security
 * policy allows workers from blobs only, so there is no file to point at.
 */
function workerSource(minify: boolean): Plugin {
  return {
    name: "worker-source",
    setup(setup) {
      setup.onResolve({ filter: /\?worker-source$/ }, (found) => ({
        path: path.join(found.resolveDir, found.path.replace(/\?.*$/, "")),
        namespace: "worker-source",
      }));
      setup.onLoad({ filter: /./, namespace: "worker-source" }, async ({ path: entry }) => {
        const result = await build({
          ...browserOptions,
          entryPoints: [entry],
          bundle: true,
          format: "iife",
          minify,
          charset: "utf8",
          absWorkingDir: root,
          write: false,
          metafile: true,
          logLevel: "silent",
        });
        await writeMetafile("worker", result.metafile);
        return {
          contents: result.outputFiles[0]?.text ?? "",
          loader: "text",
          watchFiles: Object.keys(result.metafile.inputs).map((file) => path.resolve(root, file)),
        };
      });
    },
  };
}

/**
 * What TensorFlow.js computes with. Node has no threads for it (tfjs issue 3830), so that the third file is not needed.
 */
const WASM_FILES = ["tfjs-backend-wasm.wasm", "tfjs-backend-wasm-simd.wasm"].map(
  (name) => `node_modules/@tensorflow/tfjs-backend-wasm/dist/${name}`,
);

/**
 * Five bundles from one source: the extension (desktop and web worker), the pages of panel and side view, and the
 * command line.
 */
export const bundles: readonly Bundle[] = [
  {
    name: "extension",
    entry: "src/host/extension.ts",
    output: "dist/extension.js",
    budget: 1720,
    options: { ...nodeOptions, external: ["vscode"] },
    parts: "chunks",
  },
  {
    name: "web",
    entry: "src/host/extension.ts",
    output: "dist/web/extension.js",
    budget: 1580,
    options: { ...browserOptions, format: "cjs", external: ["vscode"] },
  },
  {
    name: "webview",
    entry: "webview/panel/main.ts",
    output: "dist/webview.js",
    budget: 1400,
    options: { ...browserOptions, format: "iife" },
  },
  {
    name: "side",
    entry: "webview/side/main.ts",
    output: "dist/side.js",
    budget: 600,
    options: { ...browserOptions, format: "iife" },
  },
  {
    name: "cli",
    entry: "src/cli/main.ts",
    output: "dist/cli.js",
    budget: 1900,
    options: { ...nodeOptions, banner: { js: "#!/usr/bin/env node" } },
    parts: "cli",
    copies: { folder: "wasm", files: WASM_FILES },
  },
];

/** The full esbuild options of one bundle. */
export function esbuildOptions(bundle: Bundle, minify: boolean): BuildOptions {
  const options = bundle.options;
  return {
    ...options,
    absWorkingDir: root,
    entryPoints: [bundle.entry],
    outfile: bundle.output,
    bundle: true,
    minify,
    // Keeps Chinese as UTF-8, because escapes would double its size; Node and the pages read files as UTF-8.
    charset: "utf8",
    sourcemap: "linked",
    sourcesContent: false,
    metafile: true,
    // Beside the bundle, where they cost nothing at start.
    legalComments: "linked",
    logLevel: "warning",
    plugins: [workerSource(minify), ...(options.format === "iife" ? [pageStrings] : []), largeJson],
    alias: {
      // The Node version reads translations from files and loads Node's streams for it; ours are bundled.
      "@vscode/l10n": "@vscode/l10n/dist/browser.js",
      // TensorFlow.js takes it only where Node has no fetch of its own, and nothing here fetches.
      "node-fetch": "data:text/javascript,",
    },
  };
}
