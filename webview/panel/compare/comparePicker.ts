import { t } from "@vscode/l10n";
import type { TemplateResult } from "lit-html";
import { describeLayers } from "../../../src/core/config/report/describeLayers.ts";
import type { BoundConfig } from "../../../src/core/protocol/messages.ts";
import type { Page } from "../../state/page.ts";
import { setField } from "../../state/reducers.ts";
import type { ChoiceList, SearchChoice } from "../../state/search.ts";
import {
  compareWithConfig,
  compareWithEncoding,
  compareWithPreset,
  compareWithSpec,
  compareWithUnchanged,
} from "../../state/sides.ts";
import { combobox } from "../../ui/combobox.ts";
import { encodingList, pickOf } from "../controls/encodingPicker.ts";
import type { Dispatch } from "../dispatch.ts";

const UNCHANGED = "unchanged";
const CONFIG = "config";
const STOP = "stop";
const PART = "part ";

function isChanged({ panel }: Page): boolean {
  return Object.keys(panel.changes).length > 0;
}

/** What is near at hand: the values before the user's changes, the config's other parts, a config of the workspace. */
function nearby(page: Page): SearchChoice[] {
  const { panel, config } = page;
  const own = config === null || panel.config === null ? null : config;
  const list: SearchChoice[] = [];
  if (panel.compare !== null) list.push({ value: STOP, label: t("Stop comparing") });
  if (isChanged(page)) {
    const label = own === null ? t("Values before your changes") : t("Config as written");
    list.push({ value: UNCHANGED, label, ...(own === null ? {} : { detail: own.title }) });
  }
  own?.specs.forEach((spec, n) => {
    if (n === panel.config?.index) return;
    const layers = describeLayers(spec.layers);
    list.push({
      value: `${PART}${n}`,
      label: t("This config's {0}", spec.where),
      detail: `${spec.encoding} · ${layers}`,
    });
  });
  list.push({ value: CONFIG, label: t("Config from the workspace…"), keywords: "file json" });
  return list;
}

export interface ComparePickerProps {
  readonly page: Page;
  readonly dispatch: Dispatch;
  /** Asks the user for a config; null when they do not choose one. */
  readonly pickConfig: () => Promise<BoundConfig | null>;
}

/** The header's button: chooses side B. */
export function comparePicker(props: ComparePickerProps): TemplateResult {
  const choices = (): ChoiceList => [{ label: t("compare with"), choices: nearby(props.page) }, ...encodingList(null)];
  return combobox({
    label: t("Compare with another encoding, model or config"),
    text: t("Compare…"),
    hint: t("search encodings and models"),
    asButton: true,
    choices,
    onChoose: (value) => void choose(props, value),
  });
}

async function choose({ page, dispatch, pickConfig }: ComparePickerProps, value: string): Promise<void> {
  const { config } = page;
  if (value === STOP) return dispatch(setField("compare", null));
  if (value === UNCHANGED) return dispatch(compareWithUnchanged);
  if (value.startsWith(PART) && config !== null)
    return dispatch(compareWithSpec(config, Number(value.slice(PART.length))));
  if (value === CONFIG) {
    const picked = await pickConfig();
    if (picked !== null) dispatch(compareWithConfig(picked, config));
    return;
  }
  const pick = pickOf(value);
  if (pick?.kind === "encoding") dispatch(compareWithEncoding(pick.encoding, pick.changes));
  else if (pick?.kind === "preset") dispatch(compareWithPreset(pick.preset));
}
