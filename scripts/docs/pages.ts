import { ENCODINGS } from "../../src/core/encodings/index.ts";
import { encodingsPage } from "./encodingsPage.ts";

/** Pages of `docs/` that are made from the code, by file name. */
export const pages: Readonly<Record<string, () => string>> = {
  "encodings.md": () => encodingsPage(ENCODINGS),
};
