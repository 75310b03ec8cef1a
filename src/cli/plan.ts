import { type ContextPlan, PLAN_METHODS, planLongerContext } from "../core/config/planner/plan.ts";
import { formatPlan, PLAN_FORMATS, type PlanFormat } from "../core/config/planner/planText.ts";
import { localize } from "../core/l10n/l10n.ts";
import { configuredTrainingContext } from "../core/measure/trainingContext.ts";
import type { EncodingSpec } from "../core/spec.ts";
import { ParamError } from "../core/util/errors.ts";
import { ownValue } from "../core/util/ownValue.ts";
import { findFiles } from "./findFiles.ts";
import { type CommandResult, failure, success } from "./io.ts";
import { formatJson, joinLines } from "./output.ts";
import { readModelFile, whyUnusable } from "./readFile.ts";

export interface PlanCommandOptions {
  readonly target: string;
  readonly trained?: string | undefined;
  readonly theta?: string | undefined;
  readonly headDim?: string | undefined;
  readonly method?: string | undefined;
  readonly format?: string | undefined;
  readonly json: boolean;
}

const PLAN_FORMAT_ALIASES: Readonly<Record<string, PlanFormat>> = {
  v4: "transformers-4",
  v5: "transformers-5",
  vllm: "vllm",
  "llama.cpp": "llama.cpp",
};

/** `posenc plan [PATH] --target N`: RoPE parameters for a longer context, from a model's config or from options. */
export async function runPlan(path: string | undefined, options: PlanCommandOptions): Promise<CommandResult> {
  const { method, format } = options;
  if (method !== undefined && !PLAN_METHODS.some((known) => known === method))
    return failure(`--method must be one of ${PLAN_METHODS.join(", ")}, not ${method}`);
  if (format !== undefined && ownValue(PLAN_FORMAT_ALIASES, format) === undefined)
    return failure(`--format must be one of ${Object.keys(PLAN_FORMAT_ALIASES).join(", ")}, not ${format}`);
  for (const [name, value] of Object.entries({ target: options.target, trained: options.trained }))
    if (value !== undefined && !Number.isFinite(Number(value)))
      return failure(`--${name} must be a number of tokens, not ${value}`);
  const spec = path === undefined ? undefined : await findRopeSpec(path);
  if (typeof spec === "string") return failure(spec);
  if (options.trained === undefined && (spec === undefined || configuredTrainingContext(spec.params) === null))
    return failure("plan needs --trained or a config with a training context");
  try {
    const plans = planLongerContext(buildPlanInput(spec, options)).filter(
      (plan) => method === undefined || plan.method === method,
    );
    return success(options.json ? formatPlansJson(plans, options, spec) : formatText(plans, options, spec));
  } catch (error) {
    if (error instanceof ParamError) return failure(error.message);
    throw error;
  }
}

/** The RoPE encoding to plan for: that of layers without a window, if there is one. */
async function findRopeSpec(path: string): Promise<EncodingSpec | string> {
  const files = findFiles([path]);
  const file = files.find((found) => /(^|[\\/])config\.json$/.test(found)) ?? files[0];
  if (file === undefined) return `${path}: no model config found`;
  const found = await readModelFile(file);
  const problem = whyUnusable(found);
  if (problem !== undefined) return problem;
  const { reading } = found;
  const turning = reading.specs.filter(({ encoding }) => encoding === "rope");
  const full = turning.find(({ params }) => typeof params.sliding_window !== "number");
  return full ?? turning[0] ?? `${file}: no RoPE found to plan for`;
}

function buildPlanInput(spec: EncodingSpec | undefined, { target, trained, theta, headDim }: PlanCommandOptions) {
  const written = (name: string) => Number(spec?.params[name] ?? Number.NaN);
  const own = spec === undefined ? undefined : (configuredTrainingContext(spec.params) ?? undefined);
  return {
    targetContext: Number(target),
    trainingContext: Number(trained ?? own ?? Number.NaN),
    rope_theta: Number(theta ?? (spec === undefined ? 10_000 : written("rope_theta"))),
    rotary_dim: Number(headDim ?? (spec === undefined ? 128 : written("rotary_dim"))),
  };
}

/** The key of the sub-config that contains the encoding's structural keys (`text_config`), if any. */
function findSubConfig(spec: EncodingSpec | undefined): string | undefined {
  const place = spec?.evidence.find(({ param }) => ["num_heads", "num_layers"].includes(param))?.path[0];
  const nested = spec?.evidence.some(({ path }) => path.length > 1 && path[0] === place);
  return typeof place === "string" && nested === true ? place : undefined;
}

function formatPlanText(plan: ContextPlan, format: PlanFormat, target: string, spec: EncodingSpec | undefined): string {
  const made = formatPlan(plan, format, Number(target), {
    subConfig: findSubConfig(spec),
    isLayered: spec !== undefined && spec.layers !== "all",
  });
  return "text" in made ? made.text : `(${made.unavailable})`;
}

function formatText(
  plans: readonly ContextPlan[],
  { target, format }: PlanCommandOptions,
  spec: EncodingSpec | undefined,
): string {
  const chosen = format === undefined ? undefined : ownValue(PLAN_FORMAT_ALIASES, format);
  const parts = plans.map((plan) => {
    const values = Object.entries({ ...plan.ropeParameters, max_position_embeddings: plan.maxPositionEmbeddings }).map(
      ([name, value]) => `  ${name} = ${Array.isArray(value) ? `[${value.length} numbers]` : String(value)}`,
    );
    const body = chosen === undefined ? values : [formatPlanText(plan, chosen, target, spec)];
    return [`${plan.title}  (${plan.method})`, `  ${localize(plan.note)}`, ...body].join("\n");
  });
  return joinLines(parts.join("\n\n").split("\n"));
}

function formatPlansJson(
  plans: readonly ContextPlan[],
  { target }: PlanCommandOptions,
  spec: EncodingSpec | undefined,
): string {
  const value = plans.map((plan) => ({
    method: plan.method,
    rope_parameters: plan.ropeParameters,
    max_position_embeddings: plan.maxPositionEmbeddings,
    note: plan.note.en,
    texts: Object.fromEntries(PLAN_FORMATS.map((format) => [format, formatPlanText(plan, format, target, spec)])),
  }));
  return formatJson(value, 2);
}
