import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { encodingById } from "../../../core/encodings/index.ts";
import { currentLanguage, localize } from "../../../core/l10n/l10n.ts";
import { Endpoint } from "../../../core/protocol/endpoint.ts";
import {
  type HostToView,
  hostToViewSchema,
  PROTOCOL_VERSION,
  type ViewRequests,
  type ViewToHost,
  viewRequests,
  viewToHostSchema,
} from "../../../core/protocol/messages.ts";
import type { PanelState } from "../../../core/protocol/state.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { UserError } from "../../../core/util/errors.ts";
import { CHECKPOINT_EDITOR } from "../../ids.ts";
import { configTitle } from "../../platform/configTitle.ts";
import { reportFailure } from "../../platform/failure.ts";
import { toVscodeRange } from "../../platform/ranges.ts";
import { webviewHtml } from "../../platform/webviewHtml.ts";
import { writeConfig } from "../../platform/writeConfig.ts";
import type { Services } from "../../services.ts";
import { kindOf } from "../../stores/modelFiles.ts";
import { pickContent, readContent } from "./checkpointContent.ts";
import { ConfigFollower } from "./configFollower.ts";
import { copyText } from "./copyText.ts";
import { pickBoundConfig } from "./pickBoundConfig.ts";
import { saveFile } from "./saveFile.ts";
import { shareLink } from "./shareLink.ts";
import { pickWeights, readWeights } from "./weights.ts";

/** One open panel: its page, its state, and the config that it follows. */
export class PreviewSession implements vscode.Disposable {
  readonly #services: Services;
  readonly #panel: vscode.WebviewPanel;
  readonly #owned = new DisposableStore();
  readonly #endpoint: Endpoint<HostToView, ViewToHost, Record<never, never>, typeof viewRequests>;
  #follower: ConfigFollower | undefined;
  /** Follows the compared side's config, where that is another one. */
  #compared: ConfigFollower | undefined;
  #state: PanelState;
  /** A state that the page has not been told: it then wins over what the page kept. */
  #untold: boolean;

  constructor(
    services: Services,
    panel: vscode.WebviewPanel,
    state: PanelState,
    ended: (session: PreviewSession) => void,
  ) {
    this.#services = services;
    this.#panel = panel;
    this.#state = state;
    this.#untold = true;
    this.#endpoint = this.#owned.add(this.#connect());
    this.#owned.add(panel.onDidDispose(() => this.#owned.dispose()));
    this.#owned.add(services.onDidChangeLanguage((language) => this.#changeLanguage(language)));
    this.#owned.add({ dispose: () => this.#follower?.dispose() });
    this.#owned.add({ dispose: () => this.#compared?.dispose() });
    this.#owned.add({ dispose: () => ended(this) });
    this.#adoptState(state);
    panel.webview.html = webviewHtml(panel.webview, services.extensionUri, currentLanguage());
  }

  get state(): PanelState {
    return this.#state;
  }

  show(state: PanelState, preserveFocus: boolean): void {
    this.#untold = true;
    this.#adoptState(state);
    this.reveal(preserveFocus);
    void this.#tell(state);
  }

  reveal(preserveFocus: boolean): void {
    this.#panel.reveal(undefined, preserveFocus);
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #connect(): Endpoint<HostToView, ViewToHost, Record<never, never>, typeof viewRequests> {
    const { webview } = this.#panel;
    return new Endpoint({
      port: {
        post: (message) => void webview.postMessage(message),
        listen: (handler) => webview.onDidReceiveMessage(handler),
      },
      sends: hostToViewSchema,
      receives: viewToHostSchema,
      onMessage: (message) => this.#receive(message),
      calls: {},
      serves: viewRequests,
      handlers: {
        ready: (argument) => this.#welcome(argument),
        save: saveFile,
        copyText,
        shareLink,
        pickContent,
        readContent,
        pickWeights,
        readWeights,
        writeBack: (argument) => this.#writeBack(argument),
        pickConfig: () => pickBoundConfig(this.#services),
      },
      log: (level, message) => this.#services.log[level](`page: ${message}`),
    });
  }

  /** A page begins, or begins again after having been hidden. */
  async #welcome({ saved }: ViewRequests["ready"]["argument"]): Promise<ViewRequests["ready"]["answer"]> {
    if (saved !== null && !this.#untold) this.#adoptState(saved);
    await this.#settled();
    this.#untold = false;
    const { config = null, problem = null } = this.#follower ?? {};
    const { config: compared = null, problem: comparedProblem = null } = this.#compared ?? {};
    const texts = { problem, comparedProblem };
    return { protocol: PROTOCOL_VERSION, language: currentLanguage(), state: this.#state, config, compared, ...texts };
  }

  async #tell(state: PanelState): Promise<void> {
    await this.#settled();
    if (this.#state !== state) return;
    const compared = this.#compared?.config ?? null;
    this.#endpoint.send({ type: "show", state, config: this.#follower?.config ?? null, compared });
    this.#endpoint.send({ type: "configProblem", message: this.#follower?.problem ?? null });
    if (this.#compared?.problem !== null) this.#compared?.announce();
  }

  async #settled(): Promise<void> {
    await Promise.all([this.#follower?.settled(), this.#compared?.settled()]);
  }

  #receive(message: ViewToHost): void {
    switch (message.type) {
      case "state":
        this.#untold = false;
        this.#adoptFromPage(message.state);
        return;
      case "openConfig":
        void this.#openConfig(message);
        return;
      case "log":
        this.#services.log[message.level](`page: ${message.message}`);
        return;
    }
  }

  #adoptState(state: PanelState): void {
    this.#state = state;
    const own = state.config?.uri;
    const other = state.compare?.config?.uri;
    this.#follower = this.#refollow(this.#follower, own, ({ config, problem }) => {
      if (config !== null) this.#endpoint.send({ type: "config", config });
      this.#endpoint.send({ type: "configProblem", message: problem });
    });
    this.#compared = this.#refollow(this.#compared, other === own ? undefined : other, ({ config, problem }) =>
      this.#endpoint.send({ type: "compared", config, problem }),
    );
    this.#panel.title = this.#title();
  }

  /** The page may have changed sides, or taken a choice back: it is told of a config that is followed from now on. */
  #adoptFromPage(state: PanelState): void {
    const [own, other] = [this.#follower, this.#compared];
    this.#adoptState(state);
    if (this.#follower !== own) void this.#follower?.settled().then(() => this.#follower?.announce());
    if (this.#compared !== other) void this.#compared?.settled().then(() => this.#compared?.announce());
  }

  #refollow(
    known: ConfigFollower | undefined,
    wanted: string | undefined,
    changed: (follower: ConfigFollower) => void,
  ): ConfigFollower | undefined {
    const uri = wanted === undefined ? undefined : vscode.Uri.parse(wanted);
    if (known?.uri.toString() === uri?.toString()) return known;
    known?.dispose();
    if (uri === undefined) return undefined;
    const follower: ConfigFollower = new ConfigFollower(this.#services, uri, () => changed(follower));
    return follower;
  }

  #title(): string {
    const { encoding, config } = this.#state;
    if (config !== null) return configTitle(vscode.Uri.parse(config.uri));
    const known = encodingById(encoding);
    return known === undefined ? encoding : localize(known.title);
  }

  #changeLanguage(language: ViewRequests["ready"]["answer"]["language"]): void {
    this.#panel.title = this.#title();
    this.#endpoint.send({ type: "language", language });
  }

  /** Only the panel's own config. The page hears of what was written before it hears that it was. */
  async #writeBack(argument: ViewRequests["writeBack"]["argument"]): Promise<ViewRequests["writeBack"]["answer"]> {
    if (argument.uri !== this.#state.config?.uri) throw new UserError(t("No config is bound to this panel."));
    try {
      return await writeConfig(this.#services, argument);
    } finally {
      await this.#follower?.readNow();
    }
  }

  /** Only the panel's own configs: a page names no other file. */
  async #openConfig({ uri, range }: Extract<ViewToHost, { type: "openConfig" }>): Promise<void> {
    if (uri !== this.#state.config?.uri && uri !== this.#state.compare?.config?.uri) return;
    try {
      const file = vscode.Uri.parse(uri);
      if (kindOf(file) === "checkpoint") return void (await showWeights(file));
      const document = await this.#services.configs.open(file);
      const shown = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
      const column = shown?.viewColumn ?? vscode.ViewColumn.One;
      const selection = range === null ? {} : { selection: toVscodeRange(range) };
      await vscode.window.showTextDocument(document, { viewColumn: column, ...selection });
    } catch (error) {
      reportFailure(this.#services.log, "openConfig", error);
    }
  }
}

/** Weights have no text: their editor shows the head. */
async function showWeights(file: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand("vscode.openWith", file, CHECKPOINT_EDITOR, vscode.ViewColumn.One);
}
