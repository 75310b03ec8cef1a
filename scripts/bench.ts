import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { globSync } from "tinyglobby";
import { formatTextTable } from "../src/cli/textTable.ts";
import type { Bench, Case } from "./lib/bench/case.ts";
import { buildAll } from "./lib/buildAll.ts";
import { root } from "./lib/root.ts";

function describeMachine() {
  const [cpu] = os.cpus();
  return {
    cpu: cpu?.model ?? "unknown",
    cores: os.cpus().length,
    memory_gb: Math.round(os.totalmem() / 1e9),
    system: `${os.platform()} ${os.release()} ${os.arch()}`,
    node: process.version,
  };
}

const formatRounded = (value: number | null): string => (value === null ? "" : Number(value.toPrecision(4)).toString());

function caseRow({ name, value, unit, against, ratio, target, holds }: Case): readonly string[] {
  const compared = against === null ? "" : `${formatRounded(ratio)} × ${against}`;
  const verdict = holds === null ? "" : holds ? "holds" : "MISSED";
  return [name, `${formatRounded(value)} ${unit}`, compared, target ?? "", verdict];
}

function printTable(cases: readonly Case[]): void {
  for (const line of formatTextTable([["case", "value", "against", "target", ""], ...cases.map(caseRow)]))
    console.log(line);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: "string" }, only: { type: "string" } } });
  await buildAll({ minify: true });
  const modules = globSync("test/bench/*.ts", { cwd: root }).sort();
  const cases: Case[] = [];
  for (const file of modules.filter((name) => values.only === undefined || name.includes(values.only))) {
    const { default: bench }: { default: Bench } = await import(pathToFileURL(path.join(root, file)).href);
    cases.push(...(await bench()));
  }
  printTable(cases);
  if (values.json !== undefined) {
    await writeFile(values.json, `${JSON.stringify({ machine: describeMachine(), cases }, null, 2)}\n`);
  }
  process.exitCode = cases.some(({ holds }) => holds === false) ? 1 : 0;
}

main().catch((failure: unknown) => {
  console.error(failure);
  process.exit(1);
});
