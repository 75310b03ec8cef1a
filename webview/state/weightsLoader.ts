import type { ViewRequests } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import { checkpointOf, keepRows, rowsOf } from "./checkpointRows.ts";
import type { Page } from "./page.ts";
import { modelOf } from "./panelEncoding.ts";
import type { Change } from "./reducers.ts";
import { wantedRows } from "./resolvedEncoding.ts";
import type { Store } from "./store.ts";
import { hasWeights, keepWeights, wantedWeights } from "./weights.ts";

type Call<Name extends keyof ViewRequests> = (
  argument: ViewRequests[Name]["argument"],
) => Promise<ViewRequests[Name]["answer"]>;

export interface WeightsHost {
  readonly pick: Call<"pickWeights">;
  readonly read: Call<"readWeights">;
  readonly pickContent: Call<"pickContent">;
  readonly readContent: Call<"readContent">;
}

/** What a control sends up when it wants a checkpoint to be chosen. */
export const PICK_WEIGHTS = "posenc-pick-weights";
export const PICK_CONTENT = "posenc-pick-content";

/** Tokens that a checkpoint's content begins with. */
const FIRST_IDS = Array.from({ length: 16 }, (_, id) => id);

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
  #readingContent: string | null = null;

  constructor(store: Store<Page>, host: WeightsHost, root: HTMLElement) {
    this.#store = store;
    this.#host = host;
    root.addEventListener(PICK_WEIGHTS, () => void this.#pick());
    root.addEventListener(PICK_CONTENT, () => void this.#pickContent());
    store.subscribe((page) => {
      void this.#follow(page);
      void this.#followContent(page);
    });
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

  async #pickContent(): Promise<void> {
    try {
      const { uri } = await this.#host.pickContent({});
      if (uri === null) return;
      const ids = checkpointOf(this.#store.get().panel)?.ids ?? FIRST_IDS;
      const content = { checkpoint: { uri, ids } };
      this.#store.update((page) => ({ ...page, message: null, panel: { ...page.panel, content } }));
    } catch (error) {
      this.#say(error);
    }
  }

  async #followContent({ panel, config, visible }: Page): Promise<void> {
    const model = checkpointOf(panel) === null || !visible ? null : modelOf(panel, config);
    const wanted = model === null ? null : wantedRows(model.encoding, model.params, panel, panel.head);
    if (wanted === null || rowsOf(wanted) !== undefined) return;
    const key = JSON.stringify(wanted);
    if (key === this.#readingContent) return;
    this.#readingContent = key;
    try {
      const { q, k } = await this.#host.readContent(wanted);
      keepRows(wanted, q, k);
      this.#store.update((page) => ({ ...page, contentRead: (page.contentRead ?? 0) + 1 }));
    } catch (error) {
      this.#store.update((page) => ({ ...page, panel: { ...page.panel, content: "ones" } }));
      this.#say(error);
    } finally {
      this.#readingContent = null;
    }
  }

  async #follow({ panel, config, visible }: Page): Promise<void> {
    const weights = wantedWeights(panel);
    if (weights === null || hasWeights(weights) || this.#reading === weights || !visible) return;
    this.#reading = weights;
    try {
      const params = modelOf(panel, config)?.params ?? {};
      const table = await this.#host.read({ ...weights, params: { ...params } });
      keepWeights(weights, table.arrays);
      this.#store.update((page) => ({ ...page, weightsOf: table.title }));
    } catch (error) {
      this.#store.update((page) => ({ ...page, panel: { ...page.panel, weights: null } }));
      this.#say(error);
    }
  }
}
