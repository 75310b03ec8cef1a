import * as l10n from "@vscode/l10n";
import { html, nothing, type TemplateResult } from "lit-html";
import { localize } from "../../src/core/l10n/l10n.ts";
import { LESSON_STEP_IDS, type LessonStepId } from "../../src/core/learn/stepIds.ts";
import { LESSON_STEPS, type LessonStep } from "../../src/core/learn/steps.ts";
import { menuButton } from "../ui/menu.ts";
import "./lesson.css";

/** Shows a step from its start; null leaves the guided path and keeps the picture. */
export type ShowLesson = (id: LessonStepId | null) => void;

/** One of the two arrows. At the end of the path it keeps the focus and does nothing. */
function arrow(label: string, target: LessonStepId | undefined, show: ShowLesson, mirrored: boolean): TemplateResult {
  const title = target === undefined ? label : `${label}: ${localize(LESSON_STEPS[target].title)}`;
  return html`<button
    type="button"
    class=${`lesson-arrow ${mirrored ? "back" : "on"}`}
    title=${title}
    aria-disabled=${target === undefined}
    @click=${() => target !== undefined && show(target)}
  ><span class="lesson-arrow-label">${label}</span></button>`;
}

function stepMenu(id: LessonStepId, show: ShowLesson): TemplateResult {
  const at = LESSON_STEP_IDS.indexOf(id);
  const steps = LESSON_STEP_IDS.map((step, n) => ({
    label: `${n + 1}. ${localize(LESSON_STEPS[step].title)}`,
    ...(step === id ? { hint: l10n.t("This step; shows its picture again.") } : {}),
    onChoose: () => show(step),
  }));
  const leave = {
    label: l10n.t("Leave the guided path"),
    hint: l10n.t("The picture stays."),
    onChoose: () => show(null),
  };
  return menuButton({
    label: l10n.t("{0} of {1}", at + 1, LESSON_STEP_IDS.length),
    title: l10n.t("All steps"),
    groups: () => [steps, [leave]],
  });
}

function moreLinks({ more }: LessonStep): TemplateResult {
  return html`<p class="lesson-more"><strong>${l10n.t("Read more")}</strong>
    ${more.map(({ title, url }, n) => html`${n === 0 ? "" : " · "}<a href=${url} lang="en">${title}</a>`)}</p>`;
}

/** The step of the guided path that the panel shows: what to see, what to try and where to read on. */
export function lessonBand(id: LessonStepId | null, show: ShowLesson): TemplateResult | typeof nothing {
  if (id === null) return nothing;
  const step = LESSON_STEPS[id];
  const at = LESSON_STEP_IDS.indexOf(id);
  return html`<section class="lesson" aria-label=${l10n.t("Guided path")}>
    <div class="lesson-steps">
      ${arrow(l10n.t("Back"), LESSON_STEP_IDS[at - 1], show, true)} ${stepMenu(id, show)}
      ${arrow(l10n.t("Next"), LESSON_STEP_IDS[at + 1], show, false)}
    </div>
    <div class="lesson-text" aria-live="polite">
      <h2>${localize(step.title)}</h2>
      <p class="lesson-see">${localize(step.see)}</p>
      <p class="lesson-try"><strong>${l10n.t("Try")}</strong> ${localize(step.experiment)}</p>
      ${moreLinks(step)}
    </div>
  </section>`;
}
