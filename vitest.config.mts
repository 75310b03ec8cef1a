import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** No test depends on speed. What never comes costs a minute, and half of one where a test says what it waits for. */
const limits = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000 } } };

export default defineConfig({
  test: {
    environment: "node",
    // A browser or a compiler beside each fills two cores.
    maxWorkers: 2,
    ...limits,
    alias: [
      { find: "vscode", replacement: fileURLToPath(new URL("test/unit/stub/vscode.ts", import.meta.url)) },
      // Node cannot load the ES modules that bundles are made of; the packages' own builds for Node are the same code.
      { find: /^(@tensorflow\/tfjs-core)\/dist\/base$/, replacement: "$1" },
      { find: /^(@tensorflow\/tfjs-backend-wasm)\/dist\/index$/, replacement: "$1" },
    ],
    projects: [
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      { extends: true, test: { name: "golden", include: ["test/golden/**/*.test.ts"] } },
      { extends: true, test: { name: "cli", include: ["test/cli/**/*.test.ts"] } },
      { extends: true, test: { name: "hostile", include: ["test/hostile/**/*.test.ts"] } },
      { extends: true, test: { name: "webview", include: ["test/webview/**/*.test.ts"] } },
      { extends: true, test: { name: "workbench", include: ["test/workbench/**/*.test.ts"] } },
    ],
  },
});
