import type { ViewRequests } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import { modelOf } from "./model.ts";
import type { Page } from "./page.ts";
import type { Change } from "./reducers.ts";
import type { Store } from "./store.ts";
import { hasWeights, keepWeights, wantedWeights } from "./weights.ts";

type Call<Name extends keyof ViewRequests> = (
  argument: ViewRequests[Name]["argument"],
) => Promise<ViewRequests[Name]["answer"]>;

export interface WeightsHost {
  readonly pick: Call<"pickWeights">;
  readonly read: Call<"readWeights">;
}

/** What a control sends up when it wants a checkpoint to be chosen. */
export const PICK_WEIGHTS = "posenc-pick-weights";

function withWeights(encoding: string, picked: NonNullable<ViewRequests["pickWeights"]["answer"]["picked"]>): Change {
  const { uri, tensor, params } = picked;
  return (state) => ({
    ...state,
    weights: { encoding, uri, tensor },
    changes: { ...state.changes, ...params },
    colour: { ...state.colour, domain: null },
  });
}

/** Brings the learned arrays that the state names: chosen by the user, read by the host, kept beside the state. */
export class WeightsLoader {
  readonly #store: Store<Page>;
  readonly #host: WeightsHost;
  #reading: PanelState["weights"] = null;

  constructor(store: Store<Page>, host: WeightsHost, root: HTMLElement) {
    this.#store = store;
    this.#host = host;
    root.addEventListener(PICK_WEIGHTS, () => void this.#pick());
    store.subscribe((page) => void this.#follow(page));
  }

  #say(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#store.update((page) => ({ ...page, message }));
  }

  async #pick(): Promise<void> {
    const { panel, config } = this.#store.get();
    const params = modelOf(panel, config)?.params ?? {};
    try {
      const { picked } = await this.#host.pick({ encoding: panel.encoding, params: { ...params } });
      if (picked === null) return;
      const change = withWeights(panel.encoding, picked);
      this.#store.update((page) => ({ ...page, message: null, panel: change(page.panel) }));
    } catch (error) {
      this.#say(error);
    }
  }

  async #follow({ panel, config, visible }: Page): Promise<void> {
    const weights = wantedWeights(panel);
    if (weights === null || hasWeights(weights) || this.#reading === weights || !visible) return;
    this.#reading = weights;
    try {
      const params = modelOf(panel, config)?.params ?? {};
      const table = await this.#host.read({ ...weights, params: { ...params } });
      keepWeights(weights, table);
      this.#store.update((page) => ({ ...page, weightsOf: table.title }));
    } catch (error) {
      this.#store.update((page) => ({ ...page, panel: { ...page.panel, weights: null } }));
      this.#say(error);
    }
  }
}
