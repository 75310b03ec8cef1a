import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../../scripts/lib/root.ts";

export { root };

/** @param file path from the repository's root */
export const readRepositoryFile = (file: string): string => readFileSync(path.join(root, file), "utf8");

/** @param file path in test/fixtures */
export const readFixture = (file: string): string => readRepositoryFile(`test/fixtures/${file}`);
