import type { Page } from "playwright-core";
import { atMost, type Case, median, percentile95, plain } from "../../scripts/lib/bench/case.ts";
import { launchChromium } from "../../scripts/lib/chromium.ts";
import { bundlePage } from "../../scripts/lib/pages/bundlePage.ts";
import type { EncodingId } from "../../src/core/spec.ts";
import type { MovingBench } from "./support/movingPage.ts";

declare global {
  interface Window {
    movingBench: MovingBench;
  }
}

const FRAMES = 80;
const NEAR = 1024;
const FAR = 10_000_000;

/** The second run compiles nothing. */
async function dragging(page: Page): Promise<Case[]> {
  await page.evaluate((frames) => window.movingBench.drag(frames), FRAMES);
  const { frames, pictures, fine } = await page.evaluate((count) => window.movingBench.drag(count), FRAMES);
  return [
    atMost("slider dragged over a product of 1024²: from frame to frame, p95", percentile95(frames), 50, "ms"),
    atMost("slider dragged: from one (coarse) picture to the next, median", median(pictures), 50, "ms"),
    plain("at rest: the fine picture, asked for alone", fine, "ms"),
  ];
}

async function draggingCompared(page: Page): Promise<Case[]> {
  await page.evaluate((frames) => window.movingBench.dragCompared(frames), FRAMES);
  const { frames, pictures } = await page.evaluate((count) => window.movingBench.dragCompared(count), FRAMES);
  return [
    atMost("slider dragged while A and B are compared: from frame to frame, p95", percentile95(frames), 50, "ms"),
    atMost("slider dragged while A and B are compared: from picture to picture, median", median(pictures), 50, "ms"),
  ];
}

async function longRows(page: Page): Promise<Case[]> {
  const runs = [];
  for (let n = 0; n < 6; n++) runs.push(await page.evaluate(() => window.movingBench.longRows()));
  // The first run starts the worker and compiles.
  const warm = runs.slice(1);
  return [
    atMost("softmax rows over 1M keys: first picture", median(warm.map(({ first }) => first)), 200, "ms"),
    atMost("softmax rows over 1M keys: left for another picture", median(warm.map(({ left }) => left)), 50, "ms"),
  ];
}

type Show = "table" | "logits" | "weights";

const RUNS = 2;

/** Medians of an encoding's view at each length, measured alternately; null without such a view. */
async function measureEnds(
  page: Page,
  id: EncodingId,
  show: Show,
  lengths: readonly number[],
): Promise<number[] | null> {
  const times = lengths.map((): number[] => []);
  for (let n = 0; n <= RUNS; n++) {
    for (const [which, length] of lengths.entries()) {
      const time = await page.evaluate(([i, s, l]) => window.movingBench.end(i, s, l), [id, show, length] as const);
      if (time === null) return null;
      // The first run compiles programs.
      if (n > 0) times[which]?.push(time);
    }
  }
  return times.map(median);
}

/** All unbounded encodings: the far end of a long sequence against the end of a short one. */
async function measureRedraw(page: Page, name: string, show: Show, ids: readonly EncodingId[]): Promise<Case> {
  let [near, far, count] = [0, 0, 0];
  for (const id of ids) {
    const [short = 0, long = 0] = (await measureEnds(page, id, show, [NEAR, FAR])) ?? [];
    near += short;
    far += long;
    if (long > 0) count++;
  }
  return {
    name: `${name} at 10M, ${count} local encodings together`,
    value: far,
    unit: "ms",
    against: "the same at 1k",
    ratio: far / near,
    target: "≤ 1.2 × the same at 1k",
    holds: far <= 1.2 * near,
  };
}

/** Rows of ten million keys: time to the first picture. */
async function firstWeights(page: Page, ids: readonly EncodingId[]): Promise<Case> {
  let slowest = { id: "", time: 0 };
  for (const id of ids) {
    const [time = 0] = (await measureEnds(page, id, "weights", [FAR])) ?? [];
    if (time > slowest.time) slowest = { id, time };
  }
  return atMost(
    `Attention at 10M, first picture of the slowest local encoding (${slowest.id})`,
    slowest.time,
    200,
    "ms",
  );
}

async function measureFarPositions(page: Page): Promise<Case[]> {
  const ids = await page.evaluate(() => window.movingBench.unbounded());
  return [
    await measureRedraw(page, "Table", "table", ids),
    await measureRedraw(page, "Scores", "logits", ids),
    await firstWeights(page, ids),
  ];
}

/** Interaction: sliders, long rows, far positions. */
export default async function moving(): Promise<readonly Case[]> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1100, height: 1100 } });
    await page.setContent("<!doctype html><body></body>");
    await page.addScriptTag({ content: await bundlePage("test/bench/support/movingPage.ts", { minify: true }) });
    return [
      ...(await dragging(page)),
      ...(await draggingCompared(page)),
      ...(await longRows(page)),
      ...(await measureFarPositions(page)),
    ];
  } finally {
    await browser.close();
  }
}
