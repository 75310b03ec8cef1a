import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCounterpart } from "../../../../src/core/config/compare/counterpart.ts";
import { buildAttention } from "../../../../src/core/encodings/buildAttention.ts";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingSpec } from "../../../../src/core/spec.ts";
import { logitMatrix } from "../../../../src/core/terms/engine.ts";
import { modelSoftmaxScale, resolveScaleParts, withSoftmaxScale } from "../../../../src/core/terms/softmaxScale.ts";
import { NO_CHECKPOINT_DATA } from "../../../../webview/state/checkpointData.ts";
import { resolveComparison } from "../../../../webview/state/comparison.ts";
import { compareWithEncoding, compareWithUnchanged, swapSides } from "../../../../webview/state/comparisonChanges.ts";
import { NO_HISTORY, recordChange, redo, undo } from "../../../../webview/state/history.ts";
import type { Page } from "../../../../webview/state/page.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import {
  changeColour,
  changeCrosshair,
  changeKeyLength,
  changeParam,
  chooseView,
  setField,
} from "../../../../webview/state/reducers.ts";
import { bestMatch, type ChoiceGroups, filterChoices } from "../../../../webview/ui/search.ts";

const start = initialPanelState("rope");

describe("the history of changes", () => {
  const steps = [
    changeParam("rope_theta", 100),
    changeParam("factor", 2),
    changeKeyLength(64),
    setField("head", 3),
    compareWithEncoding("alibi"),
    swapSides,
    chooseView("attention"),
    changeCrosshair({ row: 3, column: 4 }),
  ];

  it("undoes and redoes all changes, whatever view is shown", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: steps.length - 1 }), { maxLength: 20 }), (chosen) => {
        let panel: PanelState = start;
        let history = NO_HISTORY;
        chosen.forEach((n, at) => {
          const next = steps[n]?.(panel) ?? panel;
          history = recordChange(history, panel, next, at * 10_000);
          panel = next;
        });
        const end = panel;
        const { past } = history;
        for (let back = undo(history, panel); back !== null; back = undo(history, panel)) ({ history, panel } = back);
        const { view, viewport, crosshair, picked, colour, scales } = end;
        expect(panel).toEqual({ ...start, view, viewport, crosshair, picked, colour, scales });
        for (let on = redo(history, panel); on !== null; on = redo(history, panel)) ({ history, panel } = on);
        expect(panel).toEqual(end);
        expect(history.past).toEqual(past);
      }),
    );
  });

  it("combines quick changes of one control into one step, but not of two controls", () => {
    const theta = (value: number) => changeParam("rope_theta", value);
    let history = recordChange(NO_HISTORY, start, theta(1)(start), 0);
    history = recordChange(history, theta(1)(start), theta(2)(start), 400);
    history = recordChange(history, theta(2)(start), theta(3)(start), 1300);
    expect(history.past).toHaveLength(1);
    expect(recordChange(history, theta(3)(start), theta(4)(start), 9000).past).toHaveLength(2);
    const both = setField("head", 1)(theta(3)(start));
    expect(recordChange(history, theta(3)(start), both, 1400).past).toHaveLength(2);
  });

  it("drops undone changes after a new one, and keeps thirty steps", () => {
    let panel: PanelState = start;
    let history = NO_HISTORY;
    for (let n = 1; n <= 50; n++) {
      const next = setField("shift", n)(panel);
      history = recordChange(history, panel, next, n * 10_000);
      panel = next;
    }
    expect(history.past).toHaveLength(30);
    const back = undo(history, panel);
    if (back === null) throw new Error("there is something to take back");
    expect(back.history.future).toHaveLength(1);
    expect(recordChange(back.history, back.panel, setField("head", 9)(back.panel), 0).future).toEqual([]);
  });
});

describe("the colour scale", () => {
  it("is kept for the view in which it was chosen", () => {
    const rows = changeColour({ scale: "row" })(chooseView("attention")(start));
    expect(chooseView("scores")(rows).colour.scale).toBe("linear");
    expect(chooseView("attention")(chooseView("scores")(rows)).colour.scale).toBe("row");
    expect(chooseView("attention")(start).colour.scale).toBe("log");
  });
});

describe("the search in lists", () => {
  const list: ChoiceGroups = [
    {
      label: "kinds",
      choices: [
        { value: "1", label: "ALiBi", detail: "attention with linear biases", keywords: "BLOOM MPT" },
        { value: "2", label: "RoPE", keywords: "rotary Llama" },
      ],
    },
    { label: "models", choices: [{ value: "3", label: "Llama 3.1 8B", detail: "RoPE (llama3)" }] },
  ];
  const found = (query: string) =>
    filterChoices(list, query).flatMap(({ choices }) => choices.map(({ value }) => value));

  it("finds all words anywhere, regardless of case and punctuation", () => {
    expect(found("")).toEqual(["1", "2", "3"]);
    expect(found("LLAMA")).toEqual(["2", "3"]);
    expect(found("llama 8b")).toEqual(["3"]);
    expect(found("linear-bias")).toEqual(["1"]);
    expect(found("mamba")).toEqual([]);
  });

  it("prefers a name that starts with the words to one that contains them", () => {
    expect(bestMatch(filterChoices(list, "llama"), "llama")?.value).toBe("3");
    expect(bestMatch(filterChoices(list, "bloom"), "bloom")?.value).toBe("1");
    expect(bestMatch(list, " ")).toBeNull();
    expect(bestMatch([], "x")).toBeNull();
  });
});

describe("a custom softmax scale", () => {
  it("replaces the model's scale in every encoding, and keeps biases and other factors", () => {
    for (const encoding of ENCODINGS) {
      const state = { ...initialPanelState(encoding.id), keyLength: 24, queryLength: 24 };
      const drawable = derivePanelEncoding(state, null)?.resolved;
      if (drawable == null) throw new Error(`${encoding.id} cannot be drawn`);
      const { attention, params, scene } = drawable;
      const own = modelSoftmaxScale(attention.terms);
      const same = buildAttention(encoding, params, { ...scene, softmaxScale: own }, attention.mask);
      const [before, after] = [attention, same].map((each) => logitMatrix(each, [20], [0, 5, 20]));
      for (const [n, value] of (before ?? new Float64Array()).entries()) expect(after?.[n]).toBeCloseTo(value, 9);
      for (const term of withSoftmaxScale(attention.terms, 3)) {
        const parts = resolveScaleParts(term).reduce((product, { value }) => product * value, 1);
        expect(parts).toBeCloseTo(term.scale, 12);
        if (term.kind === "bias" && attention.terms.find(({ id }) => id === term.id)?.scale === 1)
          expect(term.scale).toBe(1);
      }
    }
  });

  it("keeps YaRN's factor", () => {
    const changes = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 4096 };
    const [term] =
      derivePanelEncoding({ ...start, changes, softmaxScale: 0.25 }, null)?.resolved?.attention.terms ?? [];
    if (term === undefined) throw new Error("there is a term");
    expect(resolveScaleParts(term).map(({ text }) => text)).toEqual(["0.25", "1.138629² (YaRN)"]);
  });
});

describe("the sides of a comparison", () => {
  const page = (panel: PanelState): Page => ({
    panel,
    config: null,
    configProblem: null,
    checkpoint: NO_CHECKPOINT_DATA,
    language: "en",
    theme: "dark",
    drawing: { busy: false, progress: null, result: null, error: null, mode: null },
    readoutCell: null,
    errorMessage: null,
    visible: true,
  });

  it("are the panel with and without its changes", () => {
    const changed = compareWithUnchanged(changeParam("rope_theta", 5)(start));
    const comparison = resolveComparison(page(changed));
    if (comparison.kind !== "ready") throw new Error("both can be drawn");
    const { a, b, shortened } = comparison.sides;
    expect([a.params["rope_theta"], b.params["rope_theta"]]).toEqual([5, 10_000]);
    expect(shortened).toBeNull();
    expect(swapSides(swapSides(changed))).toEqual(changed);
  });

  it("give a reason if one of them cannot be drawn", () => {
    const odd = compareWithEncoding("rope", { head_dim: 7 })(start);
    expect(resolveComparison(page(odd))).toEqual({ kind: "blocked", reason: expect.stringMatching(/^head_dim: /) });
    const bound = {
      ...start,
      compare: { encoding: "rope", config: { uri: "file:///x", index: 0 }, given: null, changes: {} },
    };
    expect(resolveComparison({ ...page(bound), comparedProblem: "gone" })).toEqual({ kind: "blocked", reason: "gone" });
    expect(resolveComparison(page(bound))).toEqual({ kind: "blocked", reason: expect.stringMatching(/reading/) });
  });

  it("select the closest match in another config: same stack, then same layers, then same encoding", () => {
    const spec = (where: string, layers: EncodingSpec["layers"], encoding = "rope"): EncodingSpec => ({
      encoding,
      where,
      layers,
      params: {},
      sources: {},
      evidence: [],
      confidence: "checked",
    });
    const others = [spec("vision", "all"), spec("text", [0, 1]), spec("text", "all", "alibi")];
    expect(findCounterpart(spec("text", "all"), others)).toBe(2);
    expect(findCounterpart(spec("text", [0, 1]), others)).toBe(1);
    expect(findCounterpart(spec("audio", [3]), others)).toBe(0);
  });
});
