import * as l10n from "@vscode/l10n";
import type { Encoding, Formula, Paper } from "../encodings/encoding.ts";
import { type GeneralForm, generalFormById } from "../encodings/generalForms.ts";
import { encodingById } from "../encodings/index.ts";
import { rotationFormula } from "../encodings/rope/detailFormulas.ts";
import { checkParams } from "../encodings/support/schema.ts";
import { localize } from "../l10n/l10n.ts";
import type { ViewId } from "../protocol/state.ts";
import type { CodeExplanation } from "../python/explain.ts";
import type { CodeParam } from "../python/recognise/readCodeParams.ts";
import type { Params } from "../spec.ts";
import { ownValue } from "../util/ownValue.ts";
import { derivedFacts, numberParam } from "./derivedFacts.ts";
import { formatClassification } from "./formatClassification.ts";
import { formatParamValue } from "./formatNumber.ts";
import { effectOfRoles, expansionFormula, termFacts } from "./formulaTerms.ts";
import type { HoverContent, HoverFact, HoverLink } from "./hoverMarkdown.ts";

/** Link targets that only the host can build; null omits the link. */
export interface CodeHoverTargets {
  /** Opens the panel with the values of the hover, on the view of this part if there is one. */
  readonly panel: (explanation: CodeExplanation, view?: ViewId) => string | null;
}

/** Content of the hover over code. */
export function buildCodeHover(explanation: CodeExplanation, targets: CodeHoverTargets): HoverContent {
  const general = generalFormById(explanation.spec.encoding);
  if (general !== undefined) return buildGeneralHover(general, explanation, targets);
  const encoding = encodingById(explanation.spec.encoding);
  const params = withoutUnknown(explanation.spec.params);
  return {
    title: explanation.title,
    ...(encoding === undefined ? {} : { subtitle: formatClassification(encoding.classification) }),
    summary: encoding === undefined ? "" : localize(encoding.explanation.summary),
    formula: encoding === undefined ? null : chooseFormula(encoding, explanation, params),
    facts: [
      ...scalingFact(explanation),
      ...explanation.values.map(valueFact),
      ...derivedFacts(explanation),
      ...layoutFacts(explanation),
      ...(encoding === undefined || !isFormula(explanation) ? [] : termFacts(encoding.effect, explanation.terms)),
    ],
    links: buildLinks(explanation, encoding, targets),
  };
}

/** A written score is shown as what became of the four terms; everything else by the formula of its part. */
function chooseFormula(encoding: Encoding, explanation: CodeExplanation, params: Params): Formula {
  const ofTerms = explanation.terms === undefined ? undefined : expansionFormula(encoding);
  return ofTerms ?? partFormula(encoding, explanation) ?? encodingFormula(encoding, params);
}

function isFormula({ recogniser }: CodeExplanation): boolean {
  return recogniser.startsWith("formula/");
}

/** A form that several encodings share has no values of its own. */
function buildGeneralHover(
  { name, summary, formula, classification, papers }: GeneralForm,
  explanation: CodeExplanation,
  targets: CodeHoverTargets,
): HoverContent {
  const panelTarget = targets.panel(explanation);
  const [paper] = papers;
  return {
    title: localize(name),
    subtitle: formatClassification({ ...classification, trainedParameters: () => 0 }),
    summary: localize(summary),
    formula,
    facts: [
      ...explanation.values.map(valueFact),
      ...(explanation.terms === undefined
        ? []
        : termFacts(effectOfRoles(explanation.terms, classification.kind === "relative"), explanation.terms)),
    ],
    links: [
      ...(panelTarget === null ? [] : [{ label: l10n.t("Open in Panel"), target: panelTarget }]),
      ...(paper === undefined ? [] : paperLink(paper)),
    ],
  };
}

/** Parameters without the unknown ones. */
export function withoutUnknown(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}

/** The formula of the part that the code computes; null if the encoding's own formula applies. */
function partFormula({ partFormulas }: Encoding, { part, ropeType }: CodeExplanation): Formula | null {
  const formula = partFormulas?.[part] ?? null;
  return formula === rotationFormula || ropeType === null || ropeType === "default" ? formula : null;
}

/** The encoding's formula for these parameters; parameters that the code leaves open have their defaults. */
function encodingFormula(encoding: Encoding, params: Params): Formula {
  return encoding.formula(checkParams(encoding, params).params);
}

function scalingFact(explanation: CodeExplanation): HoverFact[] {
  const { ropeType } = explanation;
  return ropeType === null || ropeType === "default" ? [] : [{ label: l10n.t("scaling"), value: ropeType }];
}

const PARAM_LABELS: Readonly<Record<string, () => string>> = {
  rope_theta: () => l10n.t("base θ"),
  base: () => l10n.t("base"),
  temperature: () => l10n.t("base (temperature)"),
  head_dim: () => l10n.t("head dimension d"),
  rotary_dim: () => l10n.t("rotated dimensions"),
  hidden_size: () => l10n.t("hidden size"),
  max_position_embeddings: () => l10n.t("max positions"),
  num_heads: () => l10n.t("heads"),
  num_buckets: () => l10n.t("buckets"),
  max_distance: () => l10n.t("max distance"),
  factor: () => l10n.t("factor"),
  original_max_position_embeddings: () => l10n.t("training context"),
  partial_rotary_factor: () => l10n.t("rotated fraction"),
};

function valueFact(value: CodeParam): HoverFact {
  if (value.param === "bidirectional") return directionFact(value);
  const label = ownValue(PARAM_LABELS, value.param)?.() ?? value.param;
  if (value.value === null) return { label, value: value.symbol, note: l10n.t("not resolved in this file") };
  return { label, value: formatValue(value), note: value.note };
}

/** Which keys T5's buckets tell apart. */
function directionFact({ value, note }: CodeParam): HoverFact {
  const label = l10n.t("direction");
  if (value === null) return { label, value: l10n.t("not known from this file") };
  return {
    label,
    value: value === true ? l10n.t("keys on both sides") : l10n.t("only keys before the query"),
    note,
  };
}

function formatValue({ param, value }: CodeParam): string {
  return typeof value === "number" && param === "head_dim" ? formatPairCount(value) : formatParamValue(value);
}

function formatPairCount(dimension: number): string {
  return dimension % 2 === 0 ? l10n.t("{0} → {1} pairs", dimension, dimension / 2) : String(dimension);
}

/** The layout, and which dimensions form its pairs. */
function layoutFacts(explanation: CodeExplanation): HoverFact[] {
  const { layout } = explanation;
  if (layout === null)
    return explanation.isLayoutOpen === true
      ? [{ label: l10n.t("pair layout"), value: l10n.t("not known from this file") }]
      : [];
  const name = layout === "half" ? l10n.t("half-split") : l10n.t("interleaved");
  const fact = { label: l10n.t("pair layout"), value: name };
  return [
    explanation.layoutEvidence === null ? fact : { ...fact, note: explanation.layoutEvidence },
    { label: l10n.t("pairs"), value: formatPairs(explanation) },
  ];
}

/** "(0, 64) (1, 65) … (63, 127)" */
function formatPairs(explanation: CodeExplanation): string {
  const dim = numberParam(explanation.spec.params, "rotary_dim") ?? numberParam(explanation.spec.params, "head_dim");
  if (explanation.layout === "interleaved")
    return dim === null ? "(0, 1) (2, 3) …" : `(0, 1) (2, 3) … (${dim - 2}, ${dim - 1})`;
  return dim === null ? "(k, k + d/2)" : `(0, ${dim / 2}) (1, ${dim / 2 + 1}) … (${dim / 2 - 1}, ${dim - 1})`;
}

function buildLinks(
  explanation: CodeExplanation,
  encoding: Encoding | undefined,
  targets: CodeHoverTargets,
): HoverLink[] {
  const panelTarget = encoding === undefined ? null : targets.panel(explanation);
  const links: HoverLink[] = panelTarget === null ? [] : [{ label: l10n.t("Open in Panel"), target: panelTarget }];
  const part = partView(explanation);
  const partTarget = part === null || panelTarget === null ? null : targets.panel(explanation, part.view);
  if (part !== null && partTarget !== null) links.push({ label: part.label, target: partTarget });
  const paper = encoding?.papers[0];
  return paper === undefined ? links : [...links, ...paperLink(paper)];
}

function paperLink(paper: Paper): HoverLink[] {
  const target = paper.arxiv === undefined ? paper.url : `https://arxiv.org/abs/${paper.arxiv}`;
  const label =
    paper.arxiv === undefined ? paper.title : `${paper.title.split(":", 1)[0] ?? paper.title}, arXiv ${paper.arxiv}`;
  return target === undefined ? [] : [{ label, target }];
}

/** The panel's view for this part of an encoding. */
function partView({ spec, part }: CodeExplanation): { readonly view: ViewId; readonly label: string } | null {
  const rotates = encodingById(spec.encoding)?.rotation?.by(spec.params) === "position";
  switch (part) {
    case "inverse frequencies":
    case "angles":
    case "base":
    case "scaling":
      return rotates ? { view: "frequencies", label: l10n.t("Frequencies") } : null;
    case "rotation":
    case "pair layout":
    case "cos and sin":
      return rotates ? { view: "rotation", label: l10n.t("Rotation") } : null;
    case "buckets":
      return { view: "buckets", label: l10n.t("Buckets") };
    case "slopes":
      return { view: "curves", label: l10n.t("Curves") };
    default:
      return null;
  }
}
