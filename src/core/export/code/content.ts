import * as l10n from "@vscode/l10n";
import { type CheckpointRows, hashToken, TOKEN_SALT, VECTOR_SALTS } from "../../terms/content.ts";
import { factorRows, indexRange } from "../../terms/engine.ts";
import { MAX_WRITTEN_NUMBERS, matrixLines } from "./python.ts";
import { CodeExportError, type CodeExportRequest, type EncodingCode, type IndexSpan } from "./request.ts";

/**
 * The generator of content and example values (`src/core/terms/content.ts`), in integer operations of both libraries.
 */
export const GENERATOR_LINES: readonly string[] = [
  "MASK = 0xFFFFFFFF",
  "",
  "",
  "def mix(state, value):",
  "    h = (state ^ value) & MASK",
  "    h = ((h ^ (h >> 16)) * 0x85EBCA6B) & MASK",
  "    h = ((h ^ (h >> 13)) * 0xC2B2AE35) & MASK",
  "    return h ^ (h >> 16)",
  "",
  "",
  "def gaussian(*key):",
  '    """Standard normal numbers, each a pure function of its key: hash, then Box-Muller."""',
  "    state = 0x9E3779B9",
  "    for part in key:",
  "        low = mix((state * 31) & MASK, part & MASK)",
  "        state = mix((low * 31) & MASK, (part >> 32) & MASK)",
  "    first = (mix(state, 0x2545F491).astype(np.float64) + 0.5) / 2**32",
  "    second = mix(state, 0x6C078965).astype(np.float64) / 2**32",
  "    return np.sqrt(-2 * np.log(first)) * np.cos(2 * math.pi * second)",
  "",
];

/** Lines that define the vectors `which` for the indices in the variable `index`. */
export function contentLines(
  request: CodeExportRequest,
  which: "q" | "k" | "x",
  dim: number,
  index: string,
  span: IndexSpan,
): string[] {
  const { content, scene } = request;
  if (content === "ones") return [`${which} = np.ones((len(${index}), ${dim}), dtype=np.float64)`];
  if (content === "given") return writtenContentLines(request, which, dim, span);
  const head = which === "x" ? 0 : scene.head;
  const columns = `np.arange(${dim}, dtype=np.int64)[None, :]`;
  if ("rows" in content) return checkpointRowLines(content.rows, which, which === "q" ? "own" : index);
  if ("tokens" in content) {
    const { tokens } = content;
    const at = which === "q" ? "own" : index;
    return [
      `words = np.array([${tokens.map(hashToken).join(", ")}], dtype=np.int64)  # hashes, repeated`,
      `${which} = gaussian(0x${TOKEN_SALT.toString(16).toUpperCase()}, ${head}, words[${at} % ${tokens.length}][:, None], ${columns})`,
    ];
  }
  return [`${which} = gaussian(${content.seed}, ${VECTOR_SALTS[which]}, ${head}, ${index}[:, None], ${columns})`];
}

/** The rows of a checkpoint, written out if they are few. */
function checkpointRowLines({ q, k, dim }: CheckpointRows, which: "q" | "k" | "x", index: string): string[] {
  if (which === "x")
    throw new CodeExportError(l10n.t("Code export does not support checkpoint vectors with a position table yet."));
  const values = which === "q" ? q : k;
  if (values.length > MAX_WRITTEN_NUMBERS)
    throw new CodeExportError(l10n.t("Too many vectors to write out: use fewer tokens."));
  const count = values.length / dim;
  const rows = indexRange(0, count).map((row) => Array.from(values.subarray(row * dim, (row + 1) * dim)));
  return [...matrixLines(`own_${which}`, rows), `${which} = own_${which}[${index} % ${count}]`];
}

function writtenContentLines(
  { scene }: CodeExportRequest,
  which: "q" | "k" | "x",
  dim: number,
  { from, to }: IndexSpan,
): string[] {
  const count = to - from;
  if (count * dim > MAX_WRITTEN_NUMBERS) {
    throw new CodeExportError(
      l10n.t(
        "Too many vectors to write out: zoom in to at most {0}.",
        Math.max(1, Math.floor(MAX_WRITTEN_NUMBERS / dim)),
      ),
    );
  }
  const factor = scene.content.rows(which, scene.head, dim);
  const values = factorRows(factor, indexRange(from, to));
  const rows = indexRange(0, count).map((row) => Array.from(values.subarray(row * factor.dim, (row + 1) * factor.dim)));
  return matrixLines(which, rows);
}

/** Whether the program needs the generator. */
export function needsGenerator({ content, show }: CodeExportRequest, body: EncodingCode): boolean {
  const random = typeof content === "object" && show.of !== "table";
  return body.usesGenerator === true || random;
}
