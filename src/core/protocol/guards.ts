import * as v from "valibot";
import type { Params } from "../spec.ts";
import { initialPanelState, type PanelState, panelStateSchema } from "./state.ts";

/** A state from outside (a saved page, a command link), or undefined if it is not one. */
export function readPanelState(value: unknown): PanelState | undefined {
  const result = v.safeParse(panelStateSchema, value);
  return result.success ? result.output : undefined;
}

/** Values of parameters from outside, or undefined if they are none. */
export function readParams(value: unknown): Params | undefined {
  const result = v.safeParse(panelStateSchema.entries.changes, value);
  return result.success ? result.output : undefined;
}

/** What a link into the panel may say: an encoding, and over the fresh state what it likes. */
const linkSchema = v.object({
  ...v.partial(panelStateSchema).entries,
  encoding: panelStateSchema.entries.encoding,
});

/** The argument of a command link, or undefined if anything in it is not what a state holds. */
export function readPanelLink(value: unknown): PanelState | undefined {
  const result = v.safeParse(linkSchema, value);
  if (!result.success) return undefined;
  return readPanelState({
    ...initialPanelState(result.output.encoding),
    ...result.output,
  });
}

/** "state.view: Expected …", for the log: where a message breaks its schema. */
export function describeIssues(issues: readonly v.BaseIssue<unknown>[]): string {
  return issues
    .slice(0, 3)
    .map((issue) => `${v.getDotPath(issue) ?? "message"}: ${issue.message}`)
    .join("; ");
}
