import { ENCODING_IDS, type EncodingSpec } from "../../spec.ts";
import { SpecBuilder } from "../specBuilder.ts";
import type { Section } from "../text/section.ts";
import table from "./timmArchitectures.json" with { type: "json" };

/**
 * Families of huggingface/pytorch-image-models by the names of their architectures; `code` is the file in timm/models.
 * The first match counts. Sizes are in the library, not in the file.
 */
interface TimmFamily {
  readonly name: string;
  /** All encodings of the family; `none` is known absence. */
  readonly stacks: readonly string[];
  /** Variant and base of `axial_rope`; without a variant, only the encoding is known. */
  readonly variant?: string;
  readonly theta?: number;
  readonly code: string;
}

const families: readonly TimmFamily[] = table;

/** Encodings of an architecture by its name; empty if the family is not in the table. */
export function readTimmSpecs(architecture: string): EncodingSpec[] {
  const family = families.find(({ name }) => new RegExp(name).test(architecture));
  return (family?.stacks ?? []).flatMap((stack) => {
    const encoding = ENCODING_IDS.find((id) => id === stack);
    if (encoding === undefined) return [];
    const builder = new SpecBuilder();
    if (encoding === "axial_rope") {
      builder.derive("rope_type", "axial").derive("variant", family?.variant ?? "own_frequencies");
      if (family?.theta !== undefined) builder.set("rope_theta", { value: family.theta, source: "default" });
    }
    return [builder.build(encoding, "vision", "all", "automatic")];
  });
}

/** Reads the `config.json` of a timm model on the Hub, which names its `architecture`. */
export function readTimmConfig(section: Section): { modelType: string | null; specs: EncodingSpec[] } {
  const architecture = section.string("architecture") ?? "";
  return { modelType: architecture, specs: readTimmSpecs(architecture) };
}
