import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rope } from "../../../src/core/encodings/rope/rope.ts";
import { requireParams } from "../../../src/core/encodings/support/schema.ts";
import type { AttentionSource } from "../../../webview/engine/renderer.ts";
import { type EnginePage, openEnginePage } from "./harness.ts";

let engine: EnginePage;

beforeAll(async () => {
  engine = await openEnginePage();
});

afterAll(async () => {
  await engine.browser.close();
});

describe("a lost WebGL context", () => {
  it("keeps the picture on the page, gives the reason, and is restored", async () => {
    const result = await engine.page.evaluate(() => window.engineTests.contextLoss());
    expect(result).toEqual({
      counts: [0, 0, 0, 0],
      modes: [{ by: "webgl" }, { by: "cpu", reason: "context-lost" }, { by: "webgl" }],
      canvases: ["cpu"],
      by: ["webgl", "cpu", "webgl"],
      left: 0,
    });
  });

  it("is survived fifty times in a row", async () => {
    const { changes, by, wrong, canvases, left } = await engine.page.evaluate(() =>
      window.engineTests.lossesInARow(50),
    );
    expect(changes).toBe(101);
    expect(by).toEqual(Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? "cpu" : "webgl")));
    expect({ wrong, canvases, left }).toEqual({ wrong: 0, canvases: 2, left: 0 });
  });

  it("does not lose the picture in progress", async () => {
    expect(await engine.page.evaluate(() => window.engineTests.lossDuringPicture())).toBe("cpu");
  });
});

describe("the single WebGL context of the page", () => {
  it("goes to one renderer, and to the next when it is released", async () => {
    expect(await engine.page.evaluate(() => window.engineTests.oneContext())).toEqual({
      modes: [{ by: "webgl" }, { by: "cpu", reason: "busy" }, { by: "webgl" }],
      drawnBySecond: "cpu",
      lost: true,
      empty: true,
    });
  });

  it("returns to a host that had it before", async () => {
    expect(await engine.page.evaluate(() => window.engineTests.sameHostTwice())).toEqual(["webgl", "webgl", "webgl"]);
  });

  it("is replaced by the CPU if WebGL is missing", async () => {
    expect(await engine.page.evaluate(() => window.engineTests.withoutWebgl())).toEqual({
      modes: [{ by: "cpu", reason: "no-webgl2" }],
      by: "cpu",
      wrong: 0,
    });
  });
});

describe("drawing requests", () => {
  it("of one frame become one picture of the last request", async () => {
    expect(await engine.page.evaluate(() => window.engineTests.coalescing())).toEqual([null, null, [-6.5, 22.5]]);
  });

  it("that are superseded stop, however long they would take", async () => {
    expect(await engine.page.evaluate(() => window.engineTests.cancelling())).toEqual({
      cancelled: null,
      quick: "webgl",
      rising: true,
    });
  });
});

describe.each(["auto", "cpu"] as const)("while a slider is dragged with renderer %s", (prefer) => {
  it("pictures are coarse and marked as coarse, and the last one is fine at rest", async () => {
    const { coarse, fine, widths } = await engine.page.evaluate((p) => window.engineTests.dragging(p), prefer);
    expect(coarse[0]).toEqual({ coarse: true, sampled: true });
    expect([256, 512]).toContain(widths[0]);
    expect(fine).toMatchObject({ coarse: false, sampled: true });
    expect(widths[1]).toBe(1024);
  });
});

it("A, B and their difference are coarse while a slider is dragged, and fine at rest", async () => {
  const { fine, widths } = await engine.page.evaluate(() => window.engineTests.draggingCompared());
  expect(fine).toMatchObject([{ coarse: false }, { coarse: false }, { coarse: false }]);
  expect(widths).toEqual([1024, 1024, 1024]);
});

it("a hidden panel does no work", async () => {
  expect(await engine.page.evaluate(() => window.engineTests.hiddenWhileDragging())).toEqual({
    result: null,
    calls: 0,
  });
});

it("rows of a million keys are estimated first and can be cancelled at any time", async () => {
  const { first, cancelled, quick } = await engine.page.evaluate(() => window.engineTests.millionKeys());
  expect(first).toMatchObject({ coarse: true, estimated: true, sampled: true });
  expect({ cancelled, quick }).toEqual({ cancelled: null, quick: "webgl" });
});

it("a thousand pictures of every kind leave no resources allocated", async () => {
  const { before, after, error, end } = await engine.page.evaluate(() => window.engineTests.manyDraws(1000));
  expect(after).toEqual(before);
  expect(error).toBe(0);
  expect(end.textures).toBe(0);
});

describe.each(["auto", "cpu"] as const)("cells smaller than pixels with renderer %s", (prefer) => {
  it("are sampled at whole steps and marked as sampled", async () => {
    const result = await engine.page.evaluate((p) => window.engineTests.sampling(p), prefer);
    expect(result).toEqual({ sampled: true, wrong: 0, first: null });
  });

  it("are marked as sampled in every view of ten million positions", async () => {
    const said = await engine.page.evaluate((p) => window.engineTests.zoomedOut(p), prefer);
    expect(said).toEqual({ table: true, scores: true, attention: true });
  });
});

it("long rows are normalised once in a worker", async () => {
  const recipe: AttentionSource = {
    encoding: "rope",
    params: requireParams(rope, {}),
    scene: { queryLength: 60_000, keyLength: 60_000, shift: 0, head: 0, centre: 0, content: { seed: 5 }, inputs: {} },
    mask: { causal: true },
  };
  const made = await engine.page.evaluate((it) => window.engineTests.inWorker(it, 59_990, 6), recipe);
  expect(made.workers).toBe(1);
  expect(made.same).toBe(true);
  expect(made.progress).toBeGreaterThan(0);
  expect(made.worst).toBeLessThan(1e-12);
});

it("the engine causes no browser error or warning", () => {
  expect(engine.complaints).toEqual([]);
});
