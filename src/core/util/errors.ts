import type { ParamValue, TextRange } from "../spec.ts";

/** A parameter that violates a rule of its encoding: shown at its control, and by the command line with exit code 2. */
export interface ParamProblem {
  readonly param: string;
  readonly value: ParamValue | undefined;
  /** What must hold, in the current language: "must be even", "must be positive". */
  readonly rule: string;
}

export function describeProblem(problem: ParamProblem): string {
  return `${problem.param} = ${JSON.stringify(problem.value ?? null)}: ${problem.rule}`;
}

/** Thrown by core for input that violates a rule. Callers must turn it into a message. */
export class ParamError extends Error {
  override readonly name = "ParamError";
  readonly problem: ParamProblem;

  constructor(problem: ParamProblem) {
    super(describeProblem(problem));
    this.problem = problem;
  }
}

/** A message for the user, with a range in the file if known. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly range: TextRange | undefined;

  constructor(message: string, range?: TextRange, options?: ErrorOptions) {
    super(message, options);
    this.range = range;
  }
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
