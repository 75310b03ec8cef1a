import type { Encoding } from "../core/encodings/encoding.ts";
import { ENCODINGS } from "../core/encodings/index.ts";
import { fullTitle } from "../core/encodings/support/title.ts";
import { localize } from "../core/l10n/l10n.ts";
import { type CommandResult, success } from "./io.ts";
import { formatJson } from "./output.ts";

function encodingToJson(encoding: Encoding): Record<string, unknown> {
  const { kind, actsOn, trained } = encoding.classification;
  return {
    id: encoding.id,
    names: [fullTitle(encoding).en, fullTitle(encoding).zh, ...encoding.aliases],
    classification: { kind, acts: actsOn, trained },
    summary: encoding.explanation.summary.en,
    parameters: encoding.parameters.map((parameter) => ({
      name: parameter.name,
      aliases: parameter.aliases ?? [],
      kind: parameter.kind,
      default: parameter.default,
      optional: parameter.optional ?? false,
      min: parameter.min ?? null,
      max: parameter.max ?? null,
      choices: parameter.choices?.map((choice) => choice.value) ?? null,
      help: parameter.help.en,
    })),
    formulas: encoding.formulas.map(({ id, tex, text }) => ({ id, tex, text })),
    models: encoding.explanation.models,
    papers: encoding.papers,
    repositories: encoding.repositories,
  };
}

/** `posenc list`: lists all encodings. */
export function runList(options: { json: boolean }): CommandResult {
  if (options.json) return success(formatJson(ENCODINGS.map(encodingToJson), 2));
  const width = Math.max(...ENCODINGS.map((encoding) => encoding.id.length));
  const lines = ENCODINGS.map((encoding) => `${encoding.id.padEnd(width)}  ${localize(encoding.explanation.summary)}`);
  return success(`${lines.join("\n")}\n`);
}
