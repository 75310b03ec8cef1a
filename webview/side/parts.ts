import { t } from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { SideFinding, SideToHost } from "../../src/core/protocol/side.ts";
import type { Sight } from "./sidePage.ts";

/** A place of the file; of a notebook, in one of its cells. */
export type Place = Pick<SideFinding, "range" | "cell">;

export function placeInWords({ range: { start }, cell }: Place): string {
  return cell === undefined ? t("line {0}", start.line) : t("cell {0}, line {1}", cell.number, start.line);
}

export function revealing({ range, cell }: Place): SideToHost {
  return { type: "reveal", range, ...(cell === undefined ? {} : { cell: cell.uri }) };
}

export interface ButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly look?: "primary" | "secondary" | "link";
  readonly title?: string;
}

/** The browser's own button in the editor's colours: the toolkit would be most of this page. */
export function button({ label, onClick, look = "secondary", title }: ButtonProps): TemplateResult {
  return html`<button type="button" class=${`button ${look}`} title=${title ?? nothing} @click=${onClick}>${label}</button>`;
}

/** A named part of the page. */
export function section(title: string, content: unknown): TemplateResult {
  return html`<section aria-label=${title}><h2>${title}</h2>${content}</section>`;
}

/** A section that folds; how it stands is kept under its name. */
export function folding(
  name: string,
  title: string,
  { page, update }: Pick<Sight, "page" | "update">,
  content: () => unknown,
  note: unknown = nothing,
): TemplateResult {
  const open = page.state.toggled.includes(name);
  const toggle = (event: Event) => {
    const now = event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open;
    if (now !== open) update((state) => ({ ...state, toggled: toggled(state.toggled, name) }));
  };
  return html`<details class="folding" ?open=${open} @toggle=${toggle}>
    <summary><h2>${title}</h2>${note}</summary>
    ${open ? content() : nothing}
  </details>`;
}

function toggled(names: readonly string[], name: string): string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}
