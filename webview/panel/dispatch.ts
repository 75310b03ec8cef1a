import type { Change } from "../state/reducers.ts";

/** Changes the panel's state. */
export type Dispatch = (change: Change) => void;
