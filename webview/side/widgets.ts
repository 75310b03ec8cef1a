import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import type { SideFinding, SideToHost } from "../../src/core/protocol/side.ts";
import type { SectionContext } from "./section.ts";
import "./widgets.css";

/** A place in a file, or in a notebook's cell. */
export type PlaceInFile = Pick<SideFinding, "range" | "cell">;

export function formatPlace({ range: { start }, cell }: PlaceInFile): string {
  return cell === undefined ? l10n.t("line {0}", start.line) : l10n.t("cell {0}, line {1}", cell.number, start.line);
}

export function revealMessage({ range, cell }: PlaceInFile): SideToHost {
  return { type: "reveal", range, ...(cell === undefined ? {} : { cell: cell.uri }) };
}

export interface NativeButtonProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly look?: "primary" | "secondary" | "link";
  readonly title?: string;
}

/** A native button in the editor's colours, because the toolkit would be most of this page's size. */
export function nativeButton({ label, onClick, look = "secondary", title }: NativeButtonProps): TemplateResult {
  return html`<button type="button" class=${`button ${look}`} title=${title ?? nothing} @click=${onClick}>${label}</button>`;
}

/** A titled section. */
export function titledSection(title: string, content: unknown): TemplateResult {
  return html`<section aria-label=${title}><h2>${title}</h2>${content}</section>`;
}

/** A collapsible section whose state is saved under its name. */
export function foldingSection(
  name: string,
  title: string,
  { page, update }: Pick<SectionContext, "page" | "update">,
  content: () => unknown,
  note: unknown = nothing,
): TemplateResult {
  const open = page.state.toggled.includes(name);
  const toggle = (event: Event) => {
    const now = event.currentTarget instanceof HTMLDetailsElement && event.currentTarget.open;
    if (now !== open) update((state) => ({ ...state, toggled: toggleName(state.toggled, name) }));
  };
  return html`<details class="folding" ?open=${open} @toggle=${toggle}>
    <summary><h2>${title}</h2>${note}</summary>
    ${open ? content() : nothing}
  </details>`;
}

function toggleName(names: readonly string[], name: string): string[] {
  return names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
}
