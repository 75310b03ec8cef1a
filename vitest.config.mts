import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Suites that drive Chromium wait for states, not for times: the limit is for what never comes. */
const browser = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

export default defineConfig({
  test: {
    environment: "node",
    maxWorkers: 2,
    alias: { vscode: fileURLToPath(new URL("test/unit/stub/vscode.ts", import.meta.url)) },
    projects: [
      { extends: true, test: { name: "unit", include: ["test/unit/**/*.test.ts"] } },
      { extends: true, test: { name: "golden", include: ["test/golden/**/*.test.ts"], testTimeout: 60_000 } },
      { extends: true, test: { name: "cli", include: ["test/cli/**/*.test.ts"], testTimeout: 30_000 } },
      { extends: true, test: { ...browser, name: "webview", maxWorkers: 2, include: ["test/webview/**/*.test.ts"] } },
      {
        extends: true,
        // One at a time: a workbench is heavy, and so is each beside it.
        test: {
          ...browser,
          name: "workbench",
          fileParallelism: false,
          maxWorkers: 1,
          include: ["test/workbench/**/*.test.ts"],
        },
      },
    ],
  },
});
