import { RULES } from "../../../src/core/config/rules/index.ts";
import { ENCODINGS } from "../../../src/core/encodings/index.ts";
import { CODE_RULES } from "../../../src/core/python/diagnostics/index.ts";
import { encodingsPage } from "./encodingsPage.ts";
import { rulesPage } from "./rulesPage.ts";
import { ropeSchema, settingsSchema } from "./schemas.ts";

/** Pages of `docs/` generated from the code, by file name. */
export const GENERATED_PAGES: Readonly<Record<string, () => string>> = {
  "encodings.md": () => encodingsPage(ENCODINGS, "en"),
  "encodings.zh-CN.md": () => encodingsPage(ENCODINGS, "zh"),
  "rules.md": () => rulesPage(RULES, CODE_RULES, "en"),
  "rules.zh-CN.md": () => rulesPage(RULES, CODE_RULES, "zh"),
  "posenc.schema.json": () => settingsSchema([...RULES, ...CODE_RULES]),
  "rope-parameters.schema.json": ropeSchema,
};
