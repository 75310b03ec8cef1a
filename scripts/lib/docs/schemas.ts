import { SCALING_TYPES } from "../../../src/core/completion/ropeSnippets.ts";
import type { ConfigProblem } from "../../../src/core/config/problems.ts";
import { ROPE_TYPE_KEYS } from "../../../src/core/config/rules/support/ropeKeys.ts";
import type { Parameter } from "../../../src/core/encodings/encoding.ts";
import { ropeParameters } from "../../../src/core/encodings/rope/parameters.ts";
import type { Localized } from "../../../src/core/l10n/l10n.ts";

const DRAFT = "http://json-schema.org/draft-07/schema#";

interface DocumentedRule {
  readonly id: string;
  readonly severity: ConfigProblem["severity"];
  readonly title: Pick<Localized, "en">;
}

/** Findings of the readers themselves, which are not in the table of rules. */
const READER_FINDINGS: readonly DocumentedRule[] = [
  {
    id: "config/missing-value",
    severity: "error",
    title: { en: "Required key is missing" },
  },
  { id: "config/wrong-type", severity: "error", title: { en: "Required key has a value of the wrong type" } },
  { id: "config/duplicate-key", severity: "warning", title: { en: "Key occurs more than once in an object" } },
  { id: "config/too-large", severity: "error", title: { en: "Size is larger than any model has" } },
  { id: "config/unread-position-key", severity: "info", title: { en: "Key about positions is not read" } },
  { id: "config/too-many", severity: "error", title: { en: "More findings than are listed" } },
];

/** The schema of `.posenc.json`: severities of all rules, and ignored files. */
export function settingsSchema(rules: readonly DocumentedRule[]): string {
  const severities = ["off", "info", "warning", "error"];
  const all = [...READER_FINDINGS, ...rules].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const groups = [...new Set(all.map(({ id }) => id.replace(/\/.*/, "")))];
  const group = (name: string) => [`${name}/*`, { enum: severities, description: `All rules of the group ${name}.` }];
  const rule = ({ id, severity, title }: DocumentedRule) => [
    id,
    { enum: severities, default: severity, description: `${title.en}. Default: ${severity}.` },
  ];
  return formatJson({
    $schema: DRAFT,
    title: "Posenc project settings",
    description: "Read by the editor and the command line from the nearest parent folder.",
    type: "object",
    properties: {
      $schema: { type: "string" },
      rules: {
        description: "Severity by rule.",
        type: "object",
        properties: Object.fromEntries([...groups.map(group), ...all.map(rule)]),
        additionalProperties: false,
      },
      ignore: {
        description: "Globs of files to ignore, relative to this file.",
        type: "array",
        items: { type: "string" },
        default: [],
      },
    },
    additionalProperties: false,
  });
}

/** The schema of a RoPE dictionary of transformers 5 (`rope_scaling`, `rope_parameters`), for other tools. */
export function ropeSchema(): string {
  const names = [
    ...new Set(Object.values(ROPE_TYPE_KEYS).flatMap(({ required, optional }) => [...required, ...optional])),
  ];
  const described = ["rope_theta", "partial_rotary_factor", ...names].map((name) => [name, parameterSchema(name)]);
  return formatJson({
    $schema: DRAFT,
    title: "RoPE parameters in transformers 5",
    description: "The value of rope_scaling or rope_parameters: one dictionary, or one per layer type.",
    definitions: {
      parameters: {
        type: "object",
        properties: {
          rope_type: { enum: SCALING_TYPES, default: "default", description: parameterHelp("rope_type") },
          ...Object.fromEntries(described),
        },
        allOf: SCALING_TYPES.map(schemaRequirement).filter(({ then }) => then.required.length > 0),
      },
    },
    anyOf: [
      { $ref: "#/definitions/parameters" },
      {
        type: "object",
        propertyNames: { pattern: "attention$|^main$|^compress$" },
        additionalProperties: { anyOf: [{ $ref: "#/definitions/parameters" }, { type: "null" }] },
      },
      { type: "null" },
    ],
  });
}

function schemaRequirement(type: string) {
  return {
    if: { properties: { rope_type: { const: type } }, required: ["rope_type"] },
    // Not required if transformers fills it in.
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      required: (ROPE_TYPE_KEYS[type]?.required ?? []).filter((key) => key !== "original_max_position_embeddings"),
    },
  };
}

function ropeParameter(name: string): Parameter | undefined {
  return ropeParameters.find((parameter) => parameter.name === name);
}

function parameterHelp(name: string): string {
  return ropeParameter(name)?.help.en ?? "";
}

function parameterSchema(name: string): Record<string, unknown> {
  const parameter = ropeParameter(name);
  if (parameter === undefined) throw new Error(`no parameter of RoPE is called ${name}`);
  const { kind, above, min, max, default: fallback } = parameter;
  const number = { type: kind, ...(above === undefined ? {} : { exclusiveMinimum: above }), ...numberBounds(min, max) };
  const value =
    kind === "boolean"
      ? { type: "boolean" }
      : kind === "numbers"
        ? { type: "array", items: { type: "number" } }
        : number;
  return { ...value, ...(fallback === null ? {} : { default: fallback }), description: parameter.help.en };
}

function numberBounds(minimum: number | undefined, maximum: number | undefined): Record<string, number> {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
