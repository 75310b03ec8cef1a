/** All ids that package.json contributes; the manifest test compares them. */
export const COMMANDS = {
  previewEncoding: "posenc.previewEncoding",
  learn: "posenc.learn",
  previewConfig: "posenc.previewConfig",
  openCheckpoint: "posenc.openCheckpoint",
  /** Target of links in hovers; its argument is validated like messages of the page. */
  openPanel: "posenc.openPanel",
  /** Target of the link on a finding's rule id; its argument is that id. */
  openRule: "posenc.openRule",
  disableRule: "posenc.disableRule",
  scanModels: "posenc.scanModels",
  cancelScan: "posenc.cancelScan",
  planContext: "posenc.planContext",
  compareConfigs: "posenc.compareConfigs",
  compareWithCommit: "posenc.compareWithCommit",
  compareWithClipboard: "posenc.compareWithClipboard",
  compareWithUntitled: "posenc.compareWithUntitled",
} as const;

export type CommandId = (typeof COMMANDS)[keyof typeof COMMANDS];

/** Publisher and name; the authority of links. */
export const EXTENSION_ID = "posenc.posenc";

export const PANEL_TYPE = "posenc.preview";

/** The read-only editor of `.gguf` and `.safetensors` files. */
export const CHECKPOINT_EDITOR = "posenc.checkpoint";

/** True while the active editor shows a model config; shows the title button. */
export const MODEL_CONFIG_CONTEXT = "posenc.modelConfig";

export const SIDE_VIEW = "posenc.side";
export const MODELS_VIEW = "posenc.models";
export const ENCODINGS_VIEW = "posenc.encodings";

/** True while the workspace is scanned for models; shows the button that stops the scan. */
export const SCANNING_CONTEXT = "posenc.scanningModels";

export const DIAGNOSTIC_SOURCE = "posenc";

/**
 * Languages with explanations. Stubs, unsaved files and notebook cells are Python documents too; TeX, reStructuredText and
 * Markdown contain formulas and fences; some languages of Markdown come from other extensions.
 */
export const EXPLAINED_LANGUAGES = [
  "python",
  "markdown",
  "latex",
  "tex",
  "restructuredtext",
  "quarto",
  "rmd",
  "mdx",
  "myst",
] as const;

/** Documents with the clipboard text of a comparison. */
export const CLIPBOARD_SCHEME = "posenc-clipboard";
