import * as l10n from "@vscode/l10n";
import { ConfigAttributes } from "../core/config/huggingface/attributes.ts";
import { findModelType, type ModelType } from "../core/config/huggingface/modelTypes.ts";
import { readConfig } from "../core/config/readConfig.ts";
import { readJson, withoutByteOrderMark } from "../core/config/text/json.ts";
import { Section } from "../core/config/text/section.ts";
import type { Params } from "../core/spec.ts";
import { UserError } from "../core/util/errors.ts";
import { FamilyConfig } from "./families/familyConfig.ts";
import { findFamily } from "./families/index.ts";
import type { ModelSpec } from "./modelSpec.ts";
import { applyOverrides } from "./overrides.ts";
import { describeUnsupported } from "./unsupported.ts";

/**
 * Describes the model of a `config.json`.
 * @param overrides parameters of the encoding to use instead of the config's
 * @throws UserError for a config that cannot be read and for models that are not supported, by name
 * @throws ParamError for an override that the encoding does not have or allow
 */
export function describeModel(configText: string, overrides: Params): ModelSpec {
  const text = withoutByteOrderMark(configText);
  const reading = readConfig(text);
  if (reading.error !== null) throw new UserError(`config.json: ${reading.error.message}`);
  const root = Section.root(readJson(text));
  if (root === undefined || reading.format !== "hf-config")
    throw new UserError(l10n.t("config.json: not a configuration of the transformers library"));
  const { modelType, section, type } = resolveText(root, reading.modelType);
  const family = findFamily(modelType);
  if (family === undefined) throw new UserError(describeUnsupported(modelType, section));
  const attributes = new ConfigAttributes({
    section,
    type,
    typeName: modelType,
    confidence: "checked",
    report: () => undefined,
  });
  return family.describe(new FamilyConfig(modelType, attributes, applyOverrides(reading.specs, overrides)));
}

interface TextModel {
  readonly modelType: string;
  readonly section: Section;
  readonly type: ModelType;
}

/** The language model: the file itself, or its `text_config`. */
function resolveText(root: Section, modelType: string | null): TextModel {
  const nested = root.section("text_config");
  const name = nested?.string("model_type") ?? nestedType(modelType, nested) ?? modelType;
  if (name === null || name === undefined) throw new UserError(l10n.t("config.json: model_type is missing"));
  return { modelType: name, section: nested ?? root, type: findModelType(name) ?? { stacks: [] } };
}

/** The type that the parent's class uses for a `text_config` without one. */
function nestedType(modelType: string | null, nested: Section | undefined): string | undefined {
  if (nested === undefined || modelType === null) return undefined;
  return findModelType(modelType)?.stacks.find(({ key }) => key === "text_config")?.reference;
}
