import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { describeLayers } from "../../../src/core/config/report/describeLayers.ts";
import { encodingById } from "../../../src/core/encodings/index.ts";
import { checkParams } from "../../../src/core/encodings/support/schema.ts";
import { localize } from "../../../src/core/l10n/l10n.ts";
import {
  type CheckpointContent,
  MAX_SEED,
  MAX_SEQUENCE_LENGTH,
  MAX_WORD_LENGTH,
  MAX_WORDS,
  type PanelState,
} from "../../../src/core/protocol/state.ts";
import type { EncodingSpec, Params } from "../../../src/core/spec.ts";
import { resolveScaleParts } from "../../../src/core/terms/softmaxScale.ts";
import { NO_HISTORY } from "../../state/history.ts";
import type { Page } from "../../state/page.ts";
import { formatTitle, type PanelEncoding } from "../../state/panelEncoding.ts";
import type { Dispatch } from "../../state/reducers.ts";
import {
  changeKeyLength,
  changeQueryLength,
  chooseEncoding,
  choosePreset,
  chooseSpec,
  resetParams,
  setField,
} from "../../state/reducers.ts";
import { combobox } from "../../ui/combobox.ts";
import { numberField, slider, textField } from "../../ui/fields.ts";
import { groupDigits } from "../../ui/format.ts";
import { settingLine } from "../../ui/settingLine.ts";
import { button, dropdown } from "../../ui/toolkit.ts";
import { type HistoryAction, historyButtons } from "../historyControls.ts";
import { colourGroup } from "./colourGroup.ts";
import { learnedValuesGroup, requestContent } from "./contentSource.ts";
import { encodingGroups, parsePick } from "./encodingPicker.ts";
import { parameterControls } from "./parameterControls.ts";
import "./controls.css";

function encodingGroup(page: Page, panelEncoding: PanelEncoding, dispatch: Dispatch): TemplateResult {
  const choose = (value: string) => {
    const pick = parsePick(value);
    if (pick?.kind === "encoding") dispatch(chooseEncoding(pick.encoding, pick.changes));
    else if (pick?.kind === "preset") dispatch(choosePreset(pick.preset));
  };
  const picker = combobox({
    label: l10n.t("Encoding"),
    text: formatTitle(panelEncoding),
    hint: l10n.t("search encodings and models"),
    choices: () => encodingGroups(panelEncoding.encoding.id),
    onChoose: choose,
  });
  const name = panelEncoding.preset?.name ?? null;
  return html`<section class="group">
    <h2>${l10n.t("Encoding")}</h2>
    ${picker} ${name === null ? nothing : html`<p class="given-name">${l10n.t("as in {0}", name)}</p>`} ${specDropdownA(page, dispatch)}
  </section>`;
}

/** Names one of a config's encodings: "decoder · RoPE · 12 layers". */
function specLabelA(spec: EncodingSpec): string {
  const layers = describeLayers(spec.layers);
  const encoding = encodingById(spec.encoding);
  return `${spec.where} · ${encoding === undefined ? spec.encoding : localize(encoding.name)} · ${layers}`;
}

function specDropdownA({ panel, config }: Page, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (panel.config === null || config === null || config.specs.length < 2) return nothing;
  return dropdown({
    label: l10n.t("Config section"),
    value: String(panel.config.index),
    choices: config.specs.map((spec, n) => ({ value: String(n), label: specLabelA(spec) })),
    onChange: (index) => dispatch(chooseSpec(config, Number(index))),
  });
}

function resetText({ spec, preset }: PanelEncoding): string {
  if (spec !== null) return l10n.t("Reset all to config values");
  if (preset === null) return l10n.t("Reset all to defaults");
  return preset.name === null ? l10n.t("Reset all to code values") : l10n.t("Reset all to {0}", preset.name);
}

function parameterGroup(
  page: Page,
  panelEncoding: PanelEncoding,
  dispatch: Dispatch,
  onStep: (step: HistoryAction) => void,
): TemplateResult {
  const changed = panelEncoding.controls.some(({ source }) => source === "you");
  return html`<section class="group">
    <h2>
      ${l10n.t("Parameters")}
      ${historyButtons(page.history ?? NO_HISTORY, onStep)}
      ${changed ? button({ label: resetText(panelEncoding), glyph: "↺", look: "icon", onClick: () => dispatch(resetParams) }) : nothing}
    </h2>
    ${parameterControls(panelEncoding.controls, dispatch)} ${learnedValuesGroup(page, dispatch)}
  </section>`;
}

const DEFAULT_SEED = 1;

function contentLine({ content, tokens }: PanelState, dispatch: Dispatch): TemplateResult {
  const kind = typeof content === "string" ? content : "seed" in content ? "random" : "checkpoint";
  const choices = [
    { value: "ones", label: l10n.t("ones") },
    { value: "random", label: l10n.t("random") },
    { value: "tokens", label: l10n.t("words") },
    ...(kind === "checkpoint" ? [{ value: "checkpoint", label: l10n.t("checkpoint") }] : []),
  ];
  const choose = (value: string) =>
    dispatch(setField("content", value === "ones" || value === "tokens" ? value : { seed: DEFAULT_SEED }));
  const contentControls = html`${settingLine(l10n.t("content"), dropdown({ label: l10n.t("content"), value: kind, choices, onChange: choose }))}
    <button type="button" class="menu-button wide-button" @click=${requestContent}>${l10n.t("Load content from checkpoint…")}</button>`;
  if (content === "ones") return contentControls;
  if (content === "tokens") {
    const onText = (text: string) => dispatch((state) => ({ ...state, tokens: splitWords(text), order: [] }));
    return html`${contentControls} ${settingLine(l10n.t("words"), textField({ label: l10n.t("words"), text: tokens.join(" "), onText }))}
      <p class="hint">${l10n.t("Repeated to fill the sequence. Identical words share one vector.")}</p>`;
  }
  if ("checkpoint" in content) return html`${contentControls} ${checkpointLines(content.checkpoint, dispatch)}`;
  const onNumber = (seed: number) => dispatch(setField("content", { seed }));
  return html`${contentControls} ${settingLine(l10n.t("seed"), numberField({ label: l10n.t("seed"), value: content.seed, min: 0, max: MAX_SEED, onNumber }))}`;
}

/** Parses token ids; null unless all are whole numbers. */
function parseTokenIds(text: string): number[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  const ids = parts.map(Number);
  return ids.length > 0 && ids.length <= 256 && ids.every((id) => Number.isSafeInteger(id) && id >= 0) ? ids : null;
}

/** The tokens of a checkpoint's content. */
function checkpointLines({ uri, ids }: CheckpointContent, dispatch: Dispatch): TemplateResult {
  const onText = (text: string) => {
    const next = parseTokenIds(text);
    if (next !== null) dispatch(setField("content", { checkpoint: { uri, ids: next } }));
  };
  return html`${settingLine(l10n.t("token ids"), textField({ label: l10n.t("token ids"), text: ids.join(" "), onText }))}
    <p class="hint">
      ${l10n.t("{0}: token embeddings after the first layer’s norm, W_Q and W_K, repeated to fill the sequence.", uri.slice(uri.lastIndexOf("/") + 1))}
    </p>`;
}

/** Splits at spaces. An empty field keeps one word, so that there is something to draw. */
function splitWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return words.length === 0 ? ["·"] : words.slice(0, MAX_WORDS).map((word) => word.slice(0, MAX_WORD_LENGTH));
}

/** The softmax scale: the model's own 1/√d, or a number that replaces it. */
function scaleLine({ softmaxScale }: PanelState, panelEncoding: PanelEncoding, dispatch: Dispatch): TemplateResult {
  const terms = softmaxScale === null ? (panelEncoding.resolved?.attention.terms ?? []) : [];
  const content = terms.find(({ role }) => role === "content_content");
  const field = numberField({
    label: l10n.t("softmax scale"),
    value: softmaxScale,
    integer: false,
    hint:
      (content === undefined ? undefined : resolveScaleParts(content)[0]?.text) ??
      (terms.length > 0 ? "1" : l10n.t("model default")),
    onNumber: (scale) => dispatch(setField("softmaxScale", scale)),
    onEmpty: () => dispatch(setField("softmaxScale", null)),
  });
  return settingLine(l10n.t("softmax scale"), field);
}

function maskControls(panel: PanelState, dispatch: Dispatch): TemplateResult {
  const choices = [
    { value: "none", label: l10n.t("none") },
    { value: "causal", label: l10n.t("causal") },
  ];
  const choose = (value: string) => dispatch(setField("causal", value === "causal"));
  const limitLine = (label: string, field: "window" | "chunk" | "keepFirst") =>
    settingLine(
      label,
      numberField({
        label,
        value: panel[field],
        min: 1,
        max: MAX_SEQUENCE_LENGTH,
        hint: l10n.t("none"),
        onNumber: (tokens) => dispatch(setField(field, tokens)),
        onEmpty: () => dispatch(setField(field, null)),
      }),
    );
  const sink = numberField({
    label: l10n.t("sink logit"),
    value: panel.sink,
    integer: false,
    hint: l10n.t("none"),
    onNumber: (logit) => dispatch(setField("sink", logit)),
    onEmpty: () => dispatch(setField("sink", null)),
  });
  const mask = dropdown({ label: l10n.t("mask"), value: panel.causal ? "causal" : "none", choices, onChange: choose });
  const keepFirstLine = panel.window === null ? nothing : limitLine(l10n.t("sink tokens"), "keepFirst");
  return html`${settingLine(l10n.t("mask"), mask)} ${limitLine(l10n.t("window"), "window")} ${keepFirstLine} ${limitLine(l10n.t("chunk"), "chunk")}
    ${settingLine(l10n.t("sink logit"), sink)}`;
}

function headLine(panel: PanelState, heads: number, dispatch: Dispatch): TemplateResult | typeof nothing {
  if (heads < 2) return nothing;
  const value = Math.min(panel.head, heads - 1);
  const field = numberField({
    label: l10n.t("head"),
    value,
    min: 0,
    max: heads - 1,
    onNumber: (head) => dispatch(setField("head", head)),
  });
  return settingLine(l10n.t("head"), html`${field}<span class="unit">/ ${heads}</span>`);
}

/** The defaults while a value is refused: they have every parameter. */
function validParams({ encoding, params, problems }: PanelEncoding): Params {
  return problems.length === 0 ? params : checkParams(encoding, {}).params;
}

function sequenceGroup({ panel }: Page, panelEncoding: PanelEncoding, dispatch: Dispatch): TemplateResult {
  const { keyLength, queryLength, shift } = panel;
  const length = {
    label: l10n.t("length"),
    value: keyLength,
    min: 1,
    max: MAX_SEQUENCE_LENGTH,
    integer: true,
  } as const;
  const setLength = (keys: number) => dispatch(changeKeyLength(keys));
  const setShift = (by: number) => dispatch(setField("shift", by));
  const domain = panelEncoding.encoding.domain(validParams(panelEncoding));
  const farthest = domain.kind === "table" ? Math.max(1, domain.size - 1) : 4096;
  return html`<section class="group">
    <h2>${l10n.t("Sequence")}</h2>
    ${settingLine(l10n.t("length"), numberField({ ...length, onNumber: setLength }), slider({ ...length, scale: "log", onValue: setLength }))}
    ${settingLine(
      l10n.t("queries"),
      numberField({
        label: l10n.t("queries"),
        value: queryLength,
        min: 1,
        max: MAX_SEQUENCE_LENGTH,
        onNumber: (queries) => dispatch(changeQueryLength(queries)),
      }),
    )}
    ${contentLine(panel, dispatch)} ${scaleLine(panel, panelEncoding, dispatch)} ${maskControls(panel, dispatch)} ${headLine(panel, panelEncoding.heads, dispatch)}
    ${settingLine(
      l10n.t("shift both by"),
      numberField({
        label: l10n.t("shift both by"),
        value: shift,
        min: 0,
        max: MAX_SEQUENCE_LENGTH,
        onNumber: setShift,
      }),
      slider({
        label: l10n.t("shift both by"),
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
export function controlsColumn(
  page: Page,
  panelEncoding: PanelEncoding,
  ownInputs: boolean,
  dispatch: Dispatch,
  onStep: (step: HistoryAction) => void,
): TemplateResult {
  if (ownInputs) {
    return html`${encodingGroup(page, panelEncoding, dispatch)}
      <p class="aside-note">${l10n.t("This view has its own inputs. The parameters of {0} apply to the other views.", localize(panelEncoding.encoding.name))}</p>`;
  }
  return html`${encodingGroup(page, panelEncoding, dispatch)} ${parameterGroup(page, panelEncoding, dispatch, onStep)} ${sequenceGroup(page, panelEncoding, dispatch)}
  ${colourGroup(page, dispatch)}`;
}

/** "512 × 512", for names and captions. */
export function formatShape(rows: number, columns: number): string {
  return `${groupDigits(rows)} × ${groupDigits(columns)}`;
}
