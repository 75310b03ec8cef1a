import * as l10n from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { type EditHistory, redo, undo } from "../state/history.ts";
import { button } from "../ui/toolkit.ts";
import "./historyControls.css";

/** Undo or redo. */
export type HistoryAction = typeof undo;

/** Text fields undo their own typing. */
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type === "text" && !target.readOnly;
}

export function historyShortcut(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): HistoryAction | null {
  if (event.altKey || event.ctrlKey === event.metaKey) return null;
  switch (event.key.toLowerCase()) {
    case "z":
      return event.shiftKey ? redo : undo;
    case "y":
      return event.shiftKey ? null : redo;
    default:
      return null;
  }
}

/**
 * Creates the clock that dates changes. It stops while a pointer is pressed: a whole drag counts as one change, however
 * long it takes.
 */
export function createChangeClock(): () => number {
  let pressedAt: number | null = null;
  const release = () => (pressedAt = null);
  document.addEventListener("pointerdown", () => (pressedAt = performance.now()), { capture: true });
  document.addEventListener("pointerup", release, { capture: true });
  document.addEventListener("pointercancel", release, { capture: true });
  return () => pressedAt ?? performance.now();
}

/** Handles the keys for the whole page and stops them, because the editor would run its own commands. */
export function listenForHistoryKeys(onStep: (step: HistoryAction) => void): void {
  document.addEventListener(
    "keydown",
    (event) => {
      const step = isTyping(event) ? null : historyShortcut(event);
      if (step === null) return;
      event.preventDefault();
      event.stopPropagation();
      onStep(step);
    },
    { capture: true },
  );
}

export function historyButtons({ past, future }: EditHistory, onStep: (step: HistoryAction) => void): TemplateResult {
  const mac = navigator.platform.startsWith("Mac");
  return html`<span class="steps-buttons">
    ${button({
      label: l10n.t("Undo"),
      title: l10n.t("Undo the last change ({0})", mac ? "⌘Z" : "Ctrl+Z"),
      glyph: "↶",
      look: "icon",
      disabled: past.length === 0,
      onClick: () => onStep(undo),
    })}
    ${button({
      label: l10n.t("Redo"),
      title: l10n.t("Redo ({0})", mac ? "⇧⌘Z" : "Ctrl+Shift+Z"),
      glyph: "↷",
      look: "icon",
      disabled: future.length === 0,
      onClick: () => onStep(redo),
    })}
  </span>`;
}
