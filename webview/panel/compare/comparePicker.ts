import * as l10n from "@vscode/l10n";
import type { TemplateResult } from "lit-html";
import { describeLayers } from "../../../src/core/config/report/describeLayers.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import {
  compareWithConfig,
  compareWithEncoding,
  compareWithPreset,
  compareWithRun,
  compareWithSpec,
  compareWithUnchanged,
} from "../../state/comparisonChanges.ts";
import type { Page } from "../../state/page.ts";
import type { Dispatch } from "../../state/reducers.ts";
import { setField } from "../../state/reducers.ts";
import { combobox } from "../../ui/combobox.ts";
import type { ChoiceGroups, SearchChoice } from "../../ui/search.ts";
import { encodingGroups, parsePick } from "../controls/encodingPicker.ts";

const UNCHANGED_CHOICE = "unchanged";
const CONFIG_CHOICE = "config";
const STOP_CHOICE = "stop";
const SPEC_CHOICE_PREFIX = "part ";
const RUN_CHOICE_PREFIX = "run ";

function isChanged({ panel }: Page): boolean {
  return Object.keys(panel.changes).length > 0;
}

/**
 * Choices from the current panel and workspace: the values before the user's changes, other parts of the config,
 * another config.
 */
function localChoices(page: Page): SearchChoice[] {
  const { panel, config } = page;
  const boundConfig = config === null || panel.config === null ? null : config;
  const list: SearchChoice[] = [];
  if (panel.compare !== null) list.push({ value: STOP_CHOICE, label: l10n.t("Stop comparing") });
  if (isChanged(page)) {
    const label = boundConfig === null ? l10n.t("Values before your changes") : l10n.t("Config as written");
    list.push({ value: UNCHANGED_CHOICE, label, ...(boundConfig === null ? {} : { detail: boundConfig.title }) });
  }
  const own = boundConfig?.specs[panel.config?.index ?? 0];
  for (const runtime of Object.keys(own?.runs ?? {})) {
    const detail = l10n.t("what it makes of this file");
    list.push({ value: `${RUN_CHOICE_PREFIX}${runtime}`, label: runtime, detail, keywords: "runtime" });
  }
  boundConfig?.specs.forEach((spec, n) => {
    if (n === panel.config?.index) return;
    const layers = describeLayers(spec.layers);
    list.push({
      value: `${SPEC_CHOICE_PREFIX}${n}`,
      label: l10n.t("This config's {0}", spec.where),
      detail: `${spec.encoding} · ${layers}`,
    });
  });
  list.push({ value: CONFIG_CHOICE, label: l10n.t("Config from the workspace…"), keywords: "file json" });
  return list;
}

export interface ComparePickerProps {
  readonly page: Page;
  readonly dispatch: Dispatch;
  /** Asks the user for a config; null if they cancel. */
  readonly pickConfig: () => Promise<BoundConfig | null>;
}

/** The header's button: chooses side B. */
export function comparePicker(props: ComparePickerProps): TemplateResult {
  const choices = (): ChoiceGroups => [
    { label: l10n.t("compare with"), choices: localChoices(props.page) },
    ...encodingGroups(null),
  ];
  return combobox({
    label: l10n.t("Compare with another encoding, model or config"),
    text: l10n.t("Compare…"),
    hint: l10n.t("search encodings and models"),
    asButton: true,
    choices,
    onChoose: (value) => void chooseSideB(props, value),
  });
}

async function chooseSideB({ page, dispatch, pickConfig }: ComparePickerProps, value: string): Promise<void> {
  const { config } = page;
  if (value === STOP_CHOICE) return dispatch(setField("compare", null));
  if (value === UNCHANGED_CHOICE) return dispatch(compareWithUnchanged);
  if (value.startsWith(SPEC_CHOICE_PREFIX) && config !== null)
    return dispatch(compareWithSpec(config, Number(value.slice(SPEC_CHOICE_PREFIX.length))));
  if (value.startsWith(RUN_CHOICE_PREFIX) && config !== null)
    return dispatch(compareWithRun(config, page.panel.config?.index ?? 0, value.slice(RUN_CHOICE_PREFIX.length)));
  if (value === CONFIG_CHOICE) {
    const picked = await pickConfig();
    if (picked !== null) dispatch(compareWithConfig(picked, config));
    return;
  }
  const pick = parsePick(value);
  if (pick?.kind === "encoding") dispatch(compareWithEncoding(pick.encoding, pick.changes));
  else if (pick?.kind === "preset") dispatch(compareWithPreset(pick.preset));
}
