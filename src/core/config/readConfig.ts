import { t } from "@vscode/l10n";
import type { EncodingSpec } from "../spec.ts";
import type { FileFormat } from "./formats.ts";
import { configSpecs, type Listener, type StackFacts } from "./huggingface/readHuggingFace.ts";
import type { ConfigProblem } from "./problems.ts";
import { type JsonFormat, recognise } from "./recognise.ts";
import { checkRules } from "./rules/index.ts";
import type { GgufSibling, Siblings } from "./rules/rule.ts";
import { decodeText, type ReadError, readJson, withoutMark } from "./text/json.ts";
import { Section } from "./text/section.ts";
import { deepseekSpecs } from "./vendors/deepseek.ts";
import { metaSpecs } from "./vendors/meta.ts";
import { mistralSpecs } from "./vendors/mistral.ts";
import { openaiSpecs } from "./vendors/openai.ts";
import { originalBertSpecs } from "./vendors/originalBert.ts";

/** Everything that a config file says about position encodings, and what stood in the way of reading it. */
export interface ConfigReading {
  readonly format: FileFormat;
  readonly modelType: string | null;
  readonly specs: readonly EncodingSpec[];
  readonly problems: readonly ConfigProblem[];
  /** The file as a whole could not be read as what it is; `specs` holds what could. */
  readonly error: ReadError | null;
}

/** JSON beyond this is not read (characters of text, bytes of a file). */
export const MAX_JSON_SIZE = 32 * 1024 * 1024;

/** What a clone without Git LFS has in the place of large files. */
const LFS_POINTER = "version https://git-lfs.github.com/spec/";

type Reader = (
  section: Section,
  listener: Listener,
) => {
  readonly modelType: string | null;
  readonly specs: EncodingSpec[];
};

const READERS: Readonly<Record<Exclude<JsonFormat, "unknown">, Reader>> = {
  "hf-config": configSpecs,
  "meta-params": (section, { report }) => metaSpecs(section, report),
  "mistral-params": (section, { report }) => mistralSpecs(section, report),
  "openai-params": (section, { report }) => openaiSpecs(section, report),
  "original-bert": (section, { report }) => originalBertSpecs(section, report),
  "deepseek-inference": (section, { report }) => deepseekSpecs(section, report),
};

/** Texts of files of the same folder that say something about lengths too; asked for only where it matters. */
export interface SiblingTexts {
  /** tokenizer_config.json */
  readonly tokenizer?: () => string | undefined;
  /** generation_config.json */
  readonly generation?: () => string | undefined;
  /** GGUF files of the folder, already read. */
  readonly gguf?: readonly GgufSibling[];
}

/**
 * Reads a model's JSON configuration, whatever its name. Never throws: comments, trailing commas, NaN, cut-off files
 * and values of the wrong kind are read around, and said.
 */
export function readConfig(source: string | Uint8Array, siblings: SiblingTexts = {}): ConfigReading {
  if (source.length > MAX_JSON_SIZE) return unread(t("not read: larger than {0} MB", MAX_JSON_SIZE / 1024 / 1024));
  const text = typeof source === "string" ? withoutMark(source) : decodeText(source);
  if (text.startsWith(LFS_POINTER)) return unread(t("Git LFS pointer: the file content has not been downloaded"));
  const document = readJson(text);
  const section = Section.root(document);
  if (section === undefined) return { ...unread(""), error: document.error };
  const format = recognise(section);
  // JSON of another kind (a tokenizer's, a diffusion network's) reads well and says nothing about positions.
  if (format === "unknown") return { ...unread(""), error: document.error };
  const problems = new Map<string, ConfigProblem>();
  const stacks: StackFacts[] = [];
  const report = (problem: ConfigProblem) => void problems.set(`${problem.rule} ${problem.path.join(" ")}`, problem);
  const { modelType, specs } = READERS[format](section, { report, collect: (facts) => void stacks.push(facts) });
  for (const problem of checkRules({ format, root: section, specs, stacks, siblings: siblingSections(siblings) }))
    report(problem);
  return { format, modelType, specs, problems: [...problems.values()].sort(byPlace), error: document.error };
}

function siblingSections({ tokenizer, generation, gguf = [] }: SiblingTexts): Siblings {
  return { tokenizer: () => sectionOf(tokenizer?.()), generation: () => sectionOf(generation?.()), gguf };
}

function sectionOf(text: string | undefined): Section | undefined {
  return text === undefined ? undefined : Section.root(readJson(withoutMark(text)));
}

function byPlace({ range: { start: a } }: ConfigProblem, { range: { start: b } }: ConfigProblem): number {
  return a.line - b.line || a.column - b.column;
}

function unread(message: string): ConfigReading {
  return { format: "unknown", modelType: null, specs: [], problems: [], error: { message, line: 1, column: 1 } };
}

/** Cheap look whether a JSON text is a model's configuration: for lenses and for `*config*.json` in folders. */
export function looksLikeModelConfig(text: string): boolean {
  const head = text.length > 200_000 ? text.slice(0, 200_000) : text;
  if (
    !/"(?:model_type|architectures|num_attention_heads|n_heads?|num_heads|rope_theta|rope_scaling|text_config|max_position_embeddings)"\s*:/.test(
      head,
    )
  )
    return false;
  const section = Section.root(readJson(withoutMark(head)));
  return section !== undefined && recognise(section) !== "unknown";
}
