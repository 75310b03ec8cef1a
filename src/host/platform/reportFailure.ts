import * as l10n from "@vscode/l10n";
import type * as vscode from "vscode";
import { errorMessage, ParamError, UserError } from "../../core/util/errors.ts";
import { showError } from "./show.ts";

/** The only place that shows errors: messages for the user as they are, others with a button for the log. */
export function reportFailure(log: vscode.LogOutputChannel, action: string, error: unknown): void {
  log.error(action, error instanceof Error ? error : String(error));
  if (error instanceof UserError || error instanceof ParamError) {
    void showError(error.message);
    return;
  }
  const reason = errorMessage(error);
  const showLog = l10n.t("Show Log");
  void showError(l10n.t("Operation failed: {0}", reason), showLog).then((chosen) => {
    if (chosen === showLog) log.show();
  });
}
