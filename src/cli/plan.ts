import { PLAN_METHODS, type Plan, planContext } from "../core/config/planner/plan.ts";
import { PLAN_FORMATS, type PlanFormat, planText } from "../core/config/planner/planText.ts";
import { localize } from "../core/l10n/l10n.ts";
import { trainedLength } from "../core/measure/pairs.ts";
import type { EncodingSpec } from "../core/spec.ts";
import { ParamError } from "../core/util/errors.ts";
import { findFiles } from "./findFiles.ts";
import { type CommandResult, failure, success } from "./io.ts";
import { readModelFile } from "./readFile.ts";

export interface PlanOptions {
  readonly target: string;
  readonly trained?: string | undefined;
  readonly theta?: string | undefined;
  readonly headDim?: string | undefined;
  readonly method?: string | undefined;
  readonly format?: string | undefined;
  readonly json: boolean;
}

const FORMATS: Readonly<Record<string, PlanFormat>> = {
  v4: "transformers-4",
  v5: "transformers-5",
  vllm: "vllm",
  "llama.cpp": "llama.cpp",
};

/** `posenc plan [PATH] --target N`: parameters for a longer context, for a model's config or for numbers given. */
export async function runPlan(path: string | undefined, options: PlanOptions): Promise<CommandResult> {
  const { method, format } = options;
  if (method !== undefined && !PLAN_METHODS.some((known) => known === method))
    return failure(`--method must be one of ${PLAN_METHODS.join(", ")}, not ${method}`);
  if (format !== undefined && FORMATS[format] === undefined)
    return failure(`--format must be one of ${Object.keys(FORMATS).join(", ")}, not ${format}`);
  for (const [name, value] of Object.entries({ target: options.target, trained: options.trained }))
    if (value !== undefined && !Number.isFinite(Number(value)))
      return failure(`--${name} must be a number of tokens, not ${value}`);
  const spec = path === undefined ? undefined : await ropeOf(path);
  if (typeof spec === "string") return failure(spec);
  if (options.trained === undefined && (spec === undefined || trainedLength(spec.params) === null))
    return failure("plan needs --trained or a config with a training context");
  try {
    const plans = planContext(inputOf(spec, options)).filter((plan) => method === undefined || plan.method === method);
    return success(options.json ? json(plans, options, spec) : text(plans, options, spec));
  } catch (error) {
    if (error instanceof ParamError) return failure(error.message);
    throw error;
  }
}

/** The encoding to plan for: RoPE, of the layers that see the most. */
async function ropeOf(path: string): Promise<EncodingSpec | string> {
  const files = findFiles([path]);
  const file = files.find((found) => /(^|[\\/])config\.json$/.test(found)) ?? files[0];
  if (file === undefined) return `${path}: no model config found`;
  const { reading } = await readModelFile(file);
  if (reading.error !== null) return `${file}: ${reading.error.message}`;
  const turning = reading.specs.filter(({ encoding }) => encoding === "rope");
  const full = turning.find(({ params }) => typeof params.sliding_window !== "number");
  return full ?? turning[0] ?? `${file}: no RoPE found to plan for`;
}

function inputOf(spec: EncodingSpec | undefined, { target, trained, theta, headDim }: PlanOptions) {
  const written = (name: string) => Number(spec?.params[name] ?? Number.NaN);
  const own = spec === undefined ? undefined : (trainedLength(spec.params) ?? undefined);
  return {
    target: Number(target),
    trained: Number(trained ?? own ?? Number.NaN),
    rope_theta: Number(theta ?? (spec === undefined ? 10_000 : written("rope_theta"))),
    rotary_dim: Number(headDim ?? (spec === undefined ? 128 : written("rotary_dim"))),
  };
}

/** The sub-config that the encoding stands in: what its structural keys share but their names. */
function insideOf(spec: EncodingSpec | undefined): string | undefined {
  const place = spec?.evidence.find(({ param }) => ["num_heads", "num_layers"].includes(param))?.path[0];
  const nested = spec?.evidence.some(({ path }) => path.length > 1 && path[0] === place);
  return typeof place === "string" && nested === true ? place : undefined;
}

function written(plan: Plan, format: PlanFormat, target: string, spec: EncodingSpec | undefined): string {
  const made = planText(plan, format, Number(target), {
    inside: insideOf(spec),
    layered: spec !== undefined && spec.layers !== "all",
  });
  return "text" in made ? made.text : `(${made.unavailable})`;
}

function text(plans: readonly Plan[], { target, format }: PlanOptions, spec: EncodingSpec | undefined): string {
  const chosen = format === undefined ? undefined : FORMATS[format];
  const parts = plans.map((plan) => {
    const values = Object.entries({ ...plan.written, max_position_embeddings: plan.maxPositions }).map(
      ([name, value]) => `  ${name} = ${Array.isArray(value) ? `[${value.length} numbers]` : String(value)}`,
    );
    const body = chosen === undefined ? values : [written(plan, chosen, target, spec)];
    return [`${plan.title}  (${plan.method})`, `  ${localize(plan.note)}`, ...body].join("\n");
  });
  return `${parts.join("\n\n")}\n`;
}

function json(plans: readonly Plan[], { target }: PlanOptions, spec: EncodingSpec | undefined): string {
  const value = plans.map((plan) => ({
    method: plan.method,
    rope_parameters: plan.written,
    max_position_embeddings: plan.maxPositions,
    note: plan.note.en,
    texts: Object.fromEntries(PLAN_FORMATS.map((format) => [format, written(plan, format, target, spec)])),
  }));
  return `${JSON.stringify(value, null, 2)}\n`;
}
