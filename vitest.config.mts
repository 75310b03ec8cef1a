import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** No test depends on speed: these limits are for what never comes. */
const limits = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

export default defineConfig({
  test: {
    environment: "node",
    // A browser or a compiler beside each fills two cores.
    maxWorkers: 2,
    ...limits,
    alias: { vscode: fileURLToPath(new URL("test/unit/stub/vscode.ts", import.meta.url)) },
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], setupFiles: "test/unit/support/patience.ts" },
      },
      { extends: true, test: { name: "golden", include: ["test/golden/**/*.test.ts"] } },
      { extends: true, test: { name: "cli", include: ["test/cli/**/*.test.ts"] } },
      { extends: true, test: { name: "webview", include: ["test/webview/**/*.test.ts"] } },
      { extends: true, test: { name: "workbench", include: ["test/workbench/**/*.test.ts"] } },
    ],
  },
});
