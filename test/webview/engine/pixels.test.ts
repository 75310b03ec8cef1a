import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EnginePage, openEnginePage } from "./harness.ts";

let engine: EnginePage;

beforeAll(async () => {
  engine = await openEnginePage();
});

afterAll(async () => {
  await engine.browser.close();
});

/** Pictures that a software GPU does not draw: see SoftwarePainter. */
const BY_DIAGONAL = [
  "profile, whole",
  "profile, close",
  "profile, every pixel a cell",
  "profile, difference",
  "bias below zero, logarithmic",
  "beyond the edges",
];

function drawnBy(how: "auto" | "cpu" | "painter", name: string): "webgl" | "cpu" {
  return how === "painter" || (how === "auto" && !BY_DIAGONAL.includes(name)) ? "webgl" : "cpu";
}

describe.each(["painter", "auto", "cpu"] as const)("pixels drawn by %s", (how) => {
  it("have the float64 engine's values in the colours of the map, in every way of painting", async () => {
    const names = await engine.page.evaluate(() => window.engineTests.pixelNames());
    const problems: string[] = [];
    for (const name of names) {
      const report = await engine.page.evaluate(([n, p]) => window.engineTests.pixelCase(n, p), [name, how] as const);
      const { wrong, first, pixels, skipped, by, sampled, domain, expectedDomain } = report;
      if (wrong > 0) problems.push(`${name}: ${wrong} of ${pixels} pixels: ${first}`);
      if (skipped > pixels / 10) problems.push(`${name}: ${skipped} of ${pixels} pixels were skipped`);
      if (sampled) problems.push(`${name}: says that it is sampled`);
      if (by !== drawnBy(how, name)) problems.push(`${name}: drawn by ${by}`);
      const scale = Math.max(...expectedDomain.map(Math.abs));
      const low = name.includes("weights") ? domain[0] : expectedDomain[0];
      if (Math.abs(domain[0] - low) > 1e-5 * scale || Math.abs(domain[1] - expectedDomain[1]) > 1e-5 * scale) {
        problems.push(`${name}: domain ${domain} instead of ${expectedDomain}`);
      }
    }
    expect(problems).toEqual([]);
  });
});

it("the pixel tests cause no browser error or warning", () => {
  expect(engine.complaints).toEqual([]);
});
