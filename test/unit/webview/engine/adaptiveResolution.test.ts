import { describe, expect, it } from "vitest";
import { AdaptiveResolution, REST_DELAY_MS } from "../../../../webview/engine/adaptiveResolution.ts";

/** Requests at these times; how coarse the picture after the last one is. */
function coarsenessAfter(cost: number, asked: readonly number[], now = asked.at(-1) ?? 0): number {
  const pace = new AdaptiveResolution();
  pace.recordFrame(cost, 0);
  for (const time of asked) pace.recordRequest(time);
  return pace.coarseness(now);
}

describe("the pace of pictures", () => {
  it.each([
    [10, 1],
    [24, 1],
    [25, 2],
    [96, 2],
    [97, 4],
    [5000, 4],
  ])("while something moves and a fine picture takes %d ms: %d pixels a side", (cost, coarseness) => {
    expect(coarsenessAfter(cost, [1000, 1016])).toBe(coarseness);
  });

  it("is coarse after a picture that was left, however soon", () => {
    const pace = new AdaptiveResolution();
    pace.recordRequest(1000);
    pace.recordRequest(1016);
    pace.recordCancelled(10, 1016);
    expect(pace.coarseness(1016)).toBe(2);
    pace.recordCancelled(5000, 1016);
    expect(pace.coarseness(1016)).toBe(4);
  });

  it("is coarse for what could only be asked after a picture that took long", () => {
    const pace = new AdaptiveResolution();
    pace.recordRequest(1000);
    pace.recordFrame(400, 1400);
    pace.recordRequest(1410);
    expect(pace.coarseness(1410)).toBe(4);
  });

  it("follows what it is told of others' pictures, and tells nothing", () => {
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

  it("is fine for a request that comes alone", () => {
    expect(coarsenessAfter(5000, [1000])).toBe(1);
    expect(coarsenessAfter(5000, [1000, 1000 + REST_DELAY_MS])).toBe(1);
  });

  it("is fine when the movement has come to rest", () => {
    expect(coarsenessAfter(5000, [1000, 1016], 1016 + REST_DELAY_MS - 1)).toBe(4);
    expect(coarsenessAfter(5000, [1000, 1016], 1016 + REST_DELAY_MS)).toBe(1);
  });
});
