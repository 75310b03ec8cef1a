import type * as vscode from "vscode";
import type { PanelState } from "../../core/protocol/state.ts";

/** What a feature asks of the panel, which is another feature. */
export interface PanelRequest {
  readonly state: PanelState;
  /** The editor keeps the keyboard, so that typing goes on. */
  readonly preserveFocus: boolean;
  /** A panel that is open already shows all of this state, its view and place too. */
  readonly exactly?: boolean;
}

type Open = (request: PanelRequest) => Promise<void>;

/** Where features ask for a panel, and the panel answers, without knowing each other. */
export class PanelDoor {
  #open: Open | undefined;

  answer(open: Open): vscode.Disposable {
    this.#open = open;
    return { dispose: () => (this.#open = undefined) };
  }

  /** Resolves when the panel is open. */
  async show(request: PanelRequest): Promise<void> {
    if (this.#open === undefined) throw new Error("the panel did not start; the log says why");
    await this.#open(request);
  }
}
