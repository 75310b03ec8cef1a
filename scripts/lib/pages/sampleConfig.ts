import { readFile } from "node:fs/promises";
import path from "node:path";
import { readConfig } from "../../../src/core/config/readConfig.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import { root } from "../root.ts";

/** A config of the sample workspace, as the host sends it to the panel. */
export async function readSampleConfig(model: string): Promise<BoundConfig> {
  const text = await readFile(path.join(root, "test/fixtures/workspace", model, "config.json"), "utf8");
  const { specs } = readConfig(text);
  return { uri: `file:///${model}/config.json`, title: `${model} / config.json`, version: 1, specs: [...specs] };
}
