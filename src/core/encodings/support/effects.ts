import type { Encoding } from "../encoding.ts";

/** What the kinds of encodings do to the terms of the expansion. */

/** Position vectors are added to the input, so all four terms arise. */
export const ADDED_TO_INPUT: Encoding["effect"] = {
  content_content: "kept",
  content_position: "kept",
  position_content: "kept",
  position_position: "kept",
};

/** Position transforms queries and keys, or the input, and is not a summand. */
export const TRANSFORMS_CONTENT: Encoding["effect"] = {
  content_content: "changed",
  content_position: "dropped",
  position_content: "dropped",
  position_position: "dropped",
};

/** A bias is added to the scores in place of the product of positions. */
export const ADDS_BIAS: Encoding["effect"] = {
  content_content: "kept",
  content_position: "dropped",
  position_content: "dropped",
  position_position: "changed",
};

/** The query is multiplied by a vector of the distance. */
export const QUERY_BY_DISTANCE: Encoding["effect"] = {
  content_content: "kept",
  content_position: "changed",
  position_content: "dropped",
  position_position: "dropped",
};
