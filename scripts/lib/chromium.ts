import { accessSync, constants } from "node:fs";
import path from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/** WebGL2 with float targets on a machine without a GPU, and no traffic of the browser's own. */
const ARGUMENTS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  // Only WebGL needs a GPU; to put pages together on one that is software takes longer than to do without.
  "--disable-gpu-compositing",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

const USUAL_PLACES: Readonly<Record<string, readonly string[]>> = {
  linux: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
};

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function onPath(name: string): readonly string[] {
  return (process.env["PATH"] ?? "").split(path.delimiter).map((folder) => path.join(folder, name));
}

/** A browser of this machine: CHROME_PATH, then Chrome, Chromium or Edge where they usually are. */
export function systemChromium(): string | undefined {
  const given = process.env["CHROME_PATH"];
  if (given !== undefined && given !== "") {
    if (runnable(given)) return given;
    throw new Error(`CHROME_PATH is ${given}, which cannot be run`);
  }
  const candidates = USUAL_PLACES[process.platform] ?? [];
  return candidates.flatMap((place) => (path.isAbsolute(place) ? [place] : onPath(place))).find(runnable);
}

/** The Chromium that comes as an npm package (Linux x64), unpacked on first use. */
async function packagedChromium(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath().catch(() => undefined);
}

const ADVICE = "No Chromium can be started. Get one with: apt-get install -y chromium (or set CHROME_PATH).";

/** tsx compiles with esbuild's `keepNames`: functions that are sent to a page call a helper that pages do not have. */
function withNameHelper(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript("globalThis.__name ??= (target) => target");
    return context;
  };
  return browser;
}

/** @throws Error with one line that says how to get a browser */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = systemChromium() ?? (await packagedChromium());
  if (executablePath === undefined) throw new Error(ADVICE);
  const args = [...ARGUMENTS, ...(options.args ?? [])];
  const browser = await chromium.launch({ timeout: 60_000, ...options, executablePath, args }).catch((failure) => {
    throw new Error(`${ADVICE}\n${executablePath}: ${failure instanceof Error ? failure.message : failure}`);
  });
  return withNameHelper(browser);
}
