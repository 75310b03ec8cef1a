import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Endpoint, type Port } from "../../../../src/core/protocol/endpoint.ts";
import { readPanelLink, readPanelState } from "../../../../src/core/protocol/guards.ts";
import { initialPanelState } from "../../../../src/core/protocol/state.ts";
import { type Disposable, DisposableStore } from "../../../../src/core/util/disposable.ts";

const ping = v.object({ type: v.literal("ping"), count: v.number() });
const requests = {
  double: { argument: v.number(), answer: v.number() },
  ask: { argument: v.string(), answer: v.string(), untimed: true },
} as const;

type Ping = v.InferOutput<typeof ping>;

/** Two ports connected by structured clones, as between a host and its page. */
function connectPorts(): { left: Port; right: Port; listeners: () => number; toLeft: (message: unknown) => void } {
  const handlers = { left: new Set<(message: unknown) => void>(), right: new Set<(message: unknown) => void>() };
  const deliver = (side: keyof typeof handlers, message: unknown) => {
    for (const handler of handlers[side]) handler(message);
  };
  const port = (own: keyof typeof handlers, other: keyof typeof handlers): Port => ({
    post: (message) => {
      const copy: unknown = structuredClone(message);
      queueMicrotask(() => deliver(other, copy));
    },
    listen: (handler): Disposable => {
      handlers[own].add(handler);
      return { dispose: () => void handlers[own].delete(handler) };
    },
  });
  return {
    left: port("left", "right"),
    right: port("right", "left"),
    listeners: () => handlers.left.size + handlers.right.size,
    toLeft: (message) => deliver("left", message),
  };
}

function setUp(handlers: { double?: (n: number) => number | Promise<number>; ask?: () => Promise<string> } = {}) {
  const ends = connectPorts();
  const log: string[] = [];
  const received: Ping[] = [];
  const common = {
    sends: ping,
    receives: ping,
    log: (_: string, message: string) => void log.push(message),
    timeoutMs: 1000,
  };
  const caller = new Endpoint({
    ...common,
    port: ends.left,
    calls: requests,
    serves: {},
    handlers: {},
    onMessage: (message) => void received.push(message),
  });
  const server = new Endpoint({
    ...common,
    port: ends.right,
    calls: {},
    serves: requests,
    handlers: { double: handlers.double ?? ((n) => n * 2), ask: handlers.ask ?? (async () => "yes") },
    onMessage: (message) => void received.push(message),
  });
  return { ...ends, caller, server, log, received };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the message endpoint", () => {
  it("delivers messages that match the schema", async () => {
    const { caller, received } = setUp();
    caller.send({ type: "ping", count: 3 });
    await vi.runAllTimersAsync();
    expect(received).toEqual([{ type: "ping", count: 3 }]);
  });

  it("logs and drops a message that breaks the schema, with its type", () => {
    const { toLeft, received, log } = setUp();
    toLeft({ type: "ping", count: "three" });
    toLeft({ type: "pong" });
    toLeft("noise");
    toLeft({ type: "response", id: "x" });
    expect(received).toEqual([]);
    expect(log.map((line) => line.split(":")[0])).toEqual([
      "dropped ping",
      "dropped pong",
      "dropped a message without a type",
      "dropped response",
    ]);
  });

  it("does not send a message that breaks its own schema", async () => {
    const { caller, received, log } = setUp();
    caller.send({ type: "ping", count: Number.NaN });
    await vi.runAllTimersAsync();
    expect(received).toEqual([]);
    expect(log[0]).toContain("not sent, ping: count");
  });

  it("answers a request", async () => {
    const { caller } = setUp();
    await expect(caller.call("double", 21)).resolves.toBe(42);
  });

  it("gives each of several requests its own answer in any order", async () => {
    const { caller } = setUp({
      double: async (n) => (n === 1 ? new Promise((done) => setTimeout(() => done(2), 500)) : n * 2),
    });
    const both = Promise.all([caller.call("double", 1), caller.call("double", 2)]);
    await vi.runAllTimersAsync();
    await expect(both).resolves.toEqual([2, 4]);
  });

  it("rejects with the reason if the handler throws", async () => {
    const { caller } = setUp({
      double: () => {
        throw new Error("no more numbers");
      },
    });
    await expect(caller.call("double", 1)).rejects.toThrow("no more numbers");
  });

  it("rejects an answer that breaks the schema before sending it", async () => {
    const { caller } = setUp({ double: () => Number.NaN });
    await expect(caller.call("double", 1)).rejects.toThrow("NaN");
  });

  it("refuses unknown requests, including names of prototype properties", async () => {
    const { left } = setUp();
    const answers: unknown[] = [];
    left.listen((message) => void answers.push(message));
    for (const name of ["triple", "toString"]) left.post({ type: "request", id: 1, name, argument: 1 });
    await vi.runAllTimersAsync();
    const refusal = { type: "response", id: 1, result: { ok: false, error: "unknown request" } };
    expect(answers).toEqual([refusal, refusal]);
  });

  it("rejects a request after the time limit and ignores a late answer", async () => {
    const { caller } = setUp({ double: () => new Promise((done) => setTimeout(() => done(2), 5000)) });
    const call = caller.call("double", 1);
    const outcome = expect(call).rejects.toThrow("double: no answer within 1000 ms");
    await vi.advanceTimersByTimeAsync(1000);
    await outcome;
    await vi.advanceTimersByTimeAsync(5000);
  });

  it("waits for a user without a time limit", async () => {
    const { caller } = setUp({ ask: () => new Promise((done) => setTimeout(() => done("late"), 3_600_000)) });
    const call = caller.call("ask", "where?");
    await vi.advanceTimersByTimeAsync(3_600_000);
    await expect(call).resolves.toBe("late");
  });

  it("rejects pending and later requests when disposed, and removes its listeners", async () => {
    const { caller, server, listeners } = setUp({ double: () => new Promise(() => undefined) });
    const pending = expect(caller.call("double", 1)).rejects.toThrow("closed");
    caller.dispose();
    caller.dispose();
    server.dispose();
    await pending;
    await expect(caller.call("double", 1)).rejects.toThrow("closed");
    expect(listeners()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a disposable store", () => {
  it("disposes its members once in reverse order, and members added later at once", () => {
    const gone: string[] = [];
    const item = (name: string) => ({ dispose: () => void gone.push(name) });
    const store = new DisposableStore();
    store.add(item("first"));
    store.add(item("second"));
    store.dispose();
    store.dispose();
    store.add(item("late"));
    expect(gone).toEqual(["second", "first", "late"]);
  });

  it("disposes the other members if one throws", () => {
    const store = new DisposableStore();
    const last = vi.fn();
    store.add({ dispose: last });
    store.add({
      dispose: () => {
        throw new Error("stuck");
      },
    });
    expect(() => store.dispose()).toThrow("stuck");
    expect(last).toHaveBeenCalledOnce();
  });
});

describe("the state guards", () => {
  it("accept a stored state", () => {
    const state = initialPanelState("alibi");
    expect(readPanelState(structuredClone(state))).toEqual(state);
  });

  it.each([
    ["a missing state", undefined],
    ["another version", { ...initialPanelState("rope"), version: 2 }],
    ["an unknown encoding", { ...initialPanelState("rope"), encoding: "rotary" }],
    ["a negative head", { ...initialPanelState("rope"), head: -1 }],
    [
      "an infinite viewport",
      { ...initialPanelState("rope"), viewport: { row: 0, column: 0, rows: 1 / 0, columns: 1 } },
    ],
  ])("refuse %s", (_, value) => {
    expect(readPanelState(value)).toBeUndefined();
  });

  it("complete a link from its encoding and values", () => {
    const link = readPanelLink({ encoding: "rope", changes: { rope_theta: 500000 } });
    expect(link).toEqual({ ...initialPanelState("rope"), changes: { rope_theta: 500000 } });
  });

  it.each([
    [null],
    ["rope"],
    [{ changes: {} }],
    [{ encoding: "rope", changes: { a: { b: 1 } } }],
    [{ encoding: "rope", head: 0.5 }],
  ])("refuse the link %j", (value) => {
    expect(readPanelLink(value)).toBeUndefined();
  });
});
