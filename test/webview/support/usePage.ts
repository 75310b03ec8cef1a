import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { launchChromium } from "../../../scripts/lib/chromium.ts";
import type { LoadedPage } from "../../../scripts/lib/pages/loadedPage.ts";
import { type PageName, PanelServer } from "../../../scripts/lib/pages/panelPage.ts";

/** A page for the tests of a file, in one Chromium. Each test must end without an error or a policy violation. */
export function usePage<T extends LoadedPage>(loaded: T, name: PageName): T {
  let browser: Browser | undefined;
  let server: PanelServer | undefined;
  const renew = async () => {
    if (browser && server) loaded.attach(await browser.newPage(), server.url);
  };

  beforeAll(async () => {
    [browser, server] = await Promise.all([launchChromium(), PanelServer.start(name)]);
    await renew();
  });

  afterEach(async ({ task }) => {
    const errors = [...loaded.errors];
    if (task.result?.state === "fail") {
      // A hang must not affect the next test.
      await loaded.close();
      await renew();
    } else expect({ errors, refused: await loaded.refused() }).toEqual({ errors: [], refused: [] });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  return loaded;
}

/** Waits for an asynchronous state of the page. */
export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read);
}
