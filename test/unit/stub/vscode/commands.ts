import { stub } from "./control.ts";
import { counted } from "./events.ts";

export const commands = {
  registerCommand: (id: string, handler: (...given: unknown[]) => unknown) => {
    if (stub.handlers.has(id)) throw new Error(`command ${id} is registered twice`);
    stub.handlers.set(id, handler);
    return counted("registrations", () => stub.handlers.delete(id));
  },
  executeCommand: async (id: string, ...given: unknown[]) => {
    if (id === "setContext") stub.contexts.set(String(given[0]), given[1]);
    else return stub.handlers.get(id)?.(...given);
    return undefined;
  },
};
