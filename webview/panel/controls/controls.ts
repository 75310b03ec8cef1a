import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { describeLayers } from "../../../src/core/config/report/describeLayers.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import type { CheckpointContent, PanelState } from "../../../src/core/protocol/state.ts";
import type { EncodingSpec } from "../../../src/core/spec.ts";
import { scaleParts } from "../../../src/core/terms/softmaxScale.ts";
import { grouped } from "../../state/format.ts";
import { NO_HISTORY } from "../../state/history.ts";
import type { Page } from "../../state/page.ts";
import { type Model, titleOf } from "../../state/panelEncoding.ts";
import {
  changeKeyLength,
  changeQueryLength,
  chooseEncoding,
  choosePreset,
  chooseSpec,
  LONGEST,
  resetParams,
  setField,
} from "../../state/reducers.ts";
import { combobox } from "../../ui/combobox.ts";
import { numberField, slider, textField } from "../../ui/fields.ts";
import { line } from "../../ui/line.ts";
import { button, dropdown } from "../../ui/toolkit.ts";
import type { Dispatch } from "../dispatch.ts";
import { type Step, stepButtons } from "../steps.ts";
import { colourGroup } from "./colourGroup.ts";
import { askForContent, weightsLine } from "./contentSource.ts";
import { encodingList, pickOf } from "./encodingPicker.ts";
import { parameterControls } from "./parameterControls.ts";

function encodingGroup(page: Page, model: Model, dispatch: Dispatch): TemplateResult {
  const choose = (value: string) => {
    const pick = pickOf(value);
    if (pick?.kind === "encoding") dispatch(chooseEncoding(pick.encoding, pick.changes));
    else if (pick?.kind === "preset") dispatch(choosePreset(pick.preset));
  };
  const picker = combobox({
    label: t("Encoding"),
    text: titleOf(model),
    hint: t("search encodings and models"),
    choices: () => encodingList(model.encoding.id),
    onChoose: choose,
  });
  const name = model.given?.name ?? null;
  return html`<section class="group">
    <h2>${t("Encoding")}</h2>
    ${picker} ${name === null ? nothing : html`<p class="given-name">${t("as in {0}", name)}</p>`} ${specChoice(page, dispatch)}
  </section>`;
}

/** "decoder · layers 0, 5, …": which of a config's encodings. */
function specLabel(spec: EncodingSpec): string {
  const layers = describeLayers(spec.layers);
  const encoding = encodingById(spec.encoding);
  return `${spec.where} · ${encoding === undefined ? spec.encoding : localize(encoding.title)} · ${layers}`;
}

function specChoice({ panel, config }: Page, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (panel.config === null || config === null || config.specs.length < 2) return nothing;
  return dropdown({
    label: t("Config section"),
    value: String(panel.config.index),
    choices: config.specs.map((spec, n) => ({ value: String(n), label: specLabel(spec) })),
    onChange: (index) => dispatch(chooseSpec(config, Number(index))),
  });
}

function resetText({ spec, given }: Model): string {
  if (spec !== null) return t("Reset all to config values");
  if (given === null) return t("Reset all to defaults");
  return given.name === null ? t("Reset all to code values") : t("Reset all to {0}", given.name);
}

function parameterGroup(page: Page, model: Model, dispatch: Dispatch, onStep: (step: Step) => void): TemplateResult {
  const changed = model.controls.some(({ source }) => source === "you");
  return html`<section class="group">
    <h2>
      ${t("Parameters")}
      ${stepButtons(page.history ?? NO_HISTORY, onStep)}
      ${changed ? button({ label: resetText(model), glyph: "↺", look: "icon", onClick: () => dispatch(resetParams) }) : nothing}
    </h2>
    ${parameterControls(model.controls, dispatch)} ${weightsLine(page, dispatch)}
  </section>`;
}

const SEED = 1;

function contentLine({ content, tokens }: PanelState, dispatch: Dispatch): TemplateResult {
  const kind = typeof content === "string" ? content : "seed" in content ? "random" : "checkpoint";
  const choices = [
    { value: "ones", label: t("ones") },
    { value: "random", label: t("random") },
    { value: "tokens", label: t("words") },
    ...(kind === "checkpoint" ? [{ value: "checkpoint", label: t("checkpoint") }] : []),
  ];
  const choose = (value: string) =>
    dispatch(setField("content", value === "ones" || value === "tokens" ? value : { seed: SEED }));
  const content_ = html`${line(t("content"), dropdown({ label: t("content"), value: kind, choices, onChange: choose }))}
    <button type="button" class="menu-button wide-button" @click=${askForContent}>${t("Load content from checkpoint…")}</button>`;
  if (content === "ones") return content_;
  if (content === "tokens") {
    const onText = (text: string) => dispatch((state) => ({ ...state, tokens: wordsOf(text), order: [] }));
    return html`${content_} ${line(t("words"), textField({ label: t("words"), text: tokens.join(" "), onText }))}
      <p class="hint">${t("Repeated to fill the sequence. Identical words share one vector.")}</p>`;
  }
  if ("checkpoint" in content) return html`${content_} ${checkpointLines(content.checkpoint, dispatch)}`;
  const onNumber = (seed: number) => dispatch(setField("content", { seed }));
  return html`${content_} ${line(t("seed"), numberField({ label: t("seed"), value: content.seed, min: 0, max: 2 ** 31, onNumber }))}`;
}

/** Whole numbers from a text; none where it holds anything else. */
function idsOf(text: string): number[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const ids = parts.map(Number);
  return ids.length > 0 && ids.length <= 256 && ids.every((id) => Number.isSafeInteger(id) && id >= 0) ? ids : null;
}

/** Which tokens of which file. */
function checkpointLines({ uri, ids }: CheckpointContent, dispatch: Dispatch): TemplateResult {
  const onText = (text: string) => {
    const next = idsOf(text);
    if (next !== null) dispatch(setField("content", { checkpoint: { uri, ids: next } }));
  };
  return html`${line(t("token ids"), textField({ label: t("token ids"), text: ids.join(" "), onText }))}
    <p class="hint">
      ${t("{0}: token embeddings after the first layer’s norm, W_Q and W_K, repeated to fill the sequence.", uri.slice(uri.lastIndexOf("/") + 1))}
    </p>`;
}

/** What stands between spaces; an empty field keeps one word, so that there is something to draw. */
function wordsOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? ["·"] : words;
}

/** What queries times keys are multiplied with: the model's own 1/√d, or a number in its place. */
function scaleLine({ softmaxScale }: PanelState, model: Model, dispatch: Dispatch): TemplateResult {
  const terms = softmaxScale === null ? (model.drawable?.attention.terms ?? []) : [];
  const content = terms.find(({ role }) => role === "content_content");
  const field = numberField({
    label: t("softmax scale"),
    value: softmaxScale,
    integer: false,
    hint:
      (content === undefined ? undefined : scaleParts(content)[0]?.text) ??
      (terms.length > 0 ? "1" : t("model default")),
    onNumber: (scale) => dispatch(setField("softmaxScale", scale)),
    onEmpty: () => dispatch(setField("softmaxScale", null)),
  });
  return line(t("softmax scale"), field);
}

function maskLines(panel: PanelState, dispatch: Dispatch): TemplateResult {
  const choices = [
    { value: "none", label: t("none") },
    { value: "causal", label: t("causal") },
  ];
  const choose = (value: string) => dispatch(setField("causal", value === "causal"));
  const limit = (label: string, field: "window" | "chunk" | "keepFirst") =>
    line(
      label,
      numberField({
        label,
        value: panel[field],
        min: 1,
        max: LONGEST,
        hint: t("none"),
        onNumber: (tokens) => dispatch(setField(field, tokens)),
        onEmpty: () => dispatch(setField(field, null)),
      }),
    );
  const sink = numberField({
    label: t("sink logit"),
    value: panel.sink,
    integer: false,
    hint: t("none"),
    onNumber: (logit) => dispatch(setField("sink", logit)),
    onEmpty: () => dispatch(setField("sink", null)),
  });
  const mask = dropdown({ label: t("mask"), value: panel.causal ? "causal" : "none", choices, onChange: choose });
  const kept = panel.window === null ? nothing : limit(t("sink tokens"), "keepFirst");
  return html`${line(t("mask"), mask)} ${limit(t("window"), "window")} ${kept} ${limit(t("chunk"), "chunk")}
    ${line(t("sink logit"), sink)}`;
}

function headLine(panel: PanelState, heads: number, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (heads < 2) return nothing;
  const value = Math.min(panel.head, heads - 1);
  const field = numberField({
    label: t("head"),
    value,
    min: 0,
    max: heads - 1,
    onNumber: (head) => dispatch(setField("head", head)),
  });
  return line(t("head"), html`${field}<span class="unit">/ ${heads}</span>`);
}

function sequenceGroup({ panel }: Page, model: Model, dispatch: Dispatch): TemplateResult {
  const { keyLength, queryLength, shift } = panel;
  const length = { label: t("length"), value: keyLength, min: 1, max: LONGEST, integer: true } as const;
  const setLength = (keys: number) => dispatch(changeKeyLength(keys));
  const setShift = (by: number) => dispatch(setField("shift", by));
  const domain = model.encoding.domain(model.problems.length === 0 ? model.params : {});
  const farthest = domain.kind === "table" ? Math.max(1, domain.size - 1) : 4096;
  return html`<section class="group">
    <h2>${t("Sequence")}</h2>
    ${line(t("length"), numberField({ ...length, onNumber: setLength }), slider({ ...length, scale: "log", onValue: setLength }))}
    ${line(
      t("queries"),
      numberField({
        label: t("queries"),
        value: queryLength,
        min: 1,
        max: LONGEST,
        onNumber: (queries) => dispatch(changeQueryLength(queries)),
      }),
    )}
    ${contentLine(panel, dispatch)} ${scaleLine(panel, model, dispatch)} ${maskLines(panel, dispatch)} ${headLine(panel, model.heads, dispatch)}
    ${line(
      t("shift both by"),
      numberField({ label: t("shift both by"), value: shift, min: 0, max: LONGEST, onNumber: setShift }),
      slider({
        label: t("shift both by"),
        value: shift,
        min: 0,
        max: farthest,
        integer: true,
        scale: "linear",
        onValue: setShift,
      }),
    )}
  </section>`;
}

/** The left column. */
export function controls(
  page: Page,
  model: Model,
  ownInputs: boolean,
  dispatch: Dispatch,
  onStep: (step: Step) => void,
): TemplateResult {
  if (ownInputs) {
    return html`${encodingGroup(page, model, dispatch)}
      <p class="aside-note">${t("This view has its own inputs. The parameters of {0} apply to the other views.", localize(model.encoding.title))}</p>`;
  }
  return html`${encodingGroup(page, model, dispatch)} ${parameterGroup(page, model, dispatch, onStep)} ${sequenceGroup(page, model, dispatch)}
  ${colourGroup(page, dispatch)}`;
}

/** "512 × 512", for names and captions. */
export function shapeText(rows: number, columns: number): string {
  return `${grouped(rows)} × ${grouped(columns)}`;
}
