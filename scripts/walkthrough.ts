import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { buildAll } from "./lib/buildAll.ts";
import { root } from "./lib/bundles.ts";
import { Journey } from "./lib/workbench/journey.ts";

/** Takes the pictures of the walkthrough in the real editor, dark and light. */

type WalkthroughTheme = "dark" | "light";

const folder = path.join(root, "media/walkthrough");
const WINDOW_SIZE = { width: 1000, height: 640 };

/** Saves a screenshot, or a part of it. */
async function savePicture(
  journey: Journey,
  name: string,
  clip?: { x: number; y: number; width: number; height: number },
) {
  const file = path.join(folder, `${name}.png`);
  await journey.page.screenshot({ path: file, ...(clip === undefined ? {} : { clip }) });
  console.log(path.relative(root, file));
}

const CONTENT_CLIP = { x: 48, y: 35, width: WINDOW_SIZE.width - 48, height: WINDOW_SIZE.height - 35 - 24 };

async function pictureHover(journey: Journey, theme: WalkthroughTheme): Promise<void> {
  await journey.open("model.py");
  await journey.editor.hover("RotaryEmbedding", { line: 60, says: "RoPE" });
  await savePicture(journey, `hover-${theme}`, CONTENT_CLIP);
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
  await savePicture(journey, `panel-${theme}`, CONTENT_CLIP);
  await journey.closeEditors();
}

async function pictureFindings(journey: Journey, theme: WalkthroughTheme): Promise<void> {
  await journey.open("my-finetune/config.json");
  await journey.editor.root.locator(".squiggly-warning").first().waitFor();
  await journey.editor.goTo(17, 20);
  await journey.command("Go to Next Problem (Error, Warning, Info)");
  await journey.page.locator(".zone-widget .marker-widget").waitFor();
  await savePicture(journey, `checks-${theme}`, CONTENT_CLIP);
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
