import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { encodingById } from "../../../core/encodings/index.ts";
import { fullTitle } from "../../../core/encodings/support/title.ts";
import { currentLanguage, localize } from "../../../core/l10n/l10n.ts";
import { LESSON_STEPS } from "../../../core/learn/steps.ts";
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
import { toVscodeRange } from "../../platform/ranges.ts";
import { reportFailure } from "../../platform/reportFailure.ts";
import { webviewHtml } from "../../platform/webviewHtml.ts";
import type { Services } from "../../services.ts";
import { modelFileKind } from "../../stores/modelFiles.ts";
import { writeConfig } from "../../stores/writeConfig.ts";
import { pickContent, readContent } from "./checkpointContent.ts";
import { ConfigFollower } from "./configFollower.ts";
import { pickWeights, readWeights } from "./learnedWeights.ts";
import { copyText, pickBoundConfig, shareLink } from "./requests.ts";
import { saveFile } from "./saveFile.ts";

/** One open panel: its page, its state, and the config that it follows. */
export class PreviewSession implements vscode.Disposable {
  readonly #services: Services;
  readonly #panel: vscode.WebviewPanel;
  readonly #owned = new DisposableStore();
  readonly #endpoint: Endpoint<HostToView, ViewToHost, Record<never, never>, typeof viewRequests>;
  #follower: ConfigFollower | undefined;
  /** Follows the config of the compared side, if it is another one. */
  #comparedFollower: ConfigFollower | undefined;
  #state: PanelState;
  /** Files that the host gave to the page, which can name no other. */
  readonly #granted = new Set<string>();
  /** The page has not received the state yet; it then overrides the state that the page saved. */
  #stateIsUnsent: boolean;

  constructor(
    services: Services,
    panel: vscode.WebviewPanel,
    state: PanelState,
    onDispose: (session: PreviewSession) => void,
  ) {
    this.#services = services;
    this.#panel = panel;
    this.#state = state;
    this.#stateIsUnsent = true;
    this.#grant(filesOf(state));
    this.#endpoint = this.#owned.add(this.#connect());
    this.#owned.add(panel.onDidDispose(() => this.#owned.dispose()));
    this.#owned.add(services.onDidChangeLanguage((language) => this.#changeLanguage(language)));
    this.#owned.add({ dispose: () => this.#follower?.dispose() });
    this.#owned.add({ dispose: () => this.#comparedFollower?.dispose() });
    this.#owned.add({ dispose: () => onDispose(this) });
    this.#applyState(state);
    panel.webview.html = webviewHtml(panel.webview, services.extensionUri, currentLanguage());
  }

  get state(): PanelState {
    return this.#state;
  }

  show(state: PanelState, preserveFocus: boolean): void {
    this.#stateIsUnsent = true;
    this.#grant(filesOf(state));
    this.#applyState(state);
    this.reveal(preserveFocus);
    void this.#sendState(state);
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
      onMessage: (message) => this.#onMessage(message),
      calls: {},
      serves: viewRequests,
      handlers: {
        ready: (argument) => this.#onReady(argument),
        save: saveFile,
        copyText,
        shareLink,
        pickContent: async () => {
          const answer = await pickContent();
          this.#grant([answer.uri]);
          return answer;
        },
        readContent: (argument) => readContent(this.#requireGranted(argument)),
        pickWeights: async (argument) => {
          const answer = await pickWeights(argument);
          this.#grant([answer.picked?.uri]);
          return answer;
        },
        readWeights: (argument) => readWeights(this.#requireGranted(argument)),
        writeBack: (argument) => this.#writeBack(argument),
        pickConfig: async () => {
          const answer = await pickBoundConfig(this.#services);
          this.#grant([answer.config?.uri]);
          return answer;
        },
      },
      log: (level, message) => this.#services.log[level](`page: ${message}`),
    });
  }

  /** Called when the page loads, also after it was hidden. */
  async #onReady({ saved }: ViewRequests["ready"]["argument"]): Promise<ViewRequests["ready"]["answer"]> {
    if (saved !== null && !this.#stateIsUnsent && this.#isGranted(saved)) this.#applyState(saved);
    await this.#whenIdle();
    this.#stateIsUnsent = false;
    const { config = null, problem = null } = this.#follower ?? {};
    const { config: compared = null, problem: comparedProblem = null } = this.#comparedFollower ?? {};
    const texts = { problem, comparedProblem };
    return { protocol: PROTOCOL_VERSION, language: currentLanguage(), state: this.#state, config, compared, ...texts };
  }

  #grant(files: readonly (string | null | undefined)[]): void {
    for (const file of files) if (typeof file === "string") this.#granted.add(file);
  }

  #isGranted(state: PanelState): boolean {
    return filesOf(state).every((file) => file === undefined || this.#granted.has(file));
  }

  #requireGranted<T extends { readonly uri: string }>(argument: T): T {
    if (!this.#granted.has(argument.uri)) throw new UserError(l10n.t("This file was not opened in this panel."));
    return argument;
  }

  async #sendState(state: PanelState): Promise<void> {
    await this.#whenIdle();
    if (this.#state !== state) return;
    const compared = this.#comparedFollower?.config ?? null;
    this.#endpoint.send({ type: "show", state, config: this.#follower?.config ?? null, compared });
    this.#endpoint.send({ type: "configProblem", message: this.#follower?.problem ?? null });
    if (this.#comparedFollower?.problem !== null) this.#comparedFollower?.notify();
  }

  async #whenIdle(): Promise<void> {
    await Promise.all([this.#follower?.whenIdle(), this.#comparedFollower?.whenIdle()]);
  }

  #onMessage(message: ViewToHost): void {
    switch (message.type) {
      case "state":
        this.#stateIsUnsent = false;
        if (this.#isGranted(message.state)) this.#applyPageState(message.state);
        else void this.#sendState(this.#state);
        return;
      case "openConfig":
        void this.#openConfig(message);
        return;
      case "log":
        this.#services.log[message.level](`page: ${message.message}`);
        return;
    }
  }

  #applyState(state: PanelState): void {
    this.#state = state;
    if (state.lesson !== null) this.#services.lessons.visit(state.lesson);
    const ownUri = state.config?.uri;
    const otherUri = state.compare?.config?.uri;
    this.#follower = this.#updateFollower(this.#follower, ownUri, ({ config, problem }) => {
      if (config !== null) this.#endpoint.send({ type: "config", config });
      this.#endpoint.send({ type: "configProblem", message: problem });
    });
    this.#comparedFollower = this.#updateFollower(
      this.#comparedFollower,
      otherUri === ownUri ? undefined : otherUri,
      ({ config, problem }) => this.#endpoint.send({ type: "compared", config, problem }),
    );
    this.#panel.title = this.#panelTitle();
  }

  /** The page may have swapped sides or undone a choice: it is sent the config of each new follower. */
  #applyPageState(state: PanelState): void {
    const [previous, previousCompared] = [this.#follower, this.#comparedFollower];
    this.#applyState(state);
    if (this.#follower !== previous) void this.#follower?.whenIdle().then(() => this.#follower?.notify());
    if (this.#comparedFollower !== previousCompared)
      void this.#comparedFollower?.whenIdle().then(() => this.#comparedFollower?.notify());
  }

  #updateFollower(
    current: ConfigFollower | undefined,
    newUri: string | undefined,
    onChange: (follower: ConfigFollower) => void,
  ): ConfigFollower | undefined {
    const uri = newUri === undefined ? undefined : vscode.Uri.parse(newUri);
    if (current?.uri.toString() === uri?.toString()) return current;
    current?.dispose();
    if (uri === undefined) return undefined;
    const follower: ConfigFollower = new ConfigFollower(this.#services, uri, () => onChange(follower));
    return follower;
  }

  #panelTitle(): string {
    const { encoding, config, lesson } = this.#state;
    if (lesson !== null) return l10n.t("Learn: {0}", localize(LESSON_STEPS[lesson].title));
    if (config !== null) return configTitle(vscode.Uri.parse(config.uri));
    const entry = encodingById(encoding);
    return entry === undefined ? encoding : localize(fullTitle(entry));
  }

  #changeLanguage(language: ViewRequests["ready"]["answer"]["language"]): void {
    this.#panel.title = this.#panelTitle();
    this.#endpoint.send({ type: "language", language });
  }

  /** Accepts only the panel's own config. The new reading is sent before the answer. */
  async #writeBack(argument: ViewRequests["writeBack"]["argument"]): Promise<ViewRequests["writeBack"]["answer"]> {
    if (argument.uri !== this.#state.config?.uri) throw new UserError(l10n.t("No config is bound to this panel."));
    try {
      return await writeConfig(this.#services.configs, argument);
    } finally {
      await this.#follower?.readNow();
    }
  }

  /** Accepts only the panel's own configs: a page cannot open other files. */
  async #openConfig({ uri, range }: Extract<ViewToHost, { type: "openConfig" }>): Promise<void> {
    if (uri !== this.#state.config?.uri && uri !== this.#state.compare?.config?.uri) return;
    try {
      const file = vscode.Uri.parse(uri);
      if (modelFileKind(file) === "checkpoint") return void (await openCheckpointEditor(file));
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

/** The files that a state refers to. */
function filesOf({ config, compare, weights, content }: PanelState): (string | undefined)[] {
  const checkpoint = typeof content === "object" && "checkpoint" in content ? content.checkpoint : null;
  return [config?.uri, compare?.config?.uri, weights?.uri, checkpoint?.uri];
}

/** Checkpoints are not text: their editor shows the header. */
async function openCheckpointEditor(file: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand("vscode.openWith", file, CHECKPOINT_EDITOR, vscode.ViewColumn.One);
}
