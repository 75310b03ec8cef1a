import * as l10n from "@vscode/l10n";
import type { EncodingSpec } from "../spec.ts";
import { Budget } from "../util/budget.ts";
import { reportDuplicateKeys } from "./duplicateKeys.ts";
import type { FileFormat } from "./formats.ts";
import { mayBeFrameworkFile, readFrameworkFile, recogniseFramework } from "./frameworks/readFramework.ts";
import { findModelType } from "./huggingface/modelTypes.ts";
import { type ReadingSink, readHuggingFace, type StackFacts } from "./huggingface/readHuggingFace.ts";
import { accountForKeys, type ReadSpecs } from "./positionKeys/accountForKeys.ts";
import type { IgnoredKey } from "./positionKeys/ignoredKey.ts";
import { listPositionKeys } from "./positionKeys/positionKey.ts";
import type { ConfigProblem } from "./problems.ts";
import { type JsonFormat, recogniseFormat } from "./recognise.ts";
import { checkRules } from "./rules/index.ts";
import type { GgufSibling, Siblings } from "./rules/rule.ts";
import { limitSizes, ProblemList } from "./sizeLimits.ts";
import { decodeText, type ReadError, readJson, withoutByteOrderMark } from "./text/json.ts";
import { Section } from "./text/section.ts";
import { readDeepseekSpecs } from "./vendors/deepseek.ts";
import { readDiffusersSpecs } from "./vendors/diffusers.ts";
import { readMeshTransformerSpecs } from "./vendors/meshTransformer.ts";
import { readMetaSpecs } from "./vendors/meta.ts";
import { readMistralSpecs } from "./vendors/mistral.ts";
import { readOpenaiSpecs } from "./vendors/openai.ts";
import { readOpenClipSpecs } from "./vendors/openClip.ts";
import { readOriginalBertSpecs } from "./vendors/originalBert.ts";
import { readStableAudioSpecs } from "./vendors/stableAudio.ts";
import { readTencentPretrainSpecs } from "./vendors/tencentPretrain.ts";
import { readTimmConfig } from "./vendors/timm.ts";

/** The position encodings of a config file, and the problems found while reading it. */
export interface ConfigReading {
  readonly format: FileFormat;
  readonly modelType: string | null;
  readonly specs: readonly EncodingSpec[];
  readonly problems: readonly ConfigProblem[];
  /** Keys that speak of positions and have no effect on them, each with the reason. */
  readonly ignored: readonly IgnoredKey[];
  /** Set if the file could not be parsed completely; `specs` has the encodings that could be read. */
  readonly error: ReadError | null;
}

/** Larger JSON is not read (characters of text, bytes of a file). */
export const MAX_JSON_SIZE = 16 * 1024 * 1024;

/** Start of the file that a clone without Git LFS has in place of a large one. */
const LFS_POINTER_START = "version https://git-lfs.github.com/spec/";

type FormatReader = (
  section: Section,
  sink: ReadingSink,
) => {
  readonly modelType: string | null;
  readonly specs: EncodingSpec[];
};

const FORMAT_READERS: Readonly<Record<Exclude<JsonFormat, "unknown">, FormatReader>> = {
  "hf-config": readHuggingFace,
  "meta-params": (section, { report }) => readMetaSpecs(section, report),
  "mistral-params": (section, { report }) => readMistralSpecs(section, report),
  "openai-params": (section, { report }) => readOpenaiSpecs(section, report),
  "original-bert": (section, { report }) => readOriginalBertSpecs(section, report),
  "deepseek-inference": (section, { report }) => readDeepseekSpecs(section, report),
  "diffusers-config": (section, { report }) => readDiffusersSpecs(section, report),
  "open-clip-config": (section, { report }) => readOpenClipSpecs(section, report),
  "timm-config": (section) => readTimmConfig(section),
  "tencentpretrain-config": (section, { report }) => readTencentPretrainSpecs(section, report),
  "mesh-transformer-config": (section, { report }) => readMeshTransformerSpecs(section, report),
  "stable-audio-config": (section, { report }) => readStableAudioSpecs(section, report),
};

/** Texts of other files in the folder that also state lengths; read only if needed. */
export interface SiblingTexts {
  /** tokenizer_config.json */
  readonly tokenizer?: () => string | undefined;
  /** generation_config.json */
  readonly generation?: () => string | undefined;
  /** GGUF files in the folder, already read. */
  readonly gguf?: readonly GgufSibling[];
}

/**
 * Reads a model's JSON configuration, whatever its file name. Never throws: comments, trailing commas, NaN, truncated
 * files and values of the wrong type are tolerated and reported; a file beyond its budget is unreadable.
 */
export function readConfig(
  source: string | Uint8Array,
  siblings: SiblingTexts = {},
  budget = new Budget(),
): ConfigReading {
  if (source.length > MAX_JSON_SIZE)
    return failedReading(l10n.t("not read: larger than {0} MB", MAX_JSON_SIZE / 1024 / 1024));
  const text = typeof source === "string" ? withoutByteOrderMark(source) : decodeText(source);
  if (text.startsWith(LFS_POINTER_START))
    return failedReading(l10n.t("Git LFS pointer: the file content has not been downloaded"));
  const document = readJson(text, budget);
  const section = Section.root(document);
  if (section === undefined) return { ...failedReading(""), error: document.error };
  const framework = isKnownType(section) ? undefined : readFrameworkFile(document, section);
  if (framework !== undefined) return framework;
  const format = recogniseFormat(section);
  // JSON of another kind (a tokenizer's, a diffusion model's) is valid but has no position encodings.
  if (format === "unknown") return { ...failedReading(""), error: document.error };
  const problems = new ProblemList();
  const stacks: StackFacts[] = [];
  const ignored: IgnoredKey[] = [];
  const report = (problem: ConfigProblem) => problems.add(problem);
  section.forgetReads();
  const { modelType, specs: read } = FORMAT_READERS[format](section, {
    report,
    collectStack: (facts) => void stacks.push(facts),
    ignore: (key) => void ignored.push(key),
  });
  const keys = listPositionKeys(section);
  const specs = limitSizes(read, report);
  for (const problem of checkRules({ format, root: section, specs, stacks, siblings: parseSiblings(siblings) }))
    report(problem);
  // After the findings of the rules, which a flood of others must not displace.
  const file = { document, root: section, keys, specs: read, problems: problems.list(), ignored };
  const accounted = accountForKeys({ ...file, name: modelType ?? format, read: readSpecsAs(format) }, report);
  reportDuplicateKeys(document, report);
  return { format, modelType, specs, problems: problems.list(), ignored: accounted, error: document.error };
}

function isKnownType(section: Section): boolean {
  return findModelType(section.string("model_type") ?? "") !== undefined;
}

/** Reads only the encodings. */
function readSpecsAs(format: Exclude<JsonFormat, "unknown">): ReadSpecs {
  return (section, report) =>
    FORMAT_READERS[format](section, { report, collectStack: () => {}, ignore: () => {} }).specs;
}

function parseSiblings({ tokenizer, generation, gguf = [] }: SiblingTexts): Siblings {
  return { tokenizer: () => parseSection(tokenizer?.()), generation: () => parseSection(generation?.()), gguf };
}

function parseSection(text: string | undefined): Section | undefined {
  return text === undefined ? undefined : Section.root(readJson(withoutByteOrderMark(text)));
}

export function failedReading(message: string): ConfigReading {
  const error = { message, line: 1, column: 1 };
  return { format: "unknown", modelType: null, specs: [], problems: [], ignored: [], error };
}

/** Cheap check whether a JSON text is a model's configuration, for code lenses and for `*config*.json` in folders. */
export function looksLikeModelConfig(text: string): boolean {
  const head = text.length > 200_000 ? text.slice(0, 200_000) : text;
  const mayBeModel =
    /"(?:model_type|architectures?|num_attention_heads|n_heads?|num_heads|heads_num|rope_theta|rope_scaling|text_config|max_position_embeddings|_class_name|vision_cfg)"\s*:/;
  if (!mayBeModel.test(head) && !mayBeFrameworkFile(head)) return false;
  const section = Section.root(readJson(withoutByteOrderMark(head)));
  if (section === undefined) return false;
  return recogniseFormat(section) !== "unknown" || recogniseFramework(section) !== undefined;
}
