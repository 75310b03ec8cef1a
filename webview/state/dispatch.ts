import type { PanelChange } from "./reducers.ts";

/** Changes the panel's state. */
export type Dispatch = (change: PanelChange) => void;
