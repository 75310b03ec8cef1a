/** Every id that package.json contributes; the manifest test compares both. */
export const COMMANDS = {
  previewEncoding: "posenc.previewEncoding",
  previewConfig: "posenc.previewConfig",
  openCheckpoint: "posenc.openCheckpoint",
  /** Target of links in hovers; its argument passes the same guard as a page's messages. */
  openPanel: "posenc.openPanel",
  /** Target of the code of a finding; its argument is the rule's id. */
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

/** Publisher and name: the authority of links. */
export const EXTENSION_ID = "posenc.posenc";

export const PANEL_TYPE = "posenc.preview";

/** The read-only editor of `.gguf` and `.safetensors` files. */
export const CHECKPOINT_EDITOR = "posenc.checkpoint";

/** True while the active editor shows a model config: the editor's title button. */
export const MODEL_CONFIG_CONTEXT = "posenc.modelConfig";

export const SIDE_VIEW = "posenc.side";
export const MODELS_VIEW = "posenc.models";
export const ENCODINGS_VIEW = "posenc.encodings";

/** True while the workspace is searched for models: the view's title then has the way to stop it. */
export const SCANNING_CONTEXT = "posenc.scanningModels";

export const DIAGNOSTIC_SOURCE = "posenc";

/**
 * Where something at the cursor can be explained. Stubs, unsaved files and cells of notebooks are documents of Python
 * too; TeX and Markdown have formulas and fences.
 */
export const EXPLAINED_LANGUAGES = ["python", "markdown", "latex", "tex"] as const;

/** Documents that hold what the clipboard held when it was compared. */
export const CLIPBOARD_SCHEME = "posenc-clipboard";
