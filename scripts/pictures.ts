import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { initialPanelState, type PanelState } from "../src/core/protocol/state.ts";
import { buildAll } from "./lib/buildAll.ts";
import { launchChromium } from "./lib/chromium.ts";
import { Panel, PanelServer } from "./lib/pages/panelPage.ts";
import { readSampleConfig } from "./lib/pages/sampleConfig.ts";
import { root } from "./lib/root.ts";
import { showContainer } from "./lib/workbench/driver/rows.ts";
import { Journey } from "./lib/workbench/journey.ts";

/** Takes the pictures of the README and of the walkthrough in the real editor and the real panel. */

type WalkthroughTheme = "dark" | "light";

const folder = path.join(root, "media/walkthrough");
const WINDOW_SIZE = { width: 1000, height: 640 };

/** Saves a screenshot, or a part of it. */
async function savePicture(
  journey: Journey,
  name: string,
  clip?: { x: number; y: number; width: number; height: number },
) {
  const file = path.join(root, "media", `${name}.png`);
  await journey.page.screenshot({ path: file, ...(clip === undefined ? {} : { clip }) });
  console.log(path.relative(root, file));
}

const CONTENT_CLIP = { x: 48, y: 35, width: WINDOW_SIZE.width - 48, height: WINDOW_SIZE.height - 35 - 24 };

async function pictureHover(journey: Journey, theme: WalkthroughTheme): Promise<void> {
  await journey.open("model.py");
  await journey.editor.hover("RotaryEmbedding", { line: 60, says: "RoPE" });
  await savePicture(journey, `walkthrough/hover-${theme}`, CONTENT_CLIP);
  await journey.closeEditors();
}

async function picturePanel(journey: Journey, theme: WalkthroughTheme): Promise<void> {
  await journey.open("qwen2.5-7b-yarn/config.json");
  await journey.command("Position Encodings: Preview from Config");
  await journey.figure();
  // Closes the editor, so that the panel has the whole width.
  const tab = journey.page.locator(".tab").filter({ hasText: /^config\.json/ });
  await tab.click({ button: "middle" });
  await tab.waitFor({ state: "detached" });
  await journey.page.mouse.move(WINDOW_SIZE.width / 2, WINDOW_SIZE.height - 4);
  await journey.settled(await journey.figure());
  await savePicture(journey, `walkthrough/panel-${theme}`, CONTENT_CLIP);
  await journey.closeEditors();
}

async function pictureFindings(journey: Journey, theme: WalkthroughTheme): Promise<void> {
  await journey.open("my-finetune/config.json");
  await journey.editor.root.locator(".squiggly-warning").first().waitFor();
  await journey.editor.goTo(17, 20);
  await journey.command("Go to Next Problem (Error, Warning, Info)");
  await journey.page.locator(".zone-widget .marker-widget").waitFor();
  await savePicture(journey, `walkthrough/checks-${theme}`, CONTENT_CLIP);
  await journey.closeEditors();
}

const TERMINAL_COLOURS = { dark: ["#1f1f1f", "#cccccc", "#9d9d9d"], light: ["#ffffff", "#3b3b3b", "#6e6e6e"] } as const;

async function runCli(...args: string[]): Promise<string> {
  const cwd = path.join(root, "test/fixtures/workspace");
  const options = { cwd, encoding: "utf8" } as const;
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, "dist/cli.js"), ...args], options);
  return stdout.trimEnd();
}

/** The command line with its real output. */
async function pictureCommandLine(journey: Journey, theme: WalkthroughTheme): Promise<void> {
  const lines = [
    ["check", "my-finetune", "qwen2.5-7b-yarn"],
    [
      "matrix",
      "rope",
      "--set",
      "head_dim=8",
      "--view",
      "attention",
      "--rows",
      "0:4",
      "--cols",
      "0:4",
      "--mask",
      "causal",
    ],
  ];
  const [ground, text, muted] = TERMINAL_COLOURS[theme];
  const page = await journey.page.context().newPage();
  await page.setViewportSize({ width: 952, height: 400 });
  await page.setContent(
    `<body style="margin:0;padding:20px;background:${ground};color:${text};font:15px/1.6 'DejaVu Sans Mono',monospace"><pre style="margin:0;font:inherit;white-space:pre-wrap"></pre></body>`,
  );
  for (const args of lines) {
    const printed = await runCli(...args);
    await page.evaluate(
      ({ command, output, colour }) => {
        const pre = document.querySelector("pre");
        const prompt = document.createElement("span");
        prompt.style.color = colour;
        prompt.textContent = "$ ";
        pre?.append(prompt, `${command}\n${output}\n\n`);
      },
      { command: `posenc ${args.join(" ")}`, output: printed, colour: muted },
    );
  }
  await page.locator("body").screenshot({ path: path.join(folder, `commands-${theme}.png`) });
  await page.close();
}

/** A config between the side view and the panel, and a hover. */
async function pictureReadmeEditor(): Promise<void> {
  const size = { width: 1500, height: 920 };
  const journey = await Journey.start({ theme: "dark", ...size });
  try {
    await journey.open("qwen2.5-7b-yarn/config.json");
    await journey.command("Position Encodings: Preview from Config");
    await showContainer(journey.page, "Position Encodings");
    await journey.page.mouse.move(size.width / 2, size.height - 4);
    await journey.settled(await journey.figure());
    await savePicture(journey, "panel");
    await journey.closeEditors();
    await journey.open("model.py");
    await journey.editor.hover("inv_freq", { line: 63, says: "RoPE" });
    const hover = await journey.page.locator(".monaco-hover:visible").first().boundingBox();
    if (hover === null) throw new Error("the hover is gone");
    await savePicture(journey, "hover", { x: hover.x - 140, y: hover.y - 40, width: 800, height: 430 });
  } finally {
    await journey.end();
  }
}

/** The panel alone: a comparison with plain RoPE, and the extrapolation. */
async function pictureReadmePanels(): Promise<void> {
  const config = await readSampleConfig("qwen2.5-7b-yarn");
  const bound: PanelState = { ...initialPanelState("rope"), config: { uri: config.uri, index: 0 } };
  const plain = { encoding: "rope", config: null, given: null, changes: { rope_theta: 1e6 } } as const;
  const states = {
    compare: { ...bound, compare: plain, queryLength: 4096, keyLength: 4096, crosshair: { row: 3072, column: 2048 } },
    extrapolation: { ...bound, view: "extrapolation", queryLength: 131_072, keyLength: 131_072 },
  } as const;
  const [browser, server] = await Promise.all([launchChromium(), PanelServer.start()]);
  try {
    for (const [name, state] of Object.entries(states)) {
      const panel = await Panel.open(browser, server.url, { state, config, theme: "dark", width: 1440, height: 820 });
      await panel.settled();
      const file = path.join(root, `media/${name}.png`);
      await panel.page.screenshot({ path: file });
      console.log(path.relative(root, file));
      await panel.close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

await buildAll({ minify: true });
await mkdir(folder, { recursive: true });
for (const theme of ["dark", "light"] as const) {
  const journey = await Journey.start({ theme, ...WINDOW_SIZE });
  try {
    await journey.command("View: Toggle Primary Side Bar Visibility");
    await pictureHover(journey, theme);
    await picturePanel(journey, theme);
    await pictureFindings(journey, theme);
    await pictureCommandLine(journey, theme);
  } finally {
    await journey.end();
  }
}
await pictureReadmeEditor();
await pictureReadmePanels();
