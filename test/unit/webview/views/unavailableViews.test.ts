import { beforeAll, describe, expect, test, vi } from "vitest";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { initialPanelState, type PanelState } from "../../../../src/core/protocol/state.ts";
import type { EncodingId } from "../../../../src/core/spec.ts";
import { derivePanelEncoding } from "../../../../webview/state/panelEncoding.ts";
import type { View } from "../../../../webview/views/view.ts";

/** Views draw with page elements; their reasons need none. */
class NoElement {}

vi.mock("../../../../webview/ui/toolkit.ts", () => ({
  badge: null,
  button: null,
  checkbox: null,
  dropdown: null,
  tabs: null,
}));

let views: readonly View[] = [];

beforeAll(async () => {
  vi.stubGlobal("HTMLElement", NoElement);
  vi.stubGlobal("customElements", { define: () => undefined, get: () => undefined });
  const nothing = () => ({ getContext: () => null });
  vi.stubGlobal("document", { createElement: nothing, createTreeWalker: nothing, createComment: nothing });
  ({ VIEWS: views } = await import("../../../../webview/views/index.ts"));
});

const VARIANTS: readonly { id: EncodingId; changes: PanelState["changes"] }[] = ENCODINGS.flatMap(
  ({ id, parameters }) => [
    { id, changes: {} },
    ...parameters.flatMap(({ name, choices = [] }) => choices.map(({ value }) => ({ id, changes: { [name]: value } }))),
  ],
);

/** Titles of the views that a text refers to. */
function referencedViews(text: string): string[] {
  const titles = views.map(({ title }) => title());
  const words = [...text.matchAll(/[Ss]ee the ([A-Z]\w+)(?: and ([A-Z]\w+))? views?\b/g)];
  return words.flatMap((match) => match.slice(1)).filter((word) => word !== undefined && titles.includes(word));
}

describe("an unavailable view", () => {
  test.each(VARIANTS)("of $id $changes gives a reason", ({ id, changes }) => {
    const drawable = derivePanelEncoding(
      { ...initialPanelState(id), keyLength: 32, queryLength: 32, changes },
      null,
    )?.resolved;
    if (drawable === null || drawable === undefined) throw new Error("cannot be drawn");
    const why = new Map(views.map((view) => [view.title(), view.whyUnavailable(drawable)]));
    expect(why.get("Scores")).toBeNull();
    for (const text of why.values()) {
      if (text === null) continue;
      expect(text.length).toBeGreaterThan(30);
      for (const title of referencedViews(text)) expect([text, why.get(title)]).toEqual([text, null]);
    }
  });

  test("refers to available views", () => {
    const textOf = (id: EncodingId, title: string) => {
      const drawable = derivePanelEncoding(initialPanelState(id), null)?.resolved;
      if (drawable === null || drawable === undefined) throw new Error("cannot be drawn");
      return views.find((view) => view.title() === title)?.whyUnavailable(drawable) ?? "";
    };
    expect(referencedViews(textOf("rerope", "Table"))).toEqual(["Rotation", "Scores"]);
    expect(referencedViews(textOf("alibi", "Frequencies"))).toEqual(["Curves"]);
  });
});
