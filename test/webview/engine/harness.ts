import { type BuildOptions, build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { esbuildOptions } from "../../../scripts/lib/bundles.ts";
import { launchChromium } from "../../../scripts/lib/chromium.ts";
import type { EngineTests } from "./page.ts";

declare global {
  interface Window {
    engineTests: EngineTests;
  }
}

const options: BuildOptions = { platform: "browser", format: "iife", target: ["chrome122"] };

/** A page's script, bundled as the product's own page is. */
export async function bundlePage(entry: string): Promise<string> {
  const bundle = { name: "webview", entry, output: "page.js", budget: 0, options } as const;
  const made = await build({ ...esbuildOptions(bundle, false), sourcemap: false, write: false });
  // The other file has the licence comments.
  return made.outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "";
}

export interface EnginePage {
  readonly browser: Browser;
  readonly page: Page;
  /** Errors and warnings of the page; any of them fails the test. */
  readonly complaints: readonly string[];
}

/** Chromium with the engine's test page in it. */
export async function openEnginePage(): Promise<EnginePage> {
  const script = await bundlePage("test/webview/engine/page.ts");
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.setContent("<!doctype html><body></body>");
  await page.addScriptTag({ content: script });
  return { browser, page, complaints };
}
