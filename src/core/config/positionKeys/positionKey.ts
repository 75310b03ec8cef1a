import type { LocatedValue, Section } from "../text/section.ts";
import { findPositionTopic, type PositionTopic } from "./positionKeyTable.ts";

/** A key that speaks of positions, and its value, which is not an object with keys of its own. */
export interface PositionKey extends LocatedValue {
  readonly topic: PositionTopic;
  /** A reader looked at it. */
  readonly wasRead: boolean;
}

/** Keys of one file; the largest published config has a few thousand, most of them labels. */
const MAX_KEYS = 20_000;
/** Keys about positions that are listed; published configs have fewer than a hundred. */
const MAX_POSITION_KEYS = 2000;
const MAX_DEPTH = 16;

/** All keys of a file that speak of positions, with whether they were looked at up to now. */
export function listPositionKeys(root: Section): readonly PositionKey[] {
  const found: PositionKey[] = [];
  let count = 0;
  const visit = (section: Section, isRead: boolean): void => {
    for (const key of section.keys()) {
      if (++count > MAX_KEYS || found.length >= MAX_POSITION_KEYS) return;
      const path = [...section.path, key];
      const wasRead = isRead || section.wasRead(key);
      const inner = section.section(key);
      if (inner !== undefined && inner.keys().length > 0) {
        if (path.length < MAX_DEPTH) visit(inner, wasRead);
        continue;
      }
      const topic = findPositionTopic(path);
      const value = topic === undefined ? undefined : section.get(key);
      if (topic !== undefined && value !== undefined) found.push({ ...value, topic, wasRead });
    }
  };
  visit(root, false);
  return found;
}
