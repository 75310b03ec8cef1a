import { t } from "@vscode/l10n";
import type { ConfigProblem } from "../config/problems.ts";
import { summarise } from "../config/report/summarise.ts";
import type { Path } from "../config/text/json.ts";
import { localize } from "../l10n/l10n.ts";
import type { EncodingSpec, ParamValue, Source } from "../spec.ts";
import { type KeyContext, keyContext, meaningOf } from "./keyContext.ts";
import { topicOf } from "./keyTopics.ts";
import type { Fact, HoverContent, HoverLink } from "./markdown.ts";
import { readable } from "./numbers.ts";

/** What is known of the file when a key of it is hovered over. */
export interface KeyQuestion {
  readonly path: Path;
  /** What is written there; undefined for an object. */
  readonly value: unknown;
  readonly specs: readonly EncodingSpec[];
  /** With the severities that the user wants. */
  readonly problems: readonly ConfigProblem[];
}

/** Links that only the host can make; null leaves one out. */
export interface KeyTargets {
  readonly panel: (spec: EncodingSpec) => string | null;
  readonly rule: (id: string) => string | null;
}

const SIZES: ReadonlySet<string> = new Set(["num_heads", "num_kv_heads", "num_layers", "head_dim"]);

/** What the hover over a config's key says; undefined for a key that says nothing of positions. */
export function keyHover(question: KeyQuestion, targets: KeyTargets): HoverContent | undefined {
  const context = keyContext(question.path, question.specs);
  if (context === undefined) return undefined;
  const topic = topicOf(context);
  const found = question.problems.filter(({ path }) => isAt(path, question.path));
  const formula = topic.formula(context);
  const facts = [...found.map(findingFact), ...countingFacts(question, context), ...topic.facts(context)];
  // Sizes that any model has are explained only where they decide something about positions.
  if (SIZES.has(context.name) && formula === null && facts.length === 0) return undefined;
  return {
    title: `${String(question.path.at(-1))} · ${nameOf(context)}`,
    summary: meaningOf(context),
    leads: true,
    formula,
    facts,
    links: linksOf(context, found, targets),
  };
}

/** "RoPE · YaRN ×4", without the numbers that the facts have. */
function nameOf({ spec, encoding }: KeyContext): string {
  if (encoding.id !== "rope" && encoding.id !== "mrope") return localize(encoding.title);
  const { rope_type, factor } = spec.params;
  return summarise([
    { ...spec, where: "text", layers: "all", params: { rope_type: rope_type ?? null, factor: factor ?? null } },
  ]);
}

/** Findings at the key itself or below it. */
function isAt(path: Path, key: Path): boolean {
  return path.length >= key.length && key.every((part, index) => path[index] === part);
}

function findingFact({ severity, message }: ConfigProblem): Fact {
  return { label: severityName(severity), value: message };
}

function severityName(severity: ConfigProblem["severity"]): string {
  if (severity === "error") return t("error");
  return severity === "warning" ? t("warning") : t("note");
}

/** The value that the model takes, where it is not the one written here, and where it comes from. */
function countingFacts({ value }: KeyQuestion, { name, spec }: KeyContext): Fact[] {
  const counts = spec.params[name];
  if (counts === undefined || counts === null || typeof value === "object" || value === undefined || value === counts)
    return [];
  return [{ label: t("used by the model"), value: shown(counts), note: sourceName(spec.sources[name] ?? "derived") }];
}

function shown(value: ParamValue): string {
  if (typeof value === "number") return readable(value);
  if (!Array.isArray(value)) return String(value);
  const first = value.slice(0, 4).map(String).join(", ");
  return `[${first}${value.length > 4 ? ", …" : ""}] (${value.length})`;
}

function sourceName(source: Source): string {
  switch (source) {
    case "config":
      return t("set elsewhere in this file");
    case "default":
      return t("model class default");
    case "guess":
      return t("guess");
    default:
      return t("derived");
  }
}

function linksOf({ spec, encoding }: KeyContext, found: readonly ConfigProblem[], targets: KeyTargets): HoverLink[] {
  const panel = targets.panel(spec);
  const rules = [...new Set(found.map(({ rule }) => rule))].flatMap((rule) => {
    const target = targets.rule(rule);
    return target === null ? [] : [{ label: rule, target }];
  });
  const paper = encoding.papers[0];
  const url = paper?.arxiv === undefined ? paper?.url : `https://arxiv.org/abs/${paper.arxiv}`;
  const title = paper?.title.split(":", 1)[0] ?? "";
  return [
    ...(panel === null ? [] : [{ label: t("Open in Panel"), target: panel }]),
    ...rules,
    ...(url === undefined ? [] : [{ label: title, target: url }]),
  ];
}
