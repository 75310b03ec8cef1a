import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Suites that drive Chromium: one at a time, in one worker, so that no picture waits for another's. */
const browser = { fileParallelism: false, maxWorkers: 1, testTimeout: 120_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    environment: "node",
    maxWorkers: 2,
    alias: { vscode: fileURLToPath(new URL("test/unit/stub/vscode.ts", import.meta.url)) },
    projects: [
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      { extends: true, test: { name: "golden", include: ["test/golden/**/*.test.ts"], testTimeout: 60_000 } },
      { extends: true, test: { name: "cli", include: ["test/cli/**/*.test.ts"], testTimeout: 30_000 } },
      { extends: true, test: { ...browser, name: "webview", include: ["test/webview/**/*.test.ts"] } },
      { extends: true, test: { ...browser, name: "workbench", include: ["test/workbench/**/*.test.ts"] } },
    ],
  },
});
