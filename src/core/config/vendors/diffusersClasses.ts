import type { Section } from "../text/section.ts";
import table from "./diffusersClasses.json" with { type: "json" };

/**
 * Position encodings of a class of diffusers, named by `_class_name`. Facts come from the file `code` in
 * huggingface/diffusers, src/diffusers/models, unless it names another repository.
 */
export interface DiffusersClass {
  readonly code: string;
  /** Keys of the number of heads, of the size of a head, and of the layers, which add up. */
  readonly heads?: string;
  readonly headDim?: string;
  readonly layers?: readonly string[];
  /** Defaults of `__init__`. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** All encodings; without one whose conditions hold, the class has none. */
  readonly stacks: readonly DiffusersStack[];
}

export interface DiffusersStack {
  readonly where: string;
  readonly encoding: string;
  /** [keys, value]: used only if one of the keys (separated by |) has this value; false: if none of them is set. */
  readonly when?: readonly unknown[];
  /** Used only if this key has a value. */
  readonly whenSet?: string;

  /** Key of the width, where the class divides it by the heads. */
  readonly widthKey?: string;
  /** The head is as wide as its axes together. */
  readonly headDimFromAxes?: boolean;
  /** Pairs of `axial_rope` (a variant of the encoding), or of `rope`. */
  readonly variant?: string;
  readonly layout?: string;
  /** Key of the base; without it, the code fixes it at `theta` or 10000. */
  readonly thetaKey?: string;
  readonly theta?: number;
  /** Key of the dimensions of each axis. */
  readonly axesKey?: string;
  /** Or their computation: ⌊head_dim / divisor⌋ · times for each axis; null is what the others leave. */
  readonly axesSplit?: readonly (readonly number[] | null)[];
  /** Key of a factor for each axis, by which NTK-aware scaling raises its base. */
  readonly scaleKey?: string;
  /** The fraction of a head that rotates. */
  readonly fraction?: number;
  /** Frequencies are not powers of one base: normalised coordinates, or learned. Only sizes are read. */
  readonly ownFrequencies?: boolean;
  readonly learnedFrequencies?: boolean;

  /** Key of the number of rows, and one that adds to it. */
  readonly rowsKey?: string;
  readonly rowsAlsoKey?: string;
  /** Key of the side of the square table from which the image's part is cut. */
  readonly tableSideKey?: string;
}

const classes = new Map<string, DiffusersClass>(Object.entries(table));

export function findDiffusersClass(name: string): DiffusersClass | undefined {
  return classes.get(name);
}

/** Models, as opposed to pipelines, schedulers and processors, which have a `_class_name` too. */
export function isDiffusionModel(section: Section): boolean {
  const name = section.string("_class_name") ?? "";
  if (classes.has(name)) return true;
  return /(?:Transformer|DiT|UNet|ControlNet)(?:\dD|Model|$)/.test(name) && !/Pipeline|Scheduler|Processor/.test(name);
}
