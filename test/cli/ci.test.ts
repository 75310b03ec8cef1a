import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/lib/root.ts";
import { config, wrong } from "../unit/support/llamaConfig.ts";
import { type Ended, posencIn, program } from "./support.ts";

/** The README's examples in YAML, in their order. */
function examples(): readonly string[] {
  const readme = readFileSync(path.join(root, "README.md"), "utf8");
  return [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
}

let scratch: string;
let environment: NodeJS.ProcessEnv;

function run(folder: string, command: string, ...args: readonly string[]): Ended {
  return spawnSync(command, args, { cwd: folder, encoding: "utf8", env: environment });
}

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), "posenc-ci-"));
  const bin = path.join(scratch, "bin");
  await mkdir(bin);
  await symlink(program, path.join(bin, "posenc"));
  await symlink(process.execPath, path.join(bin, "node"));
  environment = {
    ...process.env,
    PATH: `${bin}:${process.env["PATH"]}`,
    HOME: scratch,
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.org",
  };
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32")("README CI examples", () => {
  test("the pre-commit hook accepts a valid config and rejects one with an error", async () => {
    const hook = parse(examples()[0] ?? "").repos[0].hooks[0];
    expect(hook).toMatchObject({ language: "system", entry: "posenc check" });
    expect(new RegExp(hook.files).test("models/a/config.json")).toBe(true);
    const repository = path.join(scratch, "repository");
    await mkdir(path.join(repository, "models"), { recursive: true });
    expect(run(repository, "git", "init", "-q").status).toBe(0);
    // As pre-commit does: passes the matching staged files as arguments.
    const script = `#!/bin/sh\ngit diff --cached --name-only --diff-filter=ACM | grep -E '${hook.files}' | xargs ${hook.entry}\n`;
    const file = path.join(repository, ".git/hooks/pre-commit");
    await writeFile(file, script);
    await chmod(file, 0o755);
    await writeFile(path.join(repository, "models/config.json"), config({ rope_scaling: { rope_type: "yarn" } }));
    run(repository, "git", "add", ".");
    const refused = run(repository, "git", "commit", "-q", "-m", "wrong");
    expect(refused.status).not.toBe(0);
    expect(refused.stdout + refused.stderr).toContain("models/config.json:1:");
    await writeFile(path.join(repository, "models/config.json"), config());
    run(repository, "git", "add", ".");
    expect(run(repository, "git", "commit", "-q", "-m", "right").status).toBe(0);
  });

  test("the pull request step writes SARIF with repository paths and fails on an error", async () => {
    const { jobs, permissions } = parse(examples()[1] ?? "");
    expect(permissions).toMatchObject({ "security-events": "write" });
    const step = jobs.posenc.steps.find(({ run: line = "" }: { run?: string }) => line.includes("posenc/dist/cli.js"));
    const checkout = path.join(scratch, "checkout");
    await mkdir(path.join(checkout, "models"), { recursive: true });
    await symlink(root, path.join(checkout, "posenc"));
    await writeFile(path.join(checkout, "models/config.json"), config({ rope_scaling: { rope_type: "yarn" } }));
    expect(run(checkout, "sh", "-c", step.run).status).toBe(1);
    const { version, runs } = JSON.parse(readFileSync(path.join(checkout, "posenc.sarif"), "utf8"));
    expect(version).toBe("2.1.0");
    const [result] = runs[0].results;
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe("models/config.json");
    const upload = jobs.posenc.steps.find(({ uses = "" }: { uses?: string }) => uses.includes("upload-sarif"));
    expect(upload).toMatchObject({ with: { sarif_file: "posenc.sarif" }, if: expect.stringContaining("!cancelled()") });
  });
});

describe("posenc check --format github", () => {
  test("prints one annotation per line and escapes characters that would end a property", async () => {
    const folder = path.join(scratch, "odd, name");
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, "config.json"), wrong);
    const { stdout } = posencIn(scratch, "check", "odd, name", "--format", "github");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines)
      expect(line).toMatch(
        /^::(error|warning|notice) file=odd%2C name\/config\.json,line=\d+,endLine=\d+,col=\d+,endColumn=\d+,title=[\w/-]+::\S/,
      );
  });
});
