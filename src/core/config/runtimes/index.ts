import type { Localized } from "../../l10n/l10n.ts";
import type { ParamValue } from "../../spec.ts";
import { configSpecs, type StackFacts } from "../huggingface/readHuggingFace.ts";
import type { ConfigReading } from "../readConfig.ts";
import { readJson, withoutMark } from "../text/json.ts";
import { Section } from "../text/section.ts";
import { llamaCpp } from "./llamaCpp.ts";
import { mlx } from "./mlx.ts";
import { RopeFile } from "./ropeFile.ts";
import { type Fate, type Read, ROW_IDS, type RowId, type Runtime, unknown } from "./runtime.ts";
import { sglang } from "./sglang.ts";
import { tgi } from "./tgi.ts";
import { transformers4 } from "./transformers4.ts";
import { transformers5 } from "./transformers5.ts";
import { vllm } from "./vllm.ts";

/** The programs that are compared, in the order of the columns. */
export const RUNTIMES: readonly Runtime[] = [transformers4, transformers5, vllm, sglang, tgi, llamaCpp, mlx];

export interface RuntimeCell {
  readonly fate: Fate;
  /** null where the fate is not `value`, or where the runtime has none. */
  readonly value: ParamValue;
  /** Another value than transformers 5 has, or none at all. */
  readonly differs: boolean;
  readonly note: Localized | null;
}

export interface RuntimeRow {
  readonly id: RowId;
  readonly name: Localized;
  /** One for each column. */
  readonly cells: readonly RuntimeCell[];
}

export interface RuntimeColumn {
  readonly id: string;
  readonly name: string;
  /** Release or commit whose source was read, and where it stands. */
  readonly version: string;
  readonly source: string;
}

/** What each runtime reads of one rotary encoding of a file. */
export interface RuntimeTable {
  /** Index of the encoding among those of the reading. */
  readonly spec: number;
  readonly columns: readonly RuntimeColumn[];
  readonly rows: readonly RuntimeRow[];
}

const ROW_NAMES: Readonly<Record<RowId, Localized>> = {
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

/** Rows that say nothing unless the file has the key. */
const ONLY_IF_SET: ReadonlySet<RowId> = new Set(["attention_factor", "truncate", "sliding_window"]);

/**
 * What transformers 4 and 5, vLLM, SGLang, TGI, llama.cpp and MLX read from a Hugging Face `config.json`, one table for
 * each of its RoPE and M-RoPE encodings; empty for other formats and encodings. Facts are of the versions named in the
 * columns; what is not known is said to be unknown.
 * @param text of the file
 * @param reading of this very text
 */
export function runtimeTables(text: string, reading: ConfigReading): readonly RuntimeTable[] {
  const root = reading.format === "hf-config" ? Section.root(readJson(withoutMark(text))) : undefined;
  if (root === undefined) return [];
  const stacks: StackFacts[] = [];
  configSpecs(root, { report: () => {}, collect: (facts) => void stacks.push(facts) });
  const tables = stacks.flatMap(({ attributes, stack, specs }) =>
    specs.flatMap((own) => {
      const spec = reading.specs.findIndex(({ params, layers, encoding }) =>
        same([params, layers, encoding], [own.params, own.layers, own.encoding]),
      );
      const rotary = own.encoding === "rope" || own.encoding === "mrope";
      return rotary && spec >= 0 ? [tableOf(new RopeFile(attributes, stack, own), spec)] : [];
    }),
  );
  return tables.filter(({ spec }, i) => tables.findIndex((other) => other.spec === spec) === i);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function tableOf(file: RopeFile, spec: number): RuntimeTable {
  const columns = RUNTIMES.map(({ id, name, version, source }) => ({ id, name, version, source }));
  const rows = ROW_IDS.map((id) => rowOf(file, id)).filter(({ id, cells }) => speaks(file, id, cells));
  return { spec, columns, rows };
}

function rowOf(file: RopeFile, id: RowId): RuntimeRow {
  const reads = RUNTIMES.map((runtime) => runtime.reads[id]?.(file) ?? unknown());
  const reference = reads[RUNTIMES.indexOf(transformers5)]?.value ?? null;
  return { id, name: ROW_NAMES[id], cells: reads.map((read) => ({ ...read, differs: differs(read, reference) })) };
}

function differs({ fate, value }: Read, reference: ParamValue): boolean {
  if (fate === "unknown") return false;
  return fate !== "value" || !same(value, reference);
}

function speaks(file: RopeFile, id: RowId, cells: readonly RuntimeCell[]): boolean {
  if (ONLY_IF_SET.has(id) && (file.param(id) === null || file.spec.sources[id] === "default")) return false;
  return cells.some(({ fate, value }) => fate === "ignored" || fate === "refused" || value !== null);
}
