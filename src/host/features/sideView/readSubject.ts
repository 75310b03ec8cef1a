import type { SideSubject } from "../../../core/protocol/side.ts";
import { findNotebook } from "../../platform/notebooks.ts";
import type { Services } from "../../services.ts";
import type { ActiveLocation } from "./activeLocation.ts";
import { isExplainable, readCodeSubject } from "./codeSubject.ts";
import { readConfigSubject } from "./configSubject.ts";

export interface SubjectReading {
  readonly subject: SideSubject;
  /** If false, the subject contains only what could be read, and a finding that says why. */
  readonly readable: boolean;
}

const CHECKPOINT_FILE = /\.(?:gguf|safetensors)$/i;

/** Position encodings of a file, at the cursor if it is code; undefined if there are none. */
export async function readSubject(
  services: Services,
  { uri, document, position }: ActiveLocation,
  isOutdated: () => boolean,
): Promise<SubjectReading | undefined> {
  if (document === undefined)
    return CHECKPOINT_FILE.test(uri.path)
      ? readConfigSubject(services, await services.configs.read(uri), null)
      : undefined;
  if (await services.configs.isConfig(document))
    return readConfigSubject(services, await services.configs.readDocument(document), document.getText());
  if (position === undefined || !(isExplainable(document) || findNotebook(document) !== undefined)) return undefined;
  const subject = await readCodeSubject(services, document, position, isOutdated);
  return subject === undefined ? undefined : { subject, readable: true };
}
