import type * as vscode from "vscode";
import type { PanelState } from "../../core/protocol/state.ts";

/** A request to open the panel, sent by another feature. */
export interface PanelRequest {
  readonly state: PanelState;
  /** Keeps the focus in the editor, so that the user can go on typing. */
  readonly preserveFocus: boolean;
  /** Replaces the whole state of an open panel, including its view and position. */
  readonly replaceState?: boolean;
}

type PanelHandler = (request: PanelRequest) => Promise<void>;

/** Connects features that open the panel with the panel feature, so that they need not import it. */
export class PanelOpener {
  #handler: PanelHandler | undefined;

  setHandler(handler: PanelHandler): vscode.Disposable {
    this.#handler = handler;
    return { dispose: () => (this.#handler = undefined) };
  }

  /** Resolves when the panel is open. */
  async show(request: PanelRequest): Promise<void> {
    if (this.#handler === undefined) throw new Error("the panel did not start; the log says why");
    await this.#handler(request);
  }
}
