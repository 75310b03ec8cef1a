/** Steps of the guided path, in order. Saved states name them, so an id never changes its meaning. */
export const LESSON_STEP_IDS = [
  "order",
  "two_ways",
  "four_terms",
  "learned_table",
  "sinusoid",
  "other_absolute",
  "shift",
  "shaw",
  "xlnet",
  "t5",
  "deberta",
  "rope",
  "alibi",
  "beyond_training",
] as const;

export type LessonStepId = (typeof LESSON_STEP_IDS)[number];
