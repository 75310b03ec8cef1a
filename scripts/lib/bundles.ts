import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** Folder of the repository, with a separator at its end. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

export interface Bundle {
  readonly name: "extension" | "web" | "webview" | "side" | "cli";
  readonly entry: string;
  readonly output: string;
  /** Size that this bundle with all its parts may not exceed, minified, in kilobytes of 1000. */
  readonly budget: number;
  readonly options: BuildOptions;
  /** Written in parts that load when they are needed; only where there is a file system to load them from. */
  readonly split?: boolean;
}

const node: BuildOptions = {
  platform: "node",
  target: "node20",
  format: "cjs",
  // jsonc-parser's `main` is UMD with requires that no bundler can see; its `module` is not.
  mainFields: ["module", "main"],
};

const browser: BuildOptions = { platform: "browser", target: ["chrome122", "firefox128", "safari17.4"] };

/**
 * `import source from "../worker.ts?worker-source"` gives the bundled text of a worker: the page's policy allows
 * workers from blobs only, so there is no file to point at.
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
        const made = await build({
          ...browser,
          entryPoints: [entry],
          bundle: true,
          format: "iife",
          minify,
          charset: "utf8",
          write: false,
          metafile: true,
          logLevel: "silent",
        });
        return {
          contents: made.outputFiles[0]?.text ?? "",
          loader: "text",
          watchFiles: Object.keys(made.metafile.inputs).map((file) => path.resolve(file)),
        };
      });
    },
  };
}

/** Large tables as a string that is parsed when it is first read: an object literal costs every start. */
const largeJson: Plugin = {
  name: "large-json",
  setup(setup) {
    setup.onLoad({ filter: /\.json$/ }, async ({ path: file }) => {
      const text = await readFile(file, "utf8");
      if (text.length < 20_000) return undefined;
      return {
        contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))});`,
        loader: "js",
      };
    });
  },
};

/** Five bundles from one source: two of the extension (desktop, web worker), the pages of panel and side view, the command line. */
export const bundles: readonly Bundle[] = [
  {
    name: "extension",
    entry: "src/host/extension.ts",
    output: "dist/extension.js",
    budget: 1400,
    options: { ...node, external: ["vscode"] },
    split: true,
  },
  {
    name: "web",
    entry: "src/host/extension.ts",
    output: "dist/web/extension.js",
    budget: 1300,
    options: { ...browser, format: "cjs", external: ["vscode"] },
  },
  {
    name: "webview",
    entry: "webview/panel/main.ts",
    output: "dist/webview.js",
    budget: 1400,
    options: { ...browser, format: "iife" },
  },
  {
    name: "side",
    entry: "webview/side/main.ts",
    output: "dist/side.js",
    budget: 600,
    options: { ...browser, format: "iife" },
  },
  {
    name: "cli",
    entry: "src/cli/main.ts",
    output: "dist/cli.js",
    budget: 1100,
    options: { ...node, banner: { js: "#!/usr/bin/env node" } },
  },
];

/** The full esbuild options of one bundle. */
export function optionsOf(bundle: Bundle, minify: boolean): BuildOptions {
  const options = bundle.options;
  return {
    ...options,
    absWorkingDir: root,
    entryPoints: [bundle.entry],
    outfile: bundle.output,
    bundle: true,
    minify,
    // Chinese as it is, not as escapes of twice the size: Node and the pages read files as UTF-8.
    charset: "utf8",
    sourcemap: "linked",
    sourcesContent: false,
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
    plugins: [workerSource(minify), largeJson],
    // Its Node version reads translations from files, and loads Node's streams for that; these come bundled.
    alias: { "@vscode/l10n": "@vscode/l10n/dist/browser.js" },
  };
}
