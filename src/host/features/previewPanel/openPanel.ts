import { t } from "@vscode/l10n";
import { readPanelLink } from "../../../core/protocol/guards.ts";
import { withoutFiles } from "../../../core/protocol/link.ts";
import { UserError } from "../../../core/util/errors.ts";
import type { Services } from "../../services.ts";

/** A link's way into the panel. It may say what to show, but opens no file by itself. */
export async function openPanel(services: Services, link: unknown): Promise<void> {
  const state = readPanelLink(link);
  if (state === undefined) throw new UserError(t("Invalid panel link."));
  await services.panels.show({ state: withoutFiles(state), preserveFocus: false });
}
