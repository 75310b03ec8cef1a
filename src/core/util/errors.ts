import type { ParamValue, Range } from "../spec.ts";

/** A parameter that breaks a rule of its encoding: shown at the control, and by the command line with exit 2. */
export interface ParamProblem {
  readonly param: string;
  readonly value: ParamValue | undefined;
  /** What must hold, in the current language: "must be even", "must be positive". */
  readonly rule: string;
}

export function describeProblem(problem: ParamProblem): string {
  return `${problem.param} = ${JSON.stringify(problem.value ?? null)}: ${problem.rule}`;
}

/** Thrown by core for input that breaks a rule; every surface turns it into a message, none lets it through. */
export class ParamError extends Error {
  override readonly name = "ParamError";
  readonly problem: ParamProblem;

  constructor(problem: ParamProblem) {
    super(describeProblem(problem));
    this.problem = problem;
  }
}

/** A message for the user, with the place if there is one. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly range: Range | undefined;

  constructor(message: string, range?: Range, options?: ErrorOptions) {
    super(message, options);
    this.range = range;
  }
}
