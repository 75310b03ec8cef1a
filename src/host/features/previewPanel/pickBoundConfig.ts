import { t } from "@vscode/l10n";
import type { BoundConfig } from "../../../core/protocol/messages.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { pickConfig } from "../../platform/pickConfig.ts";
import type { Services } from "../../services.ts";
import { toConfigFindings } from "./configFindings.ts";

/** Asks which config of the workspace to compare with, and reads it. */
export async function pickBoundConfig(services: Services): Promise<{ config: BoundConfig | null }> {
  const uri = await pickConfig(t("Compare with Config"), t("Select a model"));
  if (uri === undefined) return { config: null };
  const { reading, version } = await services.configs.read(uri);
  const title = configTitle(uri);
  if (reading.specs.length === 0) throw new Error(t("No position encoding found in {0}.", title));
  const findings = toConfigFindings(await services.rules.applySeverities(uri, reading.problems));
  return { config: { uri: uri.toString(), title, version, specs: [...reading.specs], ...findings } };
}
