import * as vscode from "vscode";
import { type CheckpointHead, readCheckpointHead } from "../../../core/checkpoint/checkpointHead.ts";
import { CheckpointError } from "../../../core/checkpoint/rangeReader.ts";
import type { ConfigProblem } from "../../../core/config/problems.ts";
import type { EncodingSpec } from "../../../core/spec.ts";
import { UserError } from "../../../core/util/errors.ts";
import { withFile } from "../../platform/openFile.ts";
import type { Services } from "../../services.ts";
import { readModelFile } from "../../stores/modelFiles.ts";

/** A finding, and the file that it stands in. */
export interface PlacedFinding {
  readonly file: string;
  readonly problem: ConfigProblem;
}

/** Everything that the editor of a checkpoint shows. */
export interface CheckpointView {
  readonly uri: vscode.Uri;
  readonly name: string;
  /** Bytes of the whole file; null where it cannot be seen. */
  readonly size: number | null;
  readonly modelType: string | null;
  readonly specs: readonly EncodingSpec[];
  readonly head: CheckpointHead | null;
  readonly findings: readonly PlacedFinding[];
  /** Why the head could not be read. */
  readonly error: string | null;
  /** There is a `config.json` in the same folder. */
  readonly hasConfig: boolean;
}

export async function checkpointView({ configs, rules }: Services, uri: vscode.Uri): Promise<CheckpointView> {
  const { reading } = await configs.read(uri);
  const name = uri.path.slice(uri.path.lastIndexOf("/") + 1);
  const config = vscode.Uri.joinPath(uri, "..", "config.json");
  const beside = await readModelFile(config).catch(() => undefined);
  const [own, about] = await Promise.all([
    rules.of(uri, reading.problems),
    rules.of(config, beside?.problems.filter((problem) => isAbout(problem, name)) ?? []),
  ]);
  const head = reading.error === null ? await headOf(uri) : reading.error.message;
  return {
    uri,
    name,
    size: await sizeOf(uri),
    modelType: reading.modelType,
    specs: reading.specs,
    head: typeof head === "string" ? null : head,
    findings: [
      ...own.map((problem) => ({ file: name, problem })),
      ...about.map((problem) => ({ file: "config.json", problem })),
    ],
    error: typeof head === "string" ? head : null,
    hasConfig: beside !== undefined,
  };
}

/** Of a config's findings, those that name this very file. */
function isAbout({ rule, message }: ConfigProblem, name: string): boolean {
  return rule.startsWith("gguf/") && message.includes(name);
}

/** The head, or why it cannot be read. */
async function headOf(uri: vscode.Uri): Promise<CheckpointHead | string> {
  try {
    return await withFile(uri, readCheckpointHead);
  } catch (error) {
    if (error instanceof CheckpointError || error instanceof UserError) return error.message;
    throw error;
  }
}

async function sizeOf(uri: vscode.Uri): Promise<number | null> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return null;
  }
}
