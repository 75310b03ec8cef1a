import * as l10n from "@vscode/l10n";
import type { ConfigProblem } from "../config/problems.ts";
import { markGuess, summarise } from "../config/report/summarise.ts";
import type { Path } from "../config/text/json.ts";
import { fullTitle } from "../encodings/support/title.ts";
import { localize } from "../l10n/l10n.ts";
import { sourceName } from "../l10n/sourceName.ts";
import type { EncodingSpec, ValueSource } from "../spec.ts";
import { formatParamValue } from "./formatNumber.ts";
import type { HoverContent, HoverFact, HoverLink } from "./hoverMarkdown.ts";
import { findKeyContext, type KeyContext, keyMeaning } from "./keyContext.ts";
import { topicOf } from "./keyTopics.ts";

/** A key, and what was read from its file. */
export interface KeyHoverInput {
  readonly path: Path;
  /** The written value; undefined for an object. */
  readonly value: unknown;
  readonly specs: readonly EncodingSpec[];
  /** With the user's severities applied. */
  readonly problems: readonly ConfigProblem[];
}

/** Link targets that only the host can build; null omits the link. */
export interface KeyHoverTargets {
  readonly panel: (spec: EncodingSpec) => string | null;
  readonly rule: (id: string) => string | null;
}

const SIZE_PARAMS: ReadonlySet<string> = new Set(["num_heads", "num_kv_heads", "num_layers", "head_dim"]);

/** Content of the hover over a config's key; undefined for keys that do not concern positions. */
export function buildKeyHover(input: KeyHoverInput, targets: KeyHoverTargets): HoverContent | undefined {
  const context = findKeyContext(input.path, input.specs);
  if (context === undefined) return undefined;
  const topic = topicOf(context);
  const findings = input.problems.filter(({ path }) => isAtOrBelow(path, input.path));
  const formula = topic.formula(context);
  const facts = [...findings.map(findingFact), ...effectiveValueFacts(input, context), ...topic.facts(context)];
  // Every model has these sizes; they are explained only where they affect positions.
  if (SIZE_PARAMS.has(context.name) && formula === null && facts.length === 0) return undefined;
  return {
    title: `${String(input.path.at(-1))} · ${encodingName(context)}`,
    summary: keyMeaning(context),
    summaryFirst: true,
    formula,
    facts,
    links: buildLinks(context, findings, targets),
  };
}

/** "RoPE · YaRN ×4", without the numbers that the facts list. */
function encodingName({ spec, encoding }: KeyContext): string {
  if (encoding.rotation?.scalable !== true) return markGuess(localize(fullTitle(encoding)), spec);
  const { rope_type, factor } = spec.params;
  return summarise([
    { ...spec, where: "text", layers: "all", params: { rope_type: rope_type ?? null, factor: factor ?? null } },
  ]);
}

/** Findings at the key itself or below it. */
function isAtOrBelow(path: Path, key: Path): boolean {
  return path.length >= key.length && key.every((part, index) => path[index] === part);
}

function findingFact({ severity, message }: ConfigProblem): HoverFact {
  return { label: severityName(severity), value: message };
}

function severityName(severity: ConfigProblem["severity"]): string {
  if (severity === "error") return l10n.t("error");
  return severity === "warning" ? l10n.t("warning") : l10n.t("note");
}

/** The effective value and its source, if it differs from the written one. */
function effectiveValueFacts({ value }: KeyHoverInput, { name, spec }: KeyContext): HoverFact[] {
  const effective = spec.params[name];
  if (
    effective === undefined ||
    effective === null ||
    typeof value === "object" ||
    value === undefined ||
    value === effective
  )
    return [];
  return [
    {
      label: l10n.t("used by the model"),
      value: formatParamValue(effective),
      note: noteSource(spec.sources[name] ?? "derived"),
    },
  ];
}

/** The value is not the one beside the hover, so its source is more than a badge's word. */
function noteSource(source: ValueSource): string {
  if (source === "config") return l10n.t("set elsewhere in this file");
  return source === "default" ? l10n.t("model class default") : sourceName(source);
}

function buildLinks(
  { spec, encoding }: KeyContext,
  findings: readonly ConfigProblem[],
  targets: KeyHoverTargets,
): HoverLink[] {
  const panelTarget = targets.panel(spec);
  const ruleLinks = [...new Set(findings.map(({ rule }) => rule))].flatMap((rule) => {
    const target = targets.rule(rule);
    return target === null ? [] : [{ label: rule, target }];
  });
  const paper = encoding.papers[0];
  const url = paper?.arxiv === undefined ? paper?.url : `https://arxiv.org/abs/${paper.arxiv}`;
  const title = paper?.title.split(":", 1)[0] ?? "";
  return [
    ...(panelTarget === null ? [] : [{ label: l10n.t("Open in Panel"), target: panelTarget }]),
    ...ruleLinks,
    ...(url === undefined ? [] : [{ label: title, target: url }]),
  ];
}
