import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ParamError, UserError } from "../../core/util/errors.ts";

/** The one place that shows errors: what the user can act on as it is, the rest with a way to the log. */
export function reportFailure(log: vscode.LogOutputChannel, doing: string, error: unknown): void {
  log.error(doing, error instanceof Error ? error : String(error));
  if (error instanceof UserError || error instanceof ParamError) {
    void vscode.window.showErrorMessage(error.message);
    return;
  }
  const reason = error instanceof Error ? error.message : String(error);
  const showLog = t("Show Log");
  void Promise.resolve(vscode.window.showErrorMessage(t("Operation failed: {0}", reason), showLog)).then((chosen) => {
    if (chosen === showLog) log.show();
  });
}
