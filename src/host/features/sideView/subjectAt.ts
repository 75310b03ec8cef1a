import type { SideSubject } from "../../../core/protocol/side.ts";
import { notebookOf } from "../../platform/notebooks.ts";
import type { Services } from "../../services.ts";
import type { Place } from "./activeLocation.ts";
import { codeSubject, isExplained } from "./codeSubject.ts";
import { configSubject } from "./configSubject.ts";

export interface Found {
  readonly subject: SideSubject;
  /** Else the subject holds what could be read, and a finding that says why. */
  readonly readable: boolean;
}

const CHECKPOINT = /\.(?:gguf|safetensors)$/i;

/** What a file says of positions, at its cursor where that matters; undefined where it says nothing. */
export async function subjectAt(
  services: Services,
  { uri, document, position }: Place,
  outdated: () => boolean,
): Promise<Found | undefined> {
  if (document === undefined)
    return CHECKPOINT.test(uri.path) ? configSubject(services, await services.configs.read(uri), null) : undefined;
  if (await services.configs.isConfig(document))
    return configSubject(services, await services.configs.readDocument(document), document.getText());
  if (position === undefined || !(isExplained(document) || notebookOf(document) !== undefined)) return undefined;
  const subject = await codeSubject(services, document, position, outdated);
  return subject === undefined ? undefined : { subject, readable: true };
}
