import { encodingById } from "../../encodings/index.ts";
import type { Localized } from "../../l10n/l10n.ts";
import type { Params, ParamValue } from "../../spec.ts";
import { readHuggingFace, type StackFacts } from "../huggingface/readHuggingFace.ts";
import { TRANSFORMERS_RUN } from "../huggingface/readingView.ts";
import type { ConfigReading } from "../readConfig.ts";
import { specAsRun } from "../runs.ts";
import { readJson, withoutByteOrderMark } from "../text/json.ts";
import { Section } from "../text/section.ts";
import { llamaCpp } from "./llamaCpp.ts";
import { mlx } from "./mlx.ts";
import { RopeFile } from "./ropeFile.ts";
import {
  type ReadOutcome,
  RUNTIME_ROW_IDS,
  type Runtime,
  type RuntimeRead,
  type RuntimeRowId,
  unknown,
} from "./runtime.ts";
import { sglang } from "./sglang.ts";
import { tgi } from "./tgi.ts";
import { transformers4 } from "./transformers4.ts";
import { transformers5 } from "./transformers5.ts";
import { vllm } from "./vllm.ts";

/** The compared programs, in column order. */
export const RUNTIMES: readonly Runtime[] = [transformers4, transformers5, vllm, sglang, tgi, llamaCpp, mlx];

/** Its column is what the encodings' own `runs` are about. */
export const transformers5Id = transformers5.id;

export interface RuntimeCell {
  readonly outcome: ReadOutcome;
  /** null where the outcome is not `value`, or where the runtime has none. */
  readonly value: ParamValue;
  /** Differs from transformers 5, or is refused or ignored. */
  readonly differs: boolean;
  readonly note: Localized | null;
}

export interface RuntimeRow {
  readonly id: RuntimeRowId;
  readonly name: Localized;
  /** One per column. */
  readonly cells: readonly RuntimeCell[];
}

export interface RuntimeColumn {
  readonly id: string;
  readonly name: string;
  /** Release or commit of the source that was checked, and where it is. */
  readonly version: string;
  readonly source: string;
}

/** What each runtime reads for one RoPE encoding of a file. */
export interface RuntimeTable {
  /** Index of the encoding in the reading. */
  readonly spec: number;
  readonly columns: readonly RuntimeColumn[];
  readonly rows: readonly RuntimeRow[];
}

const RUNTIME_ROW_NAMES: Readonly<Record<RuntimeRowId, Localized>> = {
  rope_theta: { en: "base θ", zh: "底数 θ" },
  rope_type: { en: "scaling type", zh: "缩放类型" },
  factor: { en: "factor", zh: "倍数" },
  original_max_position_embeddings: { en: "training context", zh: "训练上下文" },
  attention_factor: { en: "attention factor", zh: "注意力系数" },
  truncate: { en: "YaRN bounds rounded", zh: "YaRN 边界取整" },
  rotary_dim: { en: "rotary dimension", zh: "旋转维数" },
  layout: { en: "pair layout", zh: "配对方式" },
  sliding_window: { en: "sliding window", zh: "滑动窗口" },
  context: { en: "context length", zh: "上下文长度" },
};

/** Rows that are only shown if the file has the key. */
const ONLY_IF_SET: ReadonlySet<RuntimeRowId> = new Set(["attention_factor", "truncate", "sliding_window"]);

/**
 * What transformers 4 and 5, vLLM, SGLang, TGI, llama.cpp and MLX read from a Hugging Face `config.json`: one table for
 * each of its RoPE and M-RoPE encodings; empty for other formats and encodings. Facts apply to the versions in the
 * columns; the rest is marked as unknown.
 * @param text of the file
 * @param reading of the same text
 */
export function buildRuntimeTables(text: string, reading: ConfigReading): readonly RuntimeTable[] {
  const root = reading.format === "hf-config" ? Section.root(readJson(withoutByteOrderMark(text))) : undefined;
  if (root === undefined) return [];
  const stacks: StackFacts[] = [];
  readHuggingFace(root, { report: () => {}, collectStack: (facts) => void stacks.push(facts), ignore: () => {} });
  const tables = stacks.flatMap(({ attributes, stack, specs }) =>
    specs.flatMap((own) => {
      const spec = reading.specs.findIndex((declared) => {
        const { params, layers, encoding } = specAsRun(declared, TRANSFORMERS_RUN);
        return same([encoding, layers, sorted(params)], [own.encoding, own.layers, sorted(own.params)]);
      });
      const rotary = encodingById(own.encoding)?.rotation?.scalable === true;
      return rotary && spec >= 0 ? [buildRuntimeTable(new RopeFile(attributes, stack, own), spec)] : [];
    }),
  );
  return tables.filter(({ spec }, i) => tables.findIndex((other) => other.spec === spec) === i);
}

/** Without absent values, in an order that does not depend on the reading. */
function sorted(params: Params): unknown {
  return Object.entries(params)
    .filter(([, value]) => value !== null)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function buildRuntimeTable(file: RopeFile, spec: number): RuntimeTable {
  const columns = RUNTIMES.map(({ id, name, version, source }) => ({ id, name, version, source }));
  const rows = RUNTIME_ROW_IDS.map((id) => buildRuntimeRow(file, id)).filter(({ id, cells }) =>
    isWorthShowing(file, id, cells),
  );
  return { spec, columns, rows };
}

function buildRuntimeRow(file: RopeFile, id: RuntimeRowId): RuntimeRow {
  const reads = RUNTIMES.map((runtime) => runtime.reads[id]?.(file) ?? unknown());
  const reference = reads[RUNTIMES.indexOf(transformers5)]?.value ?? null;
  return {
    id,
    name: RUNTIME_ROW_NAMES[id],
    cells: reads.map((read) => ({ ...read, differs: differs(read, reference) })),
  };
}

function differs({ outcome, value }: RuntimeRead, reference: ParamValue): boolean {
  if (outcome === "unknown") return false;
  return outcome !== "value" || !same(value, reference);
}

function isWorthShowing(file: RopeFile, id: RuntimeRowId, cells: readonly RuntimeCell[]): boolean {
  if (ONLY_IF_SET.has(id) && (file.param(id) === null || file.spec.sources[id] === "default")) return false;
  return cells.some(({ outcome, value }) => outcome === "ignored" || outcome === "refused" || value !== null);
}
