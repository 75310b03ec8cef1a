import type * as vscode from "vscode";
import * as commands from "./commands.ts";
import * as checkpointEditor from "./features/checkpointEditor/checkpointEditor.ts";
import * as codeProblems from "./features/codeProblems/codeProblems.ts";
import * as configFixes from "./features/configFixes/configFixes.ts";
import * as configLens from "./features/configLens/configLens.ts";
import * as configProblems from "./features/configProblems/configProblems.ts";
import * as explain from "./features/explain/explain.ts";
import * as hover from "./features/hover/hover.ts";
import * as keyCompletion from "./features/keyCompletion/keyCompletion.ts";
import * as keyHover from "./features/keyHover/keyHover.ts";
import * as links from "./features/links/links.ts";
import * as models from "./features/models/models.ts";
import * as activeConfig from "./features/previewConfig/activeConfig.ts";
import * as encodingTree from "./features/previewEncoding/encodingTree.ts";
import * as previewPanel from "./features/previewPanel/previewPanel.ts";
import * as sideView from "./features/sideView/sideView.ts";
import * as statusBar from "./features/statusBar/statusBar.ts";
import { reportFailure } from "./platform/reportFailure.ts";
import { createServices, type Services } from "./services.ts";

const FEATURES: Readonly<Record<string, { readonly register: (services: Services) => vscode.Disposable }>> = {
  commands,
  previewPanel,
  activeConfig,
  configLens,
  configProblems,
  configFixes,
  sideView,
  statusBar,
  models,
  checkpointEditor,
  encodingTree,
  hover,
  keyHover,
  keyCompletion,
  codeProblems,
  explain,
  links,
};

type ActivationContext = Pick<vscode.ExtensionContext, "extensionUri" | "subscriptions"> &
  Partial<Pick<vscode.ExtensionContext, "globalState">>;

/** Wiring only. If a feature fails to register, the error is logged and shown, and the others still start. */
export function activate(context: ActivationContext): void {
  const services = createServices(context.extensionUri, context.globalState);
  context.subscriptions.push(services);
  for (const [name, feature] of Object.entries(FEATURES)) {
    try {
      context.subscriptions.push(feature.register(services));
    } catch (error) {
      reportFailure(services.log, name, error);
    }
  }
}
