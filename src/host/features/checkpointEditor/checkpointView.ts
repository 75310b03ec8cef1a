import * as vscode from "vscode";
import { CheckpointError } from "../../../core/checkpoint/rangeReader.ts";
import type { ConfigProblem } from "../../../core/config/problems.ts";
import { type CheckpointHeader, readCheckpointHeader } from "../../../core/config/weights/checkpointHeader.ts";
import type { EncodingSpec } from "../../../core/spec.ts";
import { UserError } from "../../../core/util/errors.ts";
import { fileName } from "../../platform/fileName.ts";
import { withFile } from "../../platform/openFile.ts";
import type { Services } from "../../services.ts";

/** A finding and its file. */
export interface FileFinding {
  readonly file: string;
  readonly problem: ConfigProblem;
}

/** Everything that the editor of a checkpoint shows. */
export interface CheckpointView {
  readonly uri: vscode.Uri;
  readonly name: string;
  /** Size of the file in bytes; null if unavailable. */
  readonly size: number | null;
  readonly modelType: string | null;
  readonly specs: readonly EncodingSpec[];
  readonly header: CheckpointHeader | null;
  readonly findings: readonly FileFinding[];
  /** Why the header could not be read. */
  readonly error: string | null;
  /** True if the same folder contains a `config.json`. */
  readonly hasConfig: boolean;
}

export async function readCheckpointView({ configs, rules }: Services, uri: vscode.Uri): Promise<CheckpointView> {
  const { reading } = await configs.read(uri);
  const name = fileName(uri);
  const config = vscode.Uri.joinPath(uri, "..", "config.json");
  const siblingConfig = await (await configs.reader()).readFile(config).catch(() => undefined);
  const [ownProblems, configProblems] = await Promise.all([
    rules.applySeverities(uri, reading.problems),
    rules.applySeverities(config, siblingConfig?.problems.filter((problem) => namesFile(problem, name)) ?? []),
  ]);
  const header = reading.error === null ? await readHeader(uri) : reading.error.message;
  return {
    uri,
    name,
    size: await fileSize(uri),
    modelType: reading.modelType,
    specs: reading.specs,
    header: typeof header === "string" ? null : header,
    findings: [
      ...ownProblems.map((problem) => ({ file: name, problem })),
      ...configProblems.map((problem) => ({ file: "config.json", problem })),
    ],
    error: typeof header === "string" ? header : null,
    hasConfig: siblingConfig !== undefined,
  };
}

/** True for findings of a config that name this file. */
function namesFile({ rule, message }: ConfigProblem, name: string): boolean {
  return rule.startsWith("gguf/") && message.includes(name);
}

/** The header, or the message why it cannot be read. */
async function readHeader(uri: vscode.Uri): Promise<CheckpointHeader | string> {
  try {
    return await withFile(uri, readCheckpointHeader);
  } catch (error) {
    if (error instanceof CheckpointError || error instanceof UserError) return error.message;
    throw error;
  }
}

async function fileSize(uri: vscode.Uri): Promise<number | null> {
  try {
    return (await vscode.workspace.fs.stat(uri)).size;
  } catch {
    return null;
  }
}
