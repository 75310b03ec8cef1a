import * as l10n from "@vscode/l10n";
import { readPanelLink } from "../../../core/protocol/guards.ts";
import { withoutFiles } from "../../../core/protocol/link.ts";
import { UserError } from "../../../core/util/errors.ts";
import type { Services } from "../../services.ts";

/** Opens the panel from a link. A link chooses what to show, but cannot open files. */
export async function openPanel(services: Services, link: unknown): Promise<void> {
  const state = readPanelLink(link);
  if (state === undefined) throw new UserError(l10n.t("Invalid panel link."));
  await services.panels.show({ state: withoutFiles(state), preserveFocus: false });
}
