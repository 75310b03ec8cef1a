import { describe, expect, it } from "vitest";
import { AdaptiveResolution, REST_DELAY_MS } from "../../../../webview/engine/adaptiveResolution.ts";

/** Coarseness of the picture after requests at these times. */
function coarsenessAfter(cost: number, asked: readonly number[], now = asked.at(-1) ?? 0): number {
  const pace = new AdaptiveResolution();
  pace.recordFrame(cost, 0);
  for (const time of asked) pace.recordRequest(time);
  return pace.coarseness(now);
}

describe("adaptive resolution", () => {
  it.each([
    [10, 1],
    [24, 1],
    [25, 2],
    [96, 2],
    [97, 4],
    [5000, 4],
  ])("for fine pictures of %d ms draws %d pixels a side during movement", (cost, coarseness) => {
    expect(coarsenessAfter(cost, [1000, 1016])).toBe(coarseness);
  });

  it("is coarse after a cancelled picture, even if it was short", () => {
    const pace = new AdaptiveResolution();
    pace.recordRequest(1000);
    pace.recordRequest(1016);
    pace.recordCancelled(10, 1016);
    expect(pace.coarseness(1016)).toBe(2);
    pace.recordCancelled(5000, 1016);
    expect(pace.coarseness(1016)).toBe(4);
  });

  it("is coarse for a request that had to wait for a slow picture", () => {
    const pace = new AdaptiveResolution();
    pace.recordRequest(1000);
    pace.recordFrame(400, 1400);
    pace.recordRequest(1410);
    expect(pace.coarseness(1410)).toBe(4);
  });

  it("of a follower uses the frames of others without reporting its own", () => {
    const pace = new AdaptiveResolution();
    const follower = pace.follower();
    pace.recordFrame(5000, 0);
    follower.recordFrame(1, 0);
    pace.recordRequest(1000);
    follower.recordRequest(1001);
    expect([pace.coarseness(1001), follower.coarseness(1001)]).toEqual([1, 1]);
    pace.recordRequest(1016);
    expect([pace.coarseness(1016), follower.coarseness(1016 + REST_DELAY_MS)]).toEqual([4, 4]);
    expect(follower.settlesAt()).toBe(1016 + REST_DELAY_MS);
  });

  it("is fine for a single request", () => {
    expect(coarsenessAfter(5000, [1000])).toBe(1);
    expect(coarsenessAfter(5000, [1000, 1000 + REST_DELAY_MS])).toBe(1);
  });

  it("is fine after the movement has stopped", () => {
    expect(coarsenessAfter(5000, [1000, 1016], 1016 + REST_DELAY_MS - 1)).toBe(4);
    expect(coarsenessAfter(5000, [1000, 1016], 1016 + REST_DELAY_MS)).toBe(1);
  });
});
