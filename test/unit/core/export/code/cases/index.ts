import { ABSOLUTE_CASES } from "./absolute.ts";
import type { Case } from "./case.ts";
import { GRID_CASES } from "./grids.ts";
import { RELATIVE_CASES } from "./relative.ts";
import { ROTARY_CASES } from "./rotary.ts";
import { SCENE_CASES } from "./scenes.ts";
import { WRITTEN_CASES } from "./written.ts";

export const CASES: readonly Case[] = [
  ...ROTARY_CASES,
  ...ABSOLUTE_CASES,
  ...RELATIVE_CASES,
  ...GRID_CASES,
  ...SCENE_CASES,
  ...WRITTEN_CASES,
];
