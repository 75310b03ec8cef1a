import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm/dist/index";
import { setBackend } from "@tensorflow/tfjs-core/dist/base";
import * as l10n from "@vscode/l10n";
import { UserError } from "../../core/util/errors.ts";

/**
 * Starts the WASM backend.
 * @param folder that has the backend's .wasm files, ending with a slash
 * @throws UserError if it cannot be loaded
 */
export async function startWasm(folder: string): Promise<void> {
  setWasmPaths(folder);
  if (!(await setBackend("wasm"))) throw new UserError(l10n.t("WebAssembly cannot be used here"));
}
