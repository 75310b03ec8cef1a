import { t } from "@vscode/l10n";
import { html, type TemplateResult } from "lit-html";
import { type History, redo, undo } from "../state/history.ts";
import { button } from "../ui/toolkit.ts";

/** One step back or forward. */
export type Step = typeof undo;

/** Text fields take back their own typing. */
function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && target.type === "text" && !target.readOnly;
}

export function stepOf(event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">): Step | null {
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

/** When the pointer went down, while it is: however long a drag takes, it is one step. */
let heldSince: number | null = null;

export function stepTime(): number {
  return heldSince ?? performance.now();
}

function listenForDrags(): void {
  const release = () => (heldSince = null);
  document.addEventListener("pointerdown", () => (heldSince = performance.now()), { capture: true });
  document.addEventListener("pointerup", release, { capture: true });
  document.addEventListener("pointercancel", release, { capture: true });
}

/** Keys for the whole page. The editor would take them for its own commands, so they end here. */
export function listenForSteps(onStep: (step: Step) => void): void {
  listenForDrags();
  document.addEventListener(
    "keydown",
    (event) => {
      const step = isTyping(event) ? null : stepOf(event);
      if (step === null) return;
      event.preventDefault();
      event.stopPropagation();
      onStep(step);
    },
    { capture: true },
  );
}

export function stepButtons({ past, future }: History, onStep: (step: Step) => void): TemplateResult {
  const mac = navigator.platform.startsWith("Mac");
  return html`<span class="steps-buttons">
    ${button({
      label: t("Undo"),
      title: t("Undo the last change ({0})", mac ? "⌘Z" : "Ctrl+Z"),
      glyph: "↶",
      look: "icon",
      disabled: past.length === 0,
      onClick: () => onStep(undo),
    })}
    ${button({
      label: t("Redo"),
      title: t("Redo ({0})", mac ? "⇧⌘Z" : "Ctrl+Shift+Z"),
      glyph: "↷",
      look: "icon",
      disabled: future.length === 0,
      onClick: () => onStep(redo),
    })}
  </span>`;
}
