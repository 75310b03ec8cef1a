import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import type { BoundConfig } from "../src/core/protocol/messages.ts";
import { initialPanelState, type PanelState, VIEW_IDS, type ViewId } from "../src/core/protocol/state.ts";
import { buildAll } from "./lib/buildAll.ts";
import { launchChromium } from "./lib/chromium.ts";
import { Panel, PanelServer } from "./lib/pages/panelPage.ts";
import { readSampleConfig } from "./lib/pages/sampleConfig.ts";
import { root } from "./lib/root.ts";
import { Journey, type THEMES } from "./lib/workbench/journey.ts";

type WorkbenchTheme = keyof typeof THEMES;

const folder = path.join(root, "out/look");
const PAGE_WIDTHS = [1440, 800, 360] as const;

/** Encodings that suit a view better than RoPE. */
const VIEW_STATES: Partial<Record<ViewId, Partial<PanelState>>> = {
  table: { encoding: "sinusoidal" },
  bias: { encoding: "alibi" },
  terms: { encoding: "deberta" },
  buckets: { encoding: "t5_bias" },
  grid: { encoding: "swin_bias" },
  frequencies: { changes: { rope_type: "yarn", factor: 4 } },
  extrapolation: { changes: { rope_type: "yarn", factor: 4 }, queryLength: 16_384, keyLength: 16_384 },
  precision: { queryLength: 131_072, keyLength: 131_072, picked: { pair: 10 } },
  positions: { positions: { kind: "packed", padding: 0, fromMask: true, documents: [160, 96] } },
};

interface Screenshot {
  readonly name: string;
  readonly state: PanelState;
  readonly config: BoundConfig | null;
}

/** Every view and a comparison. */
async function listScreenshots(): Promise<readonly Screenshot[]> {
  const gemma = await readSampleConfig("gemma-3-4b");
  const bound = { config: { uri: gemma.uri, index: 0 } };
  const views = VIEW_IDS.map((view): Screenshot => {
    const own = view === "layers" ? bound : VIEW_STATES[view];
    const colour = { scale: view === "attention" ? "log" : "linear", domain: null } as const;
    return {
      name: view,
      state: { ...initialPanelState("rope"), view, colour, ...own },
      config: view === "layers" ? gemma : null,
    };
  });
  const alibi = initialPanelState("alibi");
  const compare = { encoding: alibi.encoding, config: null, given: null, changes: {} };
  return [...views, { name: "compare", state: { ...initialPanelState("rope"), compare }, config: null }];
}

async function captureView(
  browser: Browser,
  url: string,
  screenshot: Screenshot,
  theme: WorkbenchTheme,
  width: number,
): Promise<void> {
  const panel = await Panel.open(browser, url, { ...screenshot, theme, width, height: 900 });
  await panel.settled();
  await panel.page.screenshot({ path: pictureFile(`${screenshot.name}-${theme}-${width}`) });
  if (panel.errors.length > 0) throw new Error(`${screenshot.name}, ${theme}, ${width}: ${panel.errors.join("\n")}`);
  await panel.close();
}

/** Removes old pictures first, so that an aborted run leaves none. */
async function removeOldPictures(theme: WorkbenchTheme, view: string | undefined): Promise<void> {
  const old = (await readdir(folder)).filter((name) => name.startsWith(view ?? "") && name.includes(`-${theme}`));
  await Promise.all(old.map((name) => rm(path.join(folder, name))));
}

function pictureFile(name: string): string {
  const target = path.join(folder, `${name}.png`);
  console.log(path.relative(root, target));
  return target;
}

/** A hover in the editor, and a config between its panel and the side view. */
async function captureEditor(theme: WorkbenchTheme): Promise<void> {
  const journey = await Journey.start({ theme, width: 1440, height: 900 });
  try {
    await journey.open("model.py");
    await journey.editor.hover("RotaryEmbedding", { line: 60, says: "RoPE" });
    await journey.page.screenshot({ path: pictureFile(`hover-${theme}`) });
    await journey.open("qwen2.5-7b-yarn/config.json");
    await journey.command("Position Encodings: Preview from Config");
    await journey.figure();
    await journey.page.screenshot({ path: pictureFile(`editor-${theme}`) });
  } finally {
    await journey.end();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { theme: { type: "string" }, view: { type: "string" } } });
  await buildAll({ minify: true });
  await mkdir(folder, { recursive: true });
  const screenshots = (await listScreenshots()).filter(({ name }) => values.view === undefined || values.view === name);
  const themes: readonly WorkbenchTheme[] = ["dark", "light", "hc-black", "hc-light"];
  const [browser, server] = await Promise.all([launchChromium(), PanelServer.start()]);
  try {
    for (const theme of themes.filter((name) => values.theme === undefined || values.theme === name)) {
      await removeOldPictures(theme, values.view);
      for (const screenshot of screenshots)
        for (const width of PAGE_WIDTHS) await captureView(browser, server.url, screenshot, theme, width);
      if (values.view === undefined) await captureEditor(theme);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exit(1);
});
