import type * as vscode from "vscode";
import { LESSON_STEP_IDS, type LessonStepId } from "../../core/learn/stepIds.ts";

const MEMORY_KEY = "posenc.lessonStep";

/** The step of the guided path that was shown last, so that the path goes on where the user left it. */
export class LessonProgress {
  readonly #memory: vscode.Memento | undefined;
  #step: LessonStepId | undefined;

  constructor(memory: vscode.Memento | undefined) {
    this.#memory = memory;
  }

  /** The step to go on with; at first the first one. */
  get step(): LessonStepId {
    const saved = this.#step ?? this.#memory?.get<unknown>(MEMORY_KEY);
    // An earlier or later version may have saved another step.
    return LESSON_STEP_IDS.find((id) => id === saved) ?? LESSON_STEP_IDS[0];
  }

  visit(step: LessonStepId): void {
    if (step === this.#step) return;
    this.#step = step;
    void this.#memory?.update(MEMORY_KEY, step);
  }
}
