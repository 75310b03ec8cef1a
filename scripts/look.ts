import { mkdir } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { Journey, type THEMES } from "../test/workbench/harness.ts";
import { buildAll } from "./build.ts";
import { root } from "./bundles.ts";

type Theme = keyof typeof THEMES;

const folder = path.join(root, "out/look");

async function shoot(journey: Journey, name: string): Promise<void> {
  const file = path.join(folder, `${name}.png`);
  await journey.page.screenshot({ path: file });
  console.log(path.relative(root, file));
}

/** The config's panel in the whole width of the window, its code beside it closed. */
async function openPanel(journey: Journey): Promise<void> {
  await journey.open("qwen2.5-7b-yarn/config.json");
  await journey.command("Preview from Config");
  await journey.figure();
}

async function lookAtHover(theme: Theme): Promise<void> {
  const journey = await Journey.start({ theme, width: 1280, height: 800 });
  try {
    await journey.open("model.py");
    await journey.hover("RotaryEmbedding", { line: 60 });
    await shoot(journey, `hover-${theme}`);
  } finally {
    await journey.end();
  }
}

/** Every view that this encoding has. */
async function lookAtViews(journey: Journey, name: string): Promise<void> {
  // A dim tab says in words why this encoding has no such view.
  for (const tab of await journey.webview().locator('[role="tab"]:not(.dim)').all()) {
    await tab.click();
    await journey.figure();
    await shoot(journey, `${(await tab.textContent())?.trim().toLowerCase()}-${name}`);
  }
}

async function lookAtPanel(theme: Theme, width: number): Promise<void> {
  const journey = await Journey.start({ theme, width, height: 900 });
  try {
    await openPanel(journey);
    await shoot(journey, `beside-${theme}-${width}`);
    await journey.command("View: Toggle Primary Side Bar Visibility");
    await journey.command("View: Close Editor");
    await lookAtViews(journey, `${theme}-${width}`);
  } finally {
    await journey.end();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { theme: { type: "string" } } });
  await buildAll({ minify: true });
  await mkdir(folder, { recursive: true });
  const themes: readonly Theme[] = ["dark", "light", "hc-black", "hc-light"];
  for (const theme of themes.filter((name) => values.theme === undefined || values.theme === name)) {
    await lookAtHover(theme);
    await lookAtPanel(theme, 1440);
    await lookAtPanel(theme, 800);
  }
}

await main();
