import { describe, expect, it } from "vitest";
import { encodingById } from "../../../../src/core/encodings/index.ts";
import type { EncodingSpec } from "../../../../src/core/spec.ts";
import { computeNumbers, selectEncoding } from "../../../../webview/side/pageState.ts";
import { sectionOrMessage } from "../../../../webview/side/section.ts";

const SPEC: EncodingSpec = {
  encoding: "rope",
  where: "text",
  layers: "all",
  params: { rope_theta: 10_000, head_dim: 64 },
  sources: {},
  evidence: [],
  confidence: "checked",
};

describe("a section of the side view", () => {
  it("is what its function builds", () => {
    expect(sectionOrMessage(() => "content")).toBe("content");
  });

  it("becomes a message with the reason if its function fails", () => {
    const shown = sectionOrMessage((): string => {
      throw new Error("values beyond the table");
    });
    expect(JSON.stringify(shown)).toContain('role=\\"alert\\"');
    expect(JSON.stringify(shown)).toContain("This section cannot be shown: values beyond the table");
  });

  it("keeps the page and the reason if the numbers of an encoding cannot be computed", () => {
    const encoding = encodingById("rope");
    const subject = {
      kind: "code" as const,
      uri: "file:///model.py",
      title: "model.py",
      heading: "RoPE",
      summary: "",
      spec: SPEC,
      formula: null,
      facts: [],
      range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } },
      at: "cursor" as const,
      sites: [],
      findings: [],
    };
    const selected = selectEncoding(subject, 0);
    if (encoding === undefined || selected === null) throw new Error("rope is an encoding");
    const failing = {
      ...encoding,
      terms: () => {
        throw new Error("no terms for these values");
      },
    };
    const numbers = computeNumbers({ ...selected, encoding: failing }, "en");
    expect(numbers).toMatchObject({ picture: null, measurements: [], failure: "no terms for these values" });
  });
});
