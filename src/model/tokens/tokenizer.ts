import { Tokenizer } from "@huggingface/tokenizers";
import * as l10n from "@vscode/l10n";
import { errorMessage, UserError } from "../../core/util/errors.ts";
import { isRecord } from "../../core/util/isRecord.ts";

/** Ids of a text and the raw pieces they stand for (`Ġthe`, `▁the`, `##s`). */
export interface EncodedText {
  readonly ids: readonly number[];
  readonly tokens: readonly string[];
}

/** A model's tokenizer, from its `tokenizer.json`. */
export interface TextTokenizer {
  /** @param special add the special tokens that the tokenizer adds by itself */
  encode(text: string, special: boolean): EncodedText;
  /** The raw piece of an id; undefined if the vocabulary does not have it. */
  tokenOf(id: number): string | undefined;
}

/**
 * Reads `tokenizer.json`.
 * @param config text of `tokenizer_config.json`, if there is one
 * @throws UserError if it is not one, or uses what is not supported
 */
export function readTokenizer(json: string, config: string | undefined): TextTokenizer {
  const definition = parseObject(json);
  if (definition === undefined || !isRecord(definition["model"]))
    throw new UserError(l10n.t("tokenizer.json: not a tokenizer of the tokenizers library"));
  try {
    const tokenizer = new Tokenizer(definition, (config === undefined ? undefined : parseObject(config)) ?? {});
    return {
      encode: (text, special) => {
        const { ids, tokens } = tokenizer.encode(text, { add_special_tokens: special });
        return { ids, tokens };
      },
      tokenOf: (id) => tokenizer.id_to_token(id),
    };
  } catch (error) {
    throw new UserError(l10n.t("tokenizer.json: {0}", errorMessage(error)), undefined, { cause: error });
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Why a folder without `tokenizer.json` has no text input. */
export function describeMissingTokenizer(names: readonly string[]): string {
  const slow = names.find((name) =>
    /^(?:tokenizer|spiece|sentencepiece.*)\.model$|^vocab\.(?:json|txt)$|\.tiktoken$/.test(name),
  );
  return slow === undefined
    ? l10n.t("the folder has no tokenizer.json: pass token ids")
    : l10n.t("{0} alone is not supported, only tokenizer.json: pass token ids", slow);
}
