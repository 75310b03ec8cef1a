import { describe, expect, it } from "vitest";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import { derivePanelEncoding, type ParameterControl } from "../../../../webview/state/panelEncoding.ts";

const SIZE = { keyLength: 16, queryLength: 16 };

/** Values that a slider can have. */
function sliderValues({ parameter: { slider, kind } }: ParameterControl): number[] {
  if (slider === undefined) return [];
  const { min, max, scale } = slider;
  const step = slider.step ?? (kind === "integer" ? 1 : 0);
  return [0, 0.13, 0.5, 0.77, 1].map((part) => {
    const value = scale === "log" ? min * (max / min) ** part : min + (max - min) * part;
    return step === 0 ? value : Math.min(max, min + Math.round((value - min) / step) * step);
  });
}

describe("the sliders of the parameters", () => {
  it.each(ENCODINGS.map(({ id }) => id))("%s: have only values that can be drawn", (id) => {
    const state = { ...initialPanelState(id), ...SIZE };
    for (const control of derivePanelEncoding(state, null)?.controls ?? []) {
      const { name } = control.parameter;
      for (const value of sliderValues(control)) {
        const model = derivePanelEncoding({ ...state, changes: { [name]: value } }, null);
        expect({ name, value, problems: model?.problems }).toEqual({ name, value, problems: [] });
        expect(model?.resolved).not.toBeNull();
      }
    }
  });
});
