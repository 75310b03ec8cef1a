import type { ViewRequests } from "../../src/core/protocol/messages.ts";
import type { PanelState } from "../../src/core/protocol/state.ts";
import { errorMessage } from "../../src/core/util/errors.ts";
import { activeWeights, addRows, addWeights, checkpointContent, findRows, findWeights } from "./checkpointData.ts";
import type { Page } from "./page.ts";
import { derivePanelParameters } from "./panelEncoding.ts";
import type { PanelChange } from "./reducers.ts";
import { rowsToRead } from "./resolvedEncoding.ts";
import type { Store } from "./store.ts";

type HostRequest<Name extends keyof ViewRequests> = (
  argument: ViewRequests[Name]["argument"],
) => Promise<ViewRequests[Name]["answer"]>;

export interface CheckpointHost {
  readonly pick: HostRequest<"pickWeights">;
  readonly read: HostRequest<"readWeights">;
  readonly pickContent: HostRequest<"pickContent">;
  readonly readContent: HostRequest<"readContent">;
}

/** Events with which a control asks for a checkpoint. */
export const PICK_WEIGHTS_EVENT = "posenc-pick-weights";
export const PICK_CONTENT_EVENT = "posenc-pick-content";

/** The tokens shown first after a checkpoint is chosen. */
const INITIAL_TOKEN_IDS = Array.from({ length: 16 }, (_, id) => id);

function usePickedWeights(
  encoding: string,
  picked: NonNullable<ViewRequests["pickWeights"]["answer"]["picked"]>,
): PanelChange {
  const { uri, tensor, params } = picked;
  return (state) => ({
    ...state,
    weights: { encoding, uri, tensor },
    changes: { ...state.changes, ...params },
    colour: { ...state.colour, domain: null },
  });
}

/** Loads the learned arrays and content rows that the panel state names: the user picks a file, the host reads it. */
export class CheckpointLoader {
  readonly #store: Store<Page>;
  readonly #host: CheckpointHost;
  #readingWeights: PanelState["weights"] = null;
  #readingContent: string | null = null;

  constructor(store: Store<Page>, host: CheckpointHost, root: HTMLElement) {
    this.#store = store;
    this.#host = host;
    root.addEventListener(PICK_WEIGHTS_EVENT, () => void this.#pickWeights());
    root.addEventListener(PICK_CONTENT_EVENT, () => void this.#pickContent());
    store.subscribe((page) => {
      void this.#readWeights(page);
      void this.#readContent(page);
    });
  }

  #showError(error: unknown): void {
    this.#store.update((page) => ({ ...page, errorMessage: errorMessage(error) }));
  }

  async #pickWeights(): Promise<void> {
    const { panel, config } = this.#store.get();
    const params = derivePanelParameters(panel, config)?.params ?? {};
    try {
      const { picked } = await this.#host.pick({ encoding: panel.encoding, params: { ...params } });
      if (picked === null) return;
      const change = usePickedWeights(panel.encoding, picked);
      this.#store.update((page) => ({ ...page, errorMessage: null, panel: change(page.panel) }));
    } catch (error) {
      this.#showError(error);
    }
  }

  async #pickContent(): Promise<void> {
    try {
      const { uri } = await this.#host.pickContent({});
      if (uri === null) return;
      const ids = checkpointContent(this.#store.get().panel)?.ids ?? INITIAL_TOKEN_IDS;
      const content = { checkpoint: { uri, ids } };
      this.#store.update((page) => ({ ...page, errorMessage: null, panel: { ...page.panel, content } }));
    } catch (error) {
      this.#showError(error);
    }
  }

  async #readContent({ panel, config, checkpoint, visible }: Page): Promise<void> {
    const derived = checkpointContent(panel) === null || !visible ? null : derivePanelParameters(panel, config);
    const request = derived === null ? null : rowsToRead(derived.encoding, derived.params, panel);
    if (request === null || findRows(checkpoint, request) !== undefined) return;
    const key = JSON.stringify(request);
    if (key === this.#readingContent) return;
    this.#readingContent = key;
    try {
      const { q, k } = await this.#host.readContent(request);
      this.#store.update((page) => ({ ...page, checkpoint: addRows(page.checkpoint, request, q, k) }));
    } catch (error) {
      this.#store.update((page) => ({ ...page, panel: { ...page.panel, content: "ones" } }));
      this.#showError(error);
    } finally {
      this.#readingContent = null;
    }
  }

  async #readWeights({ panel, config, checkpoint, visible }: Page): Promise<void> {
    const weights = activeWeights(panel);
    if (weights === null || !visible || this.#readingWeights === weights) return;
    if (findWeights(checkpoint, panel) !== null) return;
    this.#readingWeights = weights;
    try {
      const params = derivePanelParameters(panel, config)?.params ?? {};
      const { title, arrays } = await this.#host.read({ ...weights, params: { ...params } });
      this.#store.update((page) => ({ ...page, checkpoint: addWeights(page.checkpoint, weights, title, arrays) }));
    } catch (error) {
      this.#store.update((page) => ({ ...page, panel: { ...page.panel, weights: null } }));
      this.#showError(error);
    }
  }
}
