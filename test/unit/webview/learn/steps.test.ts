import { describe, expect, test } from "vitest";
import { lessonPanelState } from "../../../../src/core/learn/lessonState.ts";
import { LESSON_STEP_IDS, type LessonStepId } from "../../../../src/core/learn/stepIds.ts";
import { LESSON_STEPS } from "../../../../src/core/learn/steps.ts";
import { readPanelLink, readPanelState } from "../../../../src/core/protocol/guards.ts";
import { buildLinkQuery, readLinkQuery } from "../../../../src/core/protocol/link.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import { indexRange, logitMatrix, termMatrix } from "../../../../src/core/terms/engine.ts";
import { applyLesson } from "../../../../webview/state/page.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import { computeExample, countChangedByOrder } from "../../../../webview/views/example/computeExample.ts";
import { computeExtrapolation, resolveLengths } from "../../../../webview/views/extrapolation/computeExtrapolation.ts";

/** What a step draws, after a change that the user makes. */
function draw(id: LessonStepId, change: Partial<PanelState> = {}) {
  const panel = { ...lessonPanelState(id), ...change };
  const resolved = derivePanelEncoding(panel, null)?.resolved;
  if (resolved === undefined || resolved === null) throw new Error(`${id} cannot be drawn`);
  return { panel, ...resolved };
}

function logits(id: LessonStepId, tokens: number, change: Partial<PanelState> = {}): number[] {
  const { attention } = draw(id, change);
  return Array.from(logitMatrix(attention, indexRange(0, tokens), indexRange(0, tokens)));
}

const largestChange = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((value, n) => Math.abs(value - (b[n] ?? Number.NaN))));

describe("the guided path", () => {
  test("has a step for every id, each with its picture, texts in both languages and something to read", () => {
    expect(Object.keys(LESSON_STEPS)).toEqual([...LESSON_STEP_IDS]);
    for (const id of LESSON_STEP_IDS) {
      const step = LESSON_STEPS[id];
      for (const text of [step.title, step.see, step.experiment]) {
        expect(text.en.length, id).toBeGreaterThan(5);
        expect(text.zh, id).toMatch(/[\u4e00-\u9fff]/);
      }
      expect(step.see.en.match(/[.!?](\s|$)/g), `${id}: one sentence`).toHaveLength(1);
      expect(step.more.length, id).toBeGreaterThan(0);
      for (const { url } of step.more) expect(url).toMatch(/^https:\/\/arxiv\.org\/abs\/\d{4}\.\d{5}$/);
    }
  });

  test.each(LESSON_STEP_IDS)("can draw step %s, and link to it", (id) => {
    const { panel } = draw(id);
    expect(readPanelState(JSON.parse(JSON.stringify(panel)))).toEqual(panel);
    expect(readLinkQuery(buildLinkQuery(panel))).toEqual(panel);
  });

  test("is ignored in states of other versions, which keep working", () => {
    const { lesson: _, ...old } = initialPanelState("alibi");
    expect(readPanelState(old)).toEqual(initialPanelState("alibi"));
    expect(readPanelState({ ...old, lesson: "a_step_of_later" })).toEqual(initialPanelState("alibi"));
    expect(readPanelState({ ...old, lesson: { toString: "x" } })).toEqual(initialPanelState("alibi"));
    expect(readPanelLink({ encoding: "rope", lesson: "rope" })?.lesson).toBe("rope");
  });

  test("gives each step an undo history of its own, and keeps the picture when it is left", () => {
    const settings = { past: [initialPanelState("rope")], future: [] };
    // @ts-expect-error a page has more than these, which a step leaves as they are
    const page: Parameters<typeof applyLesson>[0] = { panel: initialPanelState("rope"), history: settings };
    const shown = applyLesson(page, "t5");
    expect(shown.panel).toEqual(lessonPanelState("t5"));
    expect(shown.history).toEqual({ past: [], future: [] });
    expect(applyLesson(shown, null).panel).toEqual({ ...lessonPanelState("t5"), lesson: null });
  });
});

describe("what the steps say is what they draw:", () => {
  test("without positions a new order changes nothing", () => {
    const { panel } = draw("order");
    const tokens = panel.tokens.map((text, n) => ({
      text,
      vector:
        [
          [1, 0],
          [0, 1],
          [1, 1],
        ][n] ?? [],
    }));
    expect(countChangedByOrder("none", tokens, panel.order)).toBe(0);
    for (const kind of ["absolute", "bias", "rope"] as const)
      expect(countChangedByOrder(kind, tokens, panel.order), kind).toBeGreaterThan(0);
    expect(computeExample("none", tokens).scores).toHaveLength(3);
  });

  test("all terms but content · content depend on position", () => {
    const all = indexRange(0, 24);
    const [own, shifted] = [draw("four_terms"), draw("four_terms", { shift: 5 })];
    expect(own.attention.terms.map(({ id }) => id)).toHaveLength(4);
    own.attention.terms.forEach((term, n) => {
      const later = shifted.attention.terms[n];
      if (later === undefined) throw new Error("a term is missing");
      const [a, b] = [termMatrix(own.attention, term, all, all), termMatrix(shifted.attention, later, all, all)];
      const change = largestChange([...a], [...b]);
      // ⟨p_i, p_j⟩ of sinusoids depends on the distance alone, and so on position, but not on a shift.
      if (term.id === "content_content" || term.id === "position_position") expect(change).toBeLessThan(1e-9);
      else expect(change).toBeGreaterThan(0.1);
    });
  });

  test("the trained table ends at its last row", () => {
    const { scene, limit } = draw("learned_table");
    expect(scene.keyLength).toBe(512);
    expect(limit?.size).toBe(512);
    expect(draw("learned_table", { changes: { max_position_embeddings: 1024 } }).scene.keyLength).toBe(600);
  });

  test("the same words get other scores elsewhere if positions are multiplied", () => {
    const values = logits("other_absolute", 6);
    expect(Math.abs((values[0] ?? 0) - (values[3 * 6 + 3] ?? 0))).toBeGreaterThan(0.01);
  });

  test("a shift changes absolute scores, and neither ALiBi's nor RoPE's", () => {
    const own = logits("shift", 64);
    expect(largestChange(own, logits("shift", 64, { shift: 7 }))).toBeGreaterThan(0.1);
    expect(Math.abs((own[10] ?? 0) - (own[20 * 64 + 30] ?? 0))).toBeGreaterThan(0.01);
    expect(largestChange(logits("alibi", 64), logits("alibi", 64, { shift: 7 }))).toBeLessThan(1e-9);
    expect(largestChange(logits("rope", 64), logits("rope", 64, { shift: 7 }))).toBeLessThan(1e-9);
  });

  test("Shaw's keys farther away than 8 share one vector", () => {
    const values = logits("shaw", 48);
    const row = values.slice(40 * 48, 41 * 48);
    expect(new Set(row.slice(0, 33)).size).toBe(1);
    expect(row[33]).not.toBe(row[32]);
  });

  test("Transformer-XL's last term depends on neither word", () => {
    const all = indexRange(0, 12);
    const last = (change: Partial<PanelState>) => {
      const { attention } = draw("xlnet", change);
      const term = attention.terms[3];
      if (term === undefined) throw new Error("there is no fourth term");
      return [...termMatrix(attention, term, all, all)];
    };
    expect(last({})).toEqual(last({ content: { seed: 9 } }));
  });

  test("T5 gives the distances 0 to 7 a bucket each", () => {
    const { encoding, params } = draw("t5");
    const rows = indexRange(0, 12).map((delta) => encoding.buckets?.(params)?.row(delta));
    expect(rows).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8]);
  });

  test("DeBERTa keeps the two middle terms and drops the last", () => {
    const roles = (change = {}) => draw("deberta", change).attention.terms.map(({ role }) => role);
    expect(roles()).toEqual(["content_content", "content_position", "position_content"]);
    const [both, one] = [draw("deberta"), draw("deberta", { changes: { pos_att_type: "c2p" } })];
    expect(one.attention.terms).toHaveLength(2);
    expect(one.attention.terms[0]?.scale).toBeGreaterThan(both.attention.terms[0]?.scale ?? 1);
  });

  test("plain RoPE reaches unseen angles beyond 4,096 tokens", () => {
    const { panel, ...resolved } = draw("beyond_training");
    const { trainingContext, source, currentLength } = resolveLengths(resolved, panel);
    expect([trainingContext, currentLength]).toEqual([4096, 16_384]);
    const data = computeExtrapolation(resolved, trainingContext, source, currentLength);
    expect(data.seen.distances).toBeLessThan(0.5);
  });
});
