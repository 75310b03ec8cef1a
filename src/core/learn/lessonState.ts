import { initialPanelState, type PanelState } from "../protocol/state.ts";
import type { LessonStepId } from "./stepIds.ts";
import { LESSON_STEPS } from "./steps.ts";

/** The panel as a step of the guided path sets it. */
export function lessonPanelState(id: LessonStepId): PanelState {
  const { encoding, state } = LESSON_STEPS[id];
  return { ...initialPanelState(encoding), ...state, encoding, lesson: id };
}
