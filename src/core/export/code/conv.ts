import { receptiveField } from "../../encodings/conv.ts";
import { resolveHiddenSize } from "../../encodings/support/parameters.ts";
import { getNumber } from "../../encodings/support/schema.ts";
import { contentLines } from "./content.ts";
import { requireExampleValues } from "./learned.ts";
import { pythonFloat } from "./python.ts";
import { type CodeExportRequest, type EncodingCode, neededTokens } from "./request.ts";

/** The convolution around each frame. */
function convolutionLines(request: CodeExportRequest, width: number, taps: number): string[] {
  const { params, scene } = request;
  const channels = resolveHiddenSize(params);
  const dim = channels / getNumber(params, "num_heads");
  const field = receptiveField(taps);
  const [from, to] = neededTokens(request);
  const lo = Math.max(0, from + field.from);
  const hi = Math.min(scene.keyLength, to + field.to);
  return [
    `# Frames that the kernel covers for these cells, and the channels of head ${scene.head}`,
    `frame = np.arange(${lo}, ${hi}, dtype=np.int64)`,
    ...contentLines(request, "x", channels, "frame", { from: lo, to: hi }),
    `out = np.arange(${scene.head * dim}, ${(scene.head + 1) * dim}, dtype=np.int64)[:, None]`,
    `width = np.arange(${width}, dtype=np.int64)`,
    `group = out // ${width} * ${width} + width[None, :]`,
    `weight = kernel(out[:, :, None], width[None, :, None], np.arange(${taps}, dtype=np.int64)[None, None, :])`,
    "",
    "",
    "def gelu(x):",
    "    error = [[math.erf(value / math.sqrt(2)) for value in row] for row in x.tolist()]",
    "    return x * (1 + np.array(error, dtype=np.float64)) / 2",
    "",
    "",
    "def convolved(at):",
    '    """x + GELU(conv x) of these frames, with zeros beyond the ends."""',
    "    total = 0.0",
    `    for tap in range(${taps}):`,
    `        source = at + (tap + ${field.from})`,
    "        inside = ((source >= 0) & (source < key_length))[:, None]",
    `        near = np.where(inside, x[np.clip(source, ${lo}, ${hi - 1}) - ${lo}], 0.0)`,
    "        total = total + (near[:, group] * weight[:, :, tap]).sum(axis=-1)",
    `    return x[at - ${lo}][:, ${scene.head * dim}:${(scene.head + 1) * dim}] + gelu(total)`,
    "",
    "",
  ];
}

export function convCode(request: CodeExportRequest): EncodingCode {
  requireExampleValues(request);
  const { params, show, rows } = request;
  const channels = resolveHiddenSize(params);
  const taps = getNumber(params, "num_conv_pos_embeddings");
  const width = channels / getNumber(params, "num_conv_pos_embedding_groups");
  const kernel = [
    "# Example values in place of trained ones, decaying with the distance",
    "def kernel(out, channel, tap):",
    `    away = (tap.astype(np.float64) - ${pythonFloat((taps - 1) / 2)}) / ${taps}`,
    "    phase = 2 * math.pi * away * (1 + out % 8) + gaussian(0x706F7365, 130, out, channel)",
    `    return 2 * np.cos(phase) * np.exp(-24 * away * away) / ${pythonFloat(width * Math.sqrt(taps))}`,
    "",
    "",
  ];
  const table = [
    `tap = np.arange(${rows.from}, ${rows.to}, dtype=np.int64)[:, None]`,
    `out = np.arange(${channels}, dtype=np.int64)[None, :]`,
  ];
  return {
    parameters: [],
    setup: [...kernel, ...(show.of === "table" ? table : convolutionLines(request, width, taps))],
    terms: { content: "convolved(own) @ convolved(j).T" },
    table: `np.where(tap < ${taps}, kernel(out, 0, tap), 0.0)`,
    content: { of: "setup" },
    usesGenerator: true,
  };
}
