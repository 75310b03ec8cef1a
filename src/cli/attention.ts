import { ParamError, UserError } from "../core/util/errors.ts";
import { type CommandResult, failure } from "./io.ts";
import { parseParams } from "./parseParams.ts";

export interface AttentionOptions {
  readonly text?: string;
  readonly ids?: string;
  readonly decoderText?: string;
  readonly decoderIds?: string;
  readonly layer: string;
  readonly head?: string;
  readonly set: readonly string[];
  readonly what: string;
  readonly json: boolean;
  readonly npy?: string;
}

/** `posenc attention DIR`: computes a model's own attention. TensorFlow.js is loaded here and nowhere else. */
export async function runAttention(folder: string, options: AttentionOptions): Promise<CommandResult> {
  try {
    if (options.json === (options.npy !== undefined)) throw new UserError("expected --json or --npy FILE");
    if ((options.text === undefined) === (options.ids === undefined)) throw new UserError("expected --text or --ids");
    if (options.decoderText !== undefined && options.decoderIds !== undefined)
      throw new UserError("expected --decoder-text or --decoder-ids");
    const overrides = parseParams(options.set);
    const { writeAttention } = await import("./writeAttention.ts");
    return await writeAttention(folder, options, overrides);
  } catch (error) {
    if (error instanceof UserError) return failure(error.message);
    if (error instanceof ParamError) return failure(`--set ${error.message}`);
    throw error;
  }
}
