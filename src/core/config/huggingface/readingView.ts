/** The release whose classes the table of model types describes, as it is named in `runs`. */
export const TRANSFORMERS_RUN = "transformers 5.18";

/**
 * Whose eyes a file is read with: those of the model's own published code, or those of transformers 5.18. The reader is
 * the same; rows of the table and a few steps depend on the view.
 */
export class ReadingView {
  readonly isDeclared: boolean;
  #mayDiffer = false;

  constructor(isDeclared: boolean) {
    this.isDeclared = isDeclared;
  }

  /** Something was read that the other view may read otherwise. */
  noteDifference(): void {
    this.#mayDiffer = true;
  }

  get mayDiffer(): boolean {
    return this.#mayDiffer;
  }
}
