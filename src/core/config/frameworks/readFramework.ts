import type { EncodingSpec } from "../../spec.ts";
import { reportDuplicateKeys } from "../duplicateKeys.ts";
import type { FrameworkFormat } from "../formats.ts";
import { accountForKeys, type ReadSpecs } from "../positionKeys/accountForKeys.ts";
import { listPositionKeys } from "../positionKeys/positionKey.ts";
import type { ConfigProblem, ReportProblem } from "../problems.ts";
import type { ConfigReading } from "../readConfig.ts";
import { limitSizes, ProblemList } from "../sizeLimits.ts";
import type { JsonDocument } from "../text/json.ts";
import type { Section } from "../text/section.ts";
import type { Framework, ModelPlace } from "./framework.ts";
import { FrameworkModel } from "./frameworkModel.ts";
import { FRAMEWORKS } from "./index.ts";

/** A file of a framework: its models are found, and not yet read. */
export interface FrameworkFile {
  readonly format: FrameworkFormat;
  readSpecs(report: ReportProblem): readonly EncodingSpec[];
}

/** Finds the framework that a file is written for; undefined if none knows it. */
export function recogniseFramework(root: Section): FrameworkFile | undefined {
  for (const framework of FRAMEWORKS) {
    const places = framework.findModels(root);
    if (places !== undefined) return describeFile(framework, root, places);
  }
  return undefined;
}

function describeFile(framework: Framework, root: Section, places: readonly ModelPlace[]): FrameworkFile {
  return {
    format: framework.format,
    readSpecs: (report) =>
      places.flatMap((place) => framework.readModel(new FrameworkModel(framework, root, place, report))),
  };
}

/** Reads the encodings of a framework's file; undefined if no framework knows it. */
export function readFrameworkFile(document: JsonDocument, root: Section): ConfigReading | undefined {
  const file = recogniseFramework(root);
  if (file === undefined) return undefined;
  const problems = new ProblemList();
  const report = (problem: ConfigProblem) => problems.add(problem);
  root.forgetReads();
  const read = file.readSpecs(report);
  const specs = limitSizes(read, report);
  const facts = { document, root, keys: listPositionKeys(root), specs: read, problems: problems.list(), ignored: [] };
  const ignored = accountForKeys({ ...facts, name: file.format, read: readAgain }, report);
  reportDuplicateKeys(document, report);
  return { format: file.format, modelType: null, specs, problems: problems.list(), ignored, error: document.error };
}

/** With another value, a file may belong to another framework, or to none. */
const readAgain: ReadSpecs = (root, report) => recogniseFramework(root)?.readSpecs(report) ?? [];

/** Matches texts in which a framework's words occur; the others are not parsed. */
const SIGNS = new RegExp(
  `(?:^|[\\s{,"'\\[.-])(?:${[...new Set(FRAMEWORKS.flatMap(({ signs }) => signs))].map(escapePattern).join("|")})(?![\\w])`,
  "m",
);

export function mayBeFrameworkFile(text: string): boolean {
  return SIGNS.test(text);
}

function escapePattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
