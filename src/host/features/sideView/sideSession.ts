import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import { encodingById } from "../../../core/encodings/index.ts";
import { currentLanguage } from "../../../core/l10n/l10n.ts";
import { Endpoint } from "../../../core/protocol/endpoint.ts";
import { runSide } from "../../../core/protocol/runSide.ts";
import {
  type ConfigSubject,
  type HostToSide,
  hostToSideSchema,
  SIDE_PROTOCOL_VERSION,
  type SideCalls,
  type SideSubject,
  type SideToHost,
  sideRequests,
  sideToHostSchema,
} from "../../../core/protocol/side.ts";
import { initialPanelState } from "../../../core/protocol/state.ts";
import type { Params } from "../../../core/spec.ts";
import { DisposableStore } from "../../../core/util/disposable.ts";
import { UserError } from "../../../core/util/errors.ts";
import { COMMANDS } from "../../ids.ts";
import { buildPanelLink } from "../../platform/panelLink.ts";
import { reportFailure } from "../../platform/reportFailure.ts";
import { pageResourceRoots, webviewHtml } from "../../platform/webviewHtml.ts";
import type { Services } from "../../services.ts";
import { writeConfig } from "../../stores/writeConfig.ts";
import { EditorFollower } from "./editorFollower.ts";
import { reveal } from "./reveal.ts";

/** One instance of the side view: its page, and the editor that it follows. */
export class SideSession implements vscode.Disposable {
  readonly #services: Services;
  readonly #view: vscode.WebviewView;
  readonly #owned = new DisposableStore();
  readonly #follower: EditorFollower;
  readonly #endpoint: Endpoint<HostToSide, SideToHost, Record<never, never>, typeof sideRequests>;
  #planRequested = false;

  constructor(services: Services, view: vscode.WebviewView) {
    this.#services = services;
    this.#view = view;
    this.#follower = this.#owned.add(new EditorFollower(services, () => this.#sendShown()));
    this.#endpoint = this.#owned.add(this.#connect());
    this.#owned.add(services.onDidChangeLanguage((language) => this.#endpoint.send({ type: "language", language })));
    this.#owned.add(view.onDidDispose(() => this.#owned.dispose()));
    this.#owned.add(view.onDidChangeVisibility(() => this.#follower.setWatching(view.visible)));
    view.webview.options = { enableScripts: true, localResourceRoots: pageResourceRoots(services.extensionUri) };
    view.webview.html = webviewHtml(view.webview, services.extensionUri, currentLanguage(), "side");
    this.#follower.setWatching(view.visible);
  }

  /** Opens the planner, now or once the page has loaded. */
  plan(): void {
    this.#planRequested = true;
    this.#endpoint.send({ type: "plan" });
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #connect(): Endpoint<HostToSide, SideToHost, Record<never, never>, typeof sideRequests> {
    const { webview } = this.#view;
    return new Endpoint({
      port: {
        post: (message) => void webview.postMessage(message),
        listen: (handler) => webview.onDidReceiveMessage(handler),
      },
      sends: hostToSideSchema,
      receives: sideToHostSchema,
      onMessage: (message) => void this.#onMessage(message),
      calls: {},
      serves: sideRequests,
      handlers: {
        ready: () => this.#onReady(),
        writeBack: (argument) => this.#writeBack(argument),
        copyText: async ({ text }) => {
          await vscode.env.clipboard.writeText(text);
          return {};
        },
      },
      log: (level, message) => this.#services.log[level](`side view: ${message}`),
    });
  }

  /** Called when the page loads, also after it was hidden. */
  async #onReady() {
    await this.#follower.whenIdle();
    const plan = this.#planRequested;
    this.#planRequested = false;
    return { protocol: SIDE_PROTOCOL_VERSION, language: currentLanguage(), plan, ...this.#follower.shown };
  }

  /** Accepts only the file that is shown. */
  async #writeBack(argument: Parameters<SideCalls["writeBack"]>[0]): ReturnType<SideCalls["writeBack"]> {
    if (argument.uri !== this.#follower.shown.subject?.uri)
      throw new UserError(l10n.t("The side view now shows another file."));
    return writeConfig(this.#services.configs, argument);
  }

  #sendShown(): void {
    const { shown } = this.#follower;
    this.#view.title = l10n.t("This File");
    this.#view.description = shown.subject?.title ?? "";
    this.#endpoint.send({ type: "show", language: currentLanguage(), ...shown });
  }

  async #onMessage(message: SideToHost): Promise<void> {
    try {
      await this.#handle(message);
    } catch (error) {
      reportFailure(this.#services.log, message.type, error);
    }
  }

  async #handle(message: SideToHost): Promise<void> {
    const { subject } = this.#follower.shown;
    switch (message.type) {
      case "log":
        this.#services.log[message.level](`side view: ${message.message}`);
        return;
      case "run":
        await vscode.commands.executeCommand(COMMANDS[message.command]);
        return;
      case "openRule":
        await vscode.commands.executeCommand(COMMANDS.openRule, message.rule);
        return;
      case "reveal":
        if (subject !== null) await reveal(this.#services, vscode.Uri.parse(subject.uri), message);
        return;
      case "openPanel":
        if (subject !== null) await openSubjectInPanel(subject, message.index, message.planned);
        return;
      case "compareRuns":
        if (subject?.kind === "config") await showRuns(this.#services, subject, message);
        return;
    }
  }
}

/** Shows one encoding as declared or as a runtime computes it, beside another reading of it. */
async function showRuns(
  { panels }: Services,
  { uri, specs }: ConfigSubject,
  { index, a, b }: Extract<SideToHost, { type: "compareRuns" }>,
): Promise<void> {
  const spec = specs[index];
  if (spec === undefined) return;
  const config = { uri, index };
  const [own, other] = [runSide(spec, a, config), runSide(spec, b, config)];
  const state = { ...initialPanelState(own.encoding), ...own, compare: other };
  await panels.show({ state, preserveFocus: false });
}

/** Uses the same commands as the links of hovers and lenses. */
async function openSubjectInPanel(subject: SideSubject, index: number, planned?: Params): Promise<void> {
  if (subject.kind === "config") {
    await vscode.commands.executeCommand(COMMANDS.previewConfig, vscode.Uri.parse(subject.uri), index, planned);
    return;
  }
  const encoding = encodingById(subject.spec.encoding);
  if (encoding !== undefined)
    await vscode.commands.executeCommand(COMMANDS.openPanel, buildPanelLink(encoding, subject.spec));
}
