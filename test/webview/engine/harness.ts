import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../../../scripts/lib/chromium.ts";
import { bundlePage } from "../../../scripts/lib/pages/bundlePage.ts";
import type { EngineTests } from "./page.ts";

declare global {
  interface Window {
    engineTests: EngineTests;
  }
}

export interface EnginePage {
  readonly browser: Browser;
  readonly page: Page;
  /** Errors and warnings of the page; any of them fails the test. */
  readonly complaints: readonly string[];
}

/** Chromium with the engine's test page in it. */
export async function openEnginePage(): Promise<EnginePage> {
  const script = await bundlePage("test/webview/engine/page.ts", { minify: false });
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
