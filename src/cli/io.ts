/** What a command gives back; `main` writes it, so that tests need no process. */
export interface CommandResult {
  readonly exitCode: 0 | 1 | 2;
  readonly stdout: string;
  readonly stderr: string;
}

export function success(stdout: string): CommandResult {
  return { exitCode: 0, stdout, stderr: "" };
}

/** A usage error or something that cannot be done: exit 2, one line on stderr. */
export function failure(message: string): CommandResult {
  return { exitCode: 2, stdout: "", stderr: `posenc: ${message}\n` };
}
