import type { Plugin } from "esbuild";
import { extractedStrings, readChineseStrings } from "./l10n.ts";
import { largeJsonModule } from "./largeJson.ts";

/** The pages carry the translations that they can show, without those of the extension host and the command line. */
export const pageStrings: Plugin = {
  name: "page-strings",
  setup(setup) {
    setup.onLoad({ filter: /zh-cn\.json$/ }, async () => {
      const shown = new Set(await extractedStrings(["src/core/**/*.ts", "webview/**/*.ts"]));
      const strings = Object.entries(readChineseStrings()).filter(([english]) => shown.has(english));
      return { contents: largeJsonModule(Object.fromEntries(strings)), loader: "js" };
    });
  },
};
