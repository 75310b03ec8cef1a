import * as l10n from "@vscode/l10n";
import { Composer, type Document, Lexer, Parser } from "yaml";
import { type Budget, BudgetError } from "../../util/budget.ts";

/**
 * Lexical tokens (words, indicators, spaces, line breaks) count as nodes: the parser needs microseconds for each, and a
 * training framework's config has a few thousand.
 */
export const YAML_LIMITS = { nodes: 50_000 } as const;

/** Open collections: the composer recurses. */
const MAX_OPEN_COLLECTIONS = 300;

/** The options of `parseDocument`; messages without a place, because each place costs a walk over all lines. */
const OPTIONS = { logLevel: "silent", uniqueKeys: false, merge: false, prettyErrors: false } as const;

/**
 * Parses the first document of a YAML text token by token, so that a hostile text stops at its budget.
 * @throws BudgetError for too many tokens or too deep nesting
 */
export function composeYaml(text: string, budget: Budget): Document.Parsed {
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  for (const lexeme of new Lexer().lex(text)) {
    budget.spendNodes();
    for (const token of parser.next(lexeme)) for (const document of composer.next(token)) return document;
    if (parser.stack.length > MAX_OPEN_COLLECTIONS)
      throw new BudgetError(l10n.t("not read: nested deeper than {0} levels", MAX_OPEN_COLLECTIONS));
  }
  for (const token of parser.end()) for (const document of composer.next(token)) return document;
  for (const document of composer.end(true, text.length)) return document;
  throw new Error("the YAML composer yields a document at the end");
}
