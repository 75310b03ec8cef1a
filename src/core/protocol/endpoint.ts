import * as v from "valibot";
import type { Disposable } from "../util/disposable.ts";
import { errorMessage } from "../util/errors.ts";
import { describeIssues } from "./guards.ts";

/** A channel for structured clones: a webview, `acquireVsCodeApi`, a worker or a MessagePort. */
export interface Port {
  post(message: unknown): void;
  listen(handler: (message: unknown) => void): Disposable;
}

interface RequestSchema {
  readonly argument: v.GenericSchema;
  readonly answer: v.GenericSchema;
  /** The other side asks the user, so there is no time limit. */
  readonly untimed?: boolean;
}

export type RequestTable = Readonly<Record<string, RequestSchema>>;
type RequestArgument<R extends RequestSchema> = v.InferOutput<R["argument"]>;
type RequestAnswer<R extends RequestSchema> = v.InferOutput<R["answer"]>;

export type Handlers<Table extends RequestTable> = {
  readonly [Name in keyof Table]: (
    argument: RequestArgument<Table[Name]>,
  ) => RequestAnswer<Table[Name]> | Promise<RequestAnswer<Table[Name]>>;
};

export type Log = (level: "warn" | "error", message: string) => void;

export interface EndpointOptions<
  Sent extends { readonly type: string },
  Received extends { readonly type: string },
  Calls extends RequestTable,
  Serves extends RequestTable,
> {
  readonly port: Port;
  readonly sends: v.GenericSchema<unknown, Sent>;
  readonly receives: v.GenericSchema<unknown, Received>;
  readonly onMessage: (message: Received) => void;
  /** Requests that this side sends. */
  readonly calls: Calls;
  /** Requests that this side answers. */
  readonly serves: Serves;
  readonly handlers: Handlers<Serves>;
  readonly log: Log;
  /** Time limit of a request in milliseconds. */
  readonly timeoutMs?: number;
}

const requestSchema = v.object({
  type: v.literal("request"),
  id: v.number(),
  name: v.string(),
  argument: v.unknown(),
});
const responseSchema = v.object({
  type: v.literal("response"),
  id: v.number(),
  result: v.variant("ok", [
    v.object({ ok: v.literal(true), value: v.unknown() }),
    v.object({ ok: v.literal(false), error: v.string() }),
  ]),
});
const messageSchema = v.looseObject({ type: v.string() });

type ResponseMessage = v.InferOutput<typeof responseSchema>;

interface PendingRequest {
  readonly name: string;
  readonly answer: v.GenericSchema;
  settle(result: ResponseMessage["result"]): void;
}

// Available in hosts, pages and workers; core's project includes neither Node's nor the DOM's types.
declare function setTimeout(run: () => void, milliseconds: number): number;
declare function clearTimeout(timer: number | undefined): void;

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * One end of a connection that validates every message against a schema, in both directions. Invalid messages are
 * logged with their type and dropped. A request always settles: with its answer, an error, the time limit, or when this
 * endpoint is disposed.
 */
export class Endpoint<
  Sent extends { readonly type: string },
  Received extends { readonly type: string },
  Calls extends RequestTable,
  Serves extends RequestTable,
> implements Disposable
{
  readonly #options: EndpointOptions<Sent, Received, Calls, Serves>;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #listening: Disposable;
  #nextId = 1;
  #disposed = false;

  constructor(options: EndpointOptions<Sent, Received, Calls, Serves>) {
    this.#options = options;
    this.#listening = options.port.listen((message) => this.#receive(message));
  }

  /** Sends a message. One that violates its own schema is a bug on this side and is not sent. */
  send(message: Sent): void {
    if (this.#disposed) return;
    const checked = v.safeParse(this.#options.sends, message);
    if (checked.success) this.#options.port.post(checked.output);
    else this.#options.log("error", `not sent, ${message.type}: ${describeIssues(checked.issues)}`);
  }

  /** Sends a request. Rejects on an error of the other side, an invalid answer, the time limit and dispose. */
  call<Name extends keyof Calls & string>(
    name: Name,
    argument: RequestArgument<Calls[Name]>,
  ): Promise<RequestAnswer<Calls[Name]>> {
    const schema = this.#options.calls[name];
    if (this.#disposed || schema === undefined) return Promise.reject(new Error(`${name}: the connection is closed`));
    const checked = v.safeParse(schema.argument, argument);
    if (!checked.success) return Promise.reject(new Error(`${name}: ${describeIssues(checked.issues)}`));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const timer = schema.untimed === true ? undefined : this.#startTimeout(id, name);
      this.#pending.set(id, {
        name,
        answer: schema.answer,
        settle: (result) => {
          clearTimeout(timer);
          this.#pending.delete(id);
          if (result.ok) resolve(result.value);
          else reject(new Error(result.error));
        },
      });
      this.#options.port.post({
        type: "request",
        id,
        name,
        argument: checked.output,
      });
    });
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#listening.dispose();
    for (const { name, settle } of [...this.#pending.values()])
      settle({ ok: false, error: `${name}: the connection is closed` });
  }

  #startTimeout(id: number, name: string): number {
    const limit = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const error = `${name}: no answer within ${limit} ms`;
    return setTimeout(() => this.#pending.get(id)?.settle({ ok: false, error }), limit);
  }

  #receive(message: unknown): void {
    const typed = v.safeParse(messageSchema, message);
    if (!typed.success) {
      this.#options.log("warn", "dropped a message without a type");
      return;
    }
    const { type } = typed.output;
    if (type === "request") void this.#answer(message);
    else if (type === "response") this.#settle(message);
    else this.#notify(type, message);
  }

  #notify(type: string, message: unknown): void {
    const checked = v.safeParse(this.#options.receives, message);
    if (!checked.success) {
      this.#options.log("warn", `dropped ${type}: ${describeIssues(checked.issues)}`);
      return;
    }
    try {
      this.#options.onMessage(checked.output);
    } catch (error) {
      this.#options.log("error", `${type}: ${errorMessage(error)}`);
    }
  }

  #settle(message: unknown): void {
    const response = v.safeParse(responseSchema, message);
    if (!response.success) {
      this.#options.log("warn", `dropped response: ${describeIssues(response.issues)}`);
      return;
    }
    const { id, result } = response.output;
    // The answer arrived after the time limit.
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    const checked = result.ok ? v.safeParse(pending.answer, result.value) : undefined;
    if (checked === undefined) pending.settle(result);
    else if (checked.success) pending.settle({ ok: true, value: checked.output });
    else
      pending.settle({
        ok: false,
        error: `${pending.name}: ${describeIssues(checked.issues)}`,
      });
  }

  async #answer(message: unknown): Promise<void> {
    const request = v.safeParse(requestSchema, message);
    if (!request.success) {
      this.#options.log("warn", `dropped request: ${describeIssues(request.issues)}`);
      return;
    }
    const { id, name, argument } = request.output;
    const result = await this.#serve(name, argument);
    if (!this.#disposed)
      this.#options.port.post({
        type: "response",
        id,
        result,
      } satisfies ResponseMessage);
  }

  async #serve(name: string, argument: unknown): Promise<ResponseMessage["result"]> {
    const schema = Object.hasOwn(this.#options.serves, name) ? this.#options.serves[name] : undefined;
    const handler = schema === undefined ? undefined : this.#options.handlers[name];
    if (schema === undefined || handler === undefined) return this.#refuse(name, "unknown request");
    const checked = v.safeParse(schema.argument, argument);
    if (!checked.success) return this.#refuse(name, describeIssues(checked.issues));
    try {
      const answer = v.safeParse(schema.answer, await handler(checked.output));
      return answer.success ? { ok: true, value: answer.output } : this.#refuse(name, describeIssues(answer.issues));
    } catch (error) {
      return this.#refuse(name, errorMessage(error));
    }
  }

  #refuse(name: string, reason: string): ResponseMessage["result"] {
    this.#options.log("warn", `request ${name}: ${reason}`);
    return { ok: false, error: reason };
  }
}
