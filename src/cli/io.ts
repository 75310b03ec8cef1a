import { joinLines } from "./output.ts";

/** Result of a command. Only `main` writes it, so that tests need no process. */
export interface CommandResult {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

export function success(stdout: string): CommandResult {
  return { exitCode: 0, stdout, stderr: "" };
}

/** Usage error or failed command: exit code 2, one line on stderr. */
export function failure(message: string): CommandResult {
  return { exitCode: 2, stdout: "", stderr: joinLines([`posenc: ${message}`]) };
}
