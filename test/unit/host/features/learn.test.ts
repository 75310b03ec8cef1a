import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { URI } from "vscode-uri";
import { lessonPanelState } from "../../../../src/core/learn/lessonState.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import { activate } from "../../../../src/host/extension.ts";
import { LessonProgress } from "../../../../src/host/stores/lessonProgress.ts";
import { stub } from "../../stub/vscode.ts";
import { eventually } from "../../support/eventually.ts";
import { ready } from "../../support/panelPage.ts";

const subscriptions: { dispose(): unknown }[] = [];
const values = new Map<string, unknown>();
const memory = {
  keys: () => [...values.keys()],
  get: <T>(key: string, fallback?: T) => (values.has(key) ? (values.get(key) as T) : (fallback as T)),
  update: async (key: string, value: unknown) => void values.set(key, value),
  setKeysForSync: () => undefined,
};

function start(): void {
  stub.reset();
  activate({ extensionUri: URI.file("/extension"), subscriptions, globalState: memory });
}

function stop(): void {
  for (const subscription of subscriptions.splice(0).reverse()) subscription.dispose();
}

beforeEach(() => {
  values.clear();
  start();
});
afterEach(stop);

const learn = () => stub.handlers.get("posenc.learn")?.();
const send = (lesson: "rope" | "t5") =>
  stub.panels.at(-1)?.messages.fire({ type: "state", state: lessonPanelState(lesson) });

describe("Position Encodings: Learn", () => {
  test("opens the first step in a panel with the step's title", async () => {
    await learn();
    expect((await ready()).state).toEqual(lessonPanelState("order"));
    expect(stub.panels.at(-1)?.title).toBe("Learn: Attention cannot see order");
  });

  test("has one panel, apart from those of encodings, and goes on where the user is", async () => {
    await stub.handlers.get("posenc.openPanel")?.(initialPanelState("rope"));
    await learn();
    await ready();
    expect(stub.panels).toHaveLength(2);
    send("rope");
    await eventually(() => expect(stub.panels.at(-1)?.title).toMatch(/^Learn: RoPE/));
    await learn();
    await stub.handlers.get("posenc.openPanel")?.(initialPanelState("rope"));
    expect(stub.panels).toHaveLength(2);
    expect((await ready()).state.lesson).toBe("rope");
  });

  test("goes on after the window was closed", async () => {
    await learn();
    await ready();
    send("t5");
    await eventually(() => expect(values.size).toBe(1));
    stop();
    start();
    await learn();
    expect((await ready()).state).toEqual(lessonPanelState("t5"));
  });

  test("begins at the first step if another version saved one that does not exist", () => {
    values.set("posenc.lessonStep", "__proto__");
    expect(new LessonProgress(memory).step).toBe("order");
    values.set("posenc.lessonStep", { a: 1 });
    expect(new LessonProgress(memory).step).toBe("order");
    expect(new LessonProgress(undefined).step).toBe("order");
  });
});
