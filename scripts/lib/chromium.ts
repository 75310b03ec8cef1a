import { accessSync, constants } from "node:fs";
import path from "node:path";
import { type Browser, chromium, type LaunchOptions } from "playwright-core";

/** WebGL 2 with float targets on a machine without a GPU, and no network traffic of the browser itself. */
const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  // Only WebGL needs the software GPU; compositing pages on it is slower than without.
  "--disable-gpu-compositing",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-quic",
];

const DEFAULT_LOCATIONS: Readonly<Record<string, readonly string[]>> = {
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

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pathCandidates(name: string): readonly string[] {
  return (process.env["PATH"] ?? "").split(path.delimiter).map((folder) => path.join(folder, name));
}

/** Finds an installed browser: CHROME_PATH, then Chrome, Chromium or Edge in their default locations. */
export function findSystemChromium(): string | undefined {
  const chromePath = process.env["CHROME_PATH"];
  if (chromePath !== undefined && chromePath !== "") {
    if (isExecutable(chromePath)) return chromePath;
    throw new Error(`CHROME_PATH is ${chromePath}, which cannot be run`);
  }
  const candidates = DEFAULT_LOCATIONS[process.platform] ?? [];
  return candidates.flatMap((place) => (path.isAbsolute(place) ? [place] : pathCandidates(place))).find(isExecutable);
}

/** The Chromium from the npm package (Linux x64), unpacked on first use. */
async function unpackChromium(): Promise<string | undefined> {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const { default: packaged } = await import("@sparticuz/chromium");
  return packaged.executablePath().catch(() => undefined);
}

const INSTALL_ADVICE = "No Chromium can be started. Get one with: apt-get install -y chromium (or set CHROME_PATH).";

/** tsx compiles with esbuild's `keepNames`, so functions sent to a page call a helper that the page lacks. */
function withNameHelper(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    await context.addInitScript("globalThis.__name ??= (target) => target");
    return context;
  };
  return browser;
}

/** @throws Error with one line on how to get a browser */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = findSystemChromium() ?? (await unpackChromium());
  if (executablePath === undefined) throw new Error(INSTALL_ADVICE);
  const args = [...CHROMIUM_ARGUMENTS, ...(options.args ?? [])];
  const browser = await chromium.launch({ timeout: 60_000, ...options, executablePath, args }).catch((failure) => {
    throw new Error(`${INSTALL_ADVICE}\n${executablePath}: ${failure instanceof Error ? failure.message : failure}`);
  });
  return withNameHelper(browser);
}
