import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeLabels } from "../../../../webview/ui/chart/ruleLabels.ts";
import { fieldText, formatSignificant, groupDigits, parseNumber } from "../../../../webview/ui/format.ts";
import { powerText, powerTicks, tickText, valueTicks, wholeTicks } from "../../../../webview/ui/scale.ts";

const plain = (text: string) => text.replaceAll("\u202f", " ").replaceAll("\u2212", "-");

describe("numbers in the panel", () => {
  it.each([
    [131072, "131 072"],
    [4096, "4096"],
    [10_000_000, "10 000 000"],
    [-65536, "-65 536"],
    [12345.678, "12 345.678"],
  ])("are grouped: %d", (value, text) => {
    expect(plain(groupDigits(value))).toBe(text);
  });

  it.each([
    [87.4712345, "87.4712"],
    [0.0013, "0.0013"],
    [0.000013, "1.3e-5"],
    [-0.5, "-0.5"],
    [0, "0"],
    [123456789, "1.23457e8"],
    [100, "100"],
    [Number.POSITIVE_INFINITY, "∞"],
    [Number.NaN, "NaN"],
  ])("have six digits: %d", (value, text) => {
    expect(plain(formatSignificant(value))).toBe(text);
  });

  it("are read back from every text shown in a field", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parseNumber(fieldText(value))).toBe(value + 0);
      }),
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(parseNumber(groupDigits(value))).toBe(value + 0);
      }),
    );
  });

  it.each([
    ["1 000 000", 1e6],
    ["500_000.5", 500000.5],
    ["1,000,000", 1e6],
    ["1e4", 1e4],
    [" -3 ", -3],
    [".5", 0.5],
  ])("are read from %s", (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it.each(["", "abc", "1,5", "1e", "0x10", "1e999", "NaN", "--1", "1 000 a"])("are not read from “%s”", (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});

describe("axis ticks", () => {
  it("have steps of 1, 2 or 5 times a power of ten, and are at most one more than steps were asked for", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        fc.double({ min: 1e-2, max: 1e7, noNaN: true }),
        fc.integer({ min: 2, max: 12 }),
        (low, span, most) => {
          const marked = valueTicks(low, low + span, most);
          expect(marked.length).toBeLessThanOrEqual(most + 1);
          expect(marked.length).toBeGreaterThanOrEqual(Math.floor(most / 2.5));
          const steps = marked.slice(1).map((tick, n) => tick - (marked[n] ?? Number.NaN));
          for (const step of steps) {
            const lead = step / 10 ** Math.floor(Math.log10(step) + 1e-6);
            expect([1, 2, 5].some((nice) => Math.abs(lead - nice) < 1e-3)).toBe(true);
          }
        },
      ),
      { examples: [[5e-324, 0.4000004000004001, 2]] },
    );
  });

  it("of positions are whole, inside the axis and few, at any zoom up to ten million", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 9_999_000, noNaN: true }),
        fc.double({ min: 1, max: 10_000_000, noNaN: true }),
        fc.integer({ min: 2, max: 12 }),
        (from, span, most) => {
          const ticks = wholeTicks(from, from + span, most);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          for (const tick of ticks) {
            expect(Number.isInteger(tick)).toBe(true);
            expect(tick).toBeGreaterThanOrEqual(from);
            expect(tick).toBeLessThanOrEqual(from + span);
          }
        },
      ),
    );
    expect(wholeTicks(-0.5, 511.5, 5)).toEqual([0, 200, 400]);
    expect(wholeTicks(11_699.5, 12_259.5, 4)).toEqual([11_800, 12_000, 12_200]);
  });

  it("of values cover the domain, and are absent for a domain of zero width", () => {
    expect(valueTicks(-1, 1, 5)).toEqual([-1, -0.5, 0, 0.5, 1]);
    expect(valueTicks(3, 3, 5)).toEqual([]);
    expect(valueTicks(Number.NaN, 1, 5)).toEqual([]);
  });

  it("on a logarithmic axis are powers of ten, and only some if there are many", () => {
    const marked = (low: number, high: number, most: number) => powerTicks(low, high, most).map(({ at }) => at);
    expect(marked(1, 1000, 5)).toEqual([1, 10, 100, 1000]);
    expect(marked(1e-6, 1, 3)).toEqual([1e-6, 1e-4, 0.01, 1]);
    expect(marked(2, 9, 5)).toEqual([]);
  });

  it("have as many decimals as needed to distinguish them", () => {
    expect(tickText(0.5, 0.5)).toBe("0.5");
    expect(tickText(10, 2)).toBe("10");
    expect(plain(tickText(-250, 50))).toBe("-250");
    expect(plain(tickText(-5e6, 1e6))).toBe("-5.0e6");
  });

  it.each([
    [-17, "1e-17"],
    [-3, "0.001"],
    [3, "1000"],
    [4, "10 k"],
    [8, "100 M"],
    [12, "1e12"],
  ])("of a logarithmic axis are written short: ten to the power of %d", (power, text) => {
    expect(plain(powerText(power))).toBe(text);
  });
});

describe("labels of a chart's reference lines", () => {
  const plot = { from: 60, to: 320 };

  it("are placed next to their lines, on the right if there is room", () => {
    expect(placeLabels([{ x: 100, width: 50 }], plot, [])).toEqual([{ x: 105, anchor: "start", row: 0 }]);
    expect(placeLabels([{ x: 300, width: 50 }], plot, [])).toEqual([{ x: 295, anchor: "end", row: 0 }]);
  });

  it("are placed below another label", () => {
    const names = [
      { x: 190, width: 66 },
      { x: 300, width: 132 },
    ];
    expect(placeLabels(names, plot, [])).toEqual([
      { x: 195, anchor: "start", row: 0 },
      { x: 295, anchor: "end", row: 1 },
    ]);
    expect(placeLabels(names.slice(0, 1), plot, [{ from: 60, to: 320 }])).toEqual([
      { x: 195, anchor: "start", row: 1 },
    ]);
  });

  it("get their own row if they are wider than the plot", () => {
    expect(placeLabels([{ x: 190, width: 900 }], plot, [])).toEqual([{ x: 65, anchor: "start", row: 3 }]);
  });
});
