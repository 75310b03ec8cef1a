import * as v from "valibot";
import type { Params } from "../spec.ts";
import { initialPanelState, type PanelState, panelStateSchema } from "./state.ts";

/** Validates a panel state from outside (a saved page, a command link); undefined if it is invalid. */
export function readPanelState(value: unknown): PanelState | undefined {
  const result = v.safeParse(panelStateSchema, value);
  return result.success ? result.output : undefined;
}

/** Validates parameter values from outside; undefined if they are invalid. */
export function readParams(value: unknown): Params | undefined {
  const result = v.safeParse(panelStateSchema.entries.changes, value);
  return result.success ? result.output : undefined;
}

/** Contents of a panel link: an encoding, and any part of the state. */
const linkSchema = v.object({
  ...v.partial(panelStateSchema).entries,
  encoding: panelStateSchema.entries.encoding,
});

/** Validates the argument of a command link; undefined if any part of it is invalid. */
export function readPanelLink(value: unknown): PanelState | undefined {
  const result = v.safeParse(linkSchema, value);
  if (!result.success) return undefined;
  return readPanelState({
    ...initialPanelState(result.output.encoding),
    ...result.output,
  });
}

/** Where a message violates its schema, for the log: "state.view: Expected …". */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${v.getDotPath(issue) ?? "message"}: ${issue.message}`)
    .join("; ");
}
