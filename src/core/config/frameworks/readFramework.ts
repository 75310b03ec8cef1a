import type { EncodingSpec } from "../../spec.ts";
import type { FrameworkFormat } from "../formats.ts";
import type { ReportProblem } from "../problems.ts";
import type { Section } from "../text/section.ts";
import type { Framework, ModelPlace } from "./framework.ts";
import { FrameworkModel } from "./frameworkModel.ts";
import { FRAMEWORKS } from "./index.ts";

/** The framework of a file, and its models. */
export interface FrameworkFile {
  readonly format: FrameworkFormat;
  readSpecs(report: ReportProblem): EncodingSpec[];
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

/** Matches texts in which a framework's words occur; the others are not parsed. */
const SIGNS = new RegExp(
  `(?:^|[\\s{,"'\\[-])(?:${[...new Set(FRAMEWORKS.flatMap(({ signs }) => signs))].map(escapePattern).join("|")})(?![\\w])`,
  "m",
);

export function mayBeFrameworkFile(text: string): boolean {
  return SIGNS.test(text);
}

function escapePattern(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
