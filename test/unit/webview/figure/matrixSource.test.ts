import { describe, expect, it } from "vitest";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { checkParams } from "../../../../src/core/encodings/support/schema.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import { collectRowStatistics, indexRange } from "../../../../src/core/terms/engine.ts";
import { computeMatrixValues, type MatrixSource } from "../../../../webview/figure/matrixSource.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import { attentionMatrix } from "../../../../webview/views/attentionMatrix.ts";

const KEYS = 40;
const SHOWN = [{ of: "logits", hidden: [] }, { of: "weights" }] as const;

function subjectOf(panel: PanelState, show: (typeof SHOWN)[number]): MatrixSource {
  const drawable = derivePanelEncoding(panel, null)?.resolved;
  if (drawable == null) throw new Error(`${panel.encoding} cannot be drawn`);
  return attentionMatrix(drawable, show.of, show);
}

function rowValues(subject: MatrixSource, row: number): Float64Array {
  const { source } = subject;
  const statistics = source.kind === "attention" ? [collectRowStatistics(source.attention, row)] : [];
  return computeMatrixValues(subject, [row], indexRange(0, subject.extent.columns), statistics);
}

describe("a matrix view of queries at the end of the keys", () => {
  // With equal tokens only positions distinguish rows: a query after a cache has its row of the whole.
  const whole = (encoding: string): PanelState => ({
    ...initialPanelState(encoding),
    keyLength: KEYS,
    queryLength: KEYS,
  });

  it.each(ENCODINGS.map(({ id }) => id))("of %s shows one row of decoding as the last row of the whole", (id) => {
    for (const show of SHOWN) {
      const all = subjectOf(whole(id), show);
      const one = subjectOf({ ...whole(id), queryLength: 1 }, show);
      const rows = all.extent.rows;
      expect(one.extent).toEqual({ rows: 1, columns: all.extent.columns });
      expect(one.rowAxis.first).toBe(all.rowAxis.first + rows - 1);
      expect(one.columnAxis.first).toBe(all.columnAxis.first);
      const [last, single] = [rowValues(all, rows - 1), rowValues(one, 0)];
      last.forEach((value, n) => {
        expect([show.of, n, single[n]]).toEqual([show.of, n, Number.isNaN(value) ? value : expect.closeTo(value, 9)]);
      });
    }
  });

  it.each(ENCODINGS.filter((one) => one.domain(checkParams(one, {}).params).kind === "any").map(({ id }) => id))(
    "of %s shifts its axes only, if the encoding is relative",
    (id) => {
      const { classification } = ENCODINGS.find((encoding) => encoding.id === id) ?? {};
      for (const show of SHOWN) {
        const still = subjectOf(whole(id), show);
        const moved = subjectOf({ ...whole(id), shift: 1000 }, show);
        expect([moved.rowAxis.first, moved.columnAxis.first]).toEqual([
          still.rowAxis.first + 1000,
          still.columnAxis.first + 1000,
        ]);
        // FIRE divides distances by the query's position, so it changes although it is relative.
        if (id === "fire" || classification?.kind === "absolute") continue;
        const [before, after] = [rowValues(still, KEYS - 1), rowValues(moved, KEYS - 1)];
        before.forEach((value, n) => {
          expect([show.of, n, after[n]]).toEqual([show.of, n, expect.closeTo(value, 6)]);
        });
      }
    },
  );
});
