import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorkbench, type Workbench } from "../../../scripts/lib/workbench/server.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

let scratch: string;
let workbench: Workbench;
let token: string;

function ask(
  route: string,
  host = `code.posenc.localhost:${workbench.port}`,
  method = "GET",
  body = "",
): Promise<Answer> {
  return new Promise((settle, fail) => {
    const asked = request(
      { host: "127.0.0.1", port: workbench.port, path: route, method, headers: { host } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          settle({ status: response.statusCode ?? 0, headers: response.headers, body: text });
        });
      },
    );
    asked.on("error", fail);
    asked.end(body);
  });
}

const folder = (operation: string, file: string, query = "", body = "") =>
  ask(`/${token}/folder/${operation}?path=${encodeURIComponent(file)}${query}`, undefined, "POST", body);

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "posenc-server-"));
  await mkdir(path.join(scratch, "shown/inner"), { recursive: true });
  await writeFile(path.join(scratch, "secret.txt"), "secret");
  await writeFile(path.join(scratch, "shown/inner/a.txt"), "a");
  await symlink(path.join(scratch, "secret.txt"), path.join(scratch, "shown/link.txt"));
  await symlink(scratch, path.join(scratch, "shown/out"));
  workbench = await startWorkbench({ folder: path.join(scratch, "shown"), port: 0 });
  token = (await ask("/")).body.match(/[0-9a-f]{32}/)?.[0] ?? "";
});

afterAll(async () => {
  await workbench.close();
  await rm(scratch, { recursive: true, force: true });
});

describe("the workbench server", () => {
  test("answers only to its own host names", async () => {
    expect((await ask("/", "example.com")).status).toBe(403);
    expect((await ask("/", `127.0.0.1:${workbench.port}`)).status).toBe(403);
    expect((await ask("/")).status).toBe(200);
  });

  test("lets no other origin read the page with the token", async () => {
    expect((await ask("/")).headers["access-control-allow-origin"]).toBeUndefined();
    expect((await ask("/", `x.posenc.localhost:${workbench.port}`)).status).toBe(404);
  });

  test("serves VS Code, and only the shipped files of the extension", async () => {
    expect((await ask("/out/vs/loader.js")).status).toBe(200);
    expect((await ask("/posenc/package.json")).status).toBe(200);
    expect((await ask("/posenc/src/core/spec.ts")).status).toBe(404);
    expect((await ask("/posenc/dist/%2e%2e/src/core/spec.ts")).status).toBe(404);
    expect((await ask("/posenc/dist/..%2f..%2fbiome.json")).status).toBe(404);
    expect((await ask("/..%2f..%2f..%2fbiome.json")).status).toBe(404);
  });

  test("reads and writes in the folder", async () => {
    expect((await folder("read", "/shown/inner/a.txt")).body).toBe("a");
    expect((await folder("write", "/shown/inner/b.txt", "&create=true", "b")).status).toBe(200);
    expect(await readFile(path.join(scratch, "shown/inner/b.txt"), "utf8")).toBe("b");
    expect(JSON.parse((await folder("walk", "/shown/inner")).body).sort()).toEqual([
      "/shown/inner/a.txt",
      "/shown/inner/b.txt",
    ]);
  });

  test("requires the token", async () => {
    const other = "0".repeat(32);
    expect((await ask(`/${other}/folder/read?path=/shown/inner/a.txt`, undefined, "POST")).status).toBe(404);
  });

  test.each([
    "/secret.txt",
    "/shown/../secret.txt",
    "/shown/inner/../../secret.txt",
    "/shown/..\\secret.txt",
    "/shown/link.txt",
    "/shown/out/secret.txt",
    "/etc/passwd",
    "shown/inner/a.txt",
    "",
  ])("does not leave the folder by %s", async (file) => {
    const read = await folder("read", file);
    expect(read.status).toBe(400);
    expect(read.body).not.toContain("secret\n");
    expect(["FileNotFound", "NoPermissions"]).toContain(JSON.parse(read.body).code);
  });

  test("does not write through a link that leads outside, nor move a file outside", async () => {
    expect((await folder("write", "/shown/out/new.txt", "&create=true", "x")).status).toBe(400);
    const moved = await folder("rename", "/shown/inner/a.txt", `&to=${encodeURIComponent("/shown/out/a.txt")}`);
    expect(moved.status).toBe(400);
  });

  test("distinguishes missing files from other errors", async () => {
    expect(JSON.parse((await folder("stat", "/shown/none")).body).code).toBe("FileNotFound");
    expect(JSON.parse((await folder("write", "/shown/none", "", "x")).body).code).toBe("FileNotFound");
    expect(JSON.parse((await folder("read", "/shown/inner")).body).code).toBe("FileIsADirectory");
  });

  test("takes the next port if one is in use", async () => {
    const second = await startWorkbench({ folder: path.join(scratch, "shown"), port: workbench.port });
    expect(second.port).toBeGreaterThan(workbench.port);
    await second.close();
  });
});
