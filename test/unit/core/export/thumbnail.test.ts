import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";
import { encodeThumbnail, THUMBNAIL_SIZE } from "../../../../src/core/export/thumbnail.ts";
import type { EncodingId } from "../../../../src/core/spec.ts";
import { knownEncoding } from "../../support/knownEncoding.ts";

/** Palette index at (row, column). */
function pixels(id: EncodingId, params = {}) {
  const picture = decode(encodeThumbnail(knownEncoding(id), params)?.png ?? new Uint8Array());
  expect([picture.width, picture.height, picture.channels]).toEqual([THUMBNAIL_SIZE, THUMBNAIL_SIZE, 1]);
  const palette = picture.palette ?? [];
  return { at: (row: number, column: number) => picture.data[row * THUMBNAIL_SIZE + column] ?? -1, palette };
}

describe("a thumbnail", () => {
  it.each(ENCODINGS.map((encoding) => [encoding.id, encoding] as const))("of %s is small", (_, encoding) => {
    const picture = encodeThumbnail(encoding, {});
    expect(picture?.png.length).toBeLessThanOrEqual(6000);
  });

  it("of ALiBi is brightest on the diagonal, darkest in the far corner and transparent above", () => {
    const { at, palette } = pixels("alibi");
    const last = THUMBNAIL_SIZE - 1;
    expect(at(0, last)).toBe(0);
    expect(palette[0]?.[3]).toBe(0);
    expect(at(last, last)).toBe(palette.length - 1);
    expect(at(last, 0)).toBe(1);
    const middle = at(60, 30);
    expect(at(90, 60)).toBe(middle);
    expect(at(60, 0)).toBeLessThan(middle);
  });

  it("is darkest at its largest values on a light background", () => {
    const light = decode(encodeThumbnail(knownEncoding("alibi"), {}, true)?.png ?? new Uint8Array());
    const dark = decode(encodeThumbnail(knownEncoding("alibi"), {})?.png ?? new Uint8Array());
    expect(light.data).toEqual(dark.data);
    expect(light.palette?.slice(1)).toEqual(dark.palette?.slice(1).toReversed());
  });

  it("shows both sides of a bidirectional bias", () => {
    expect(pixels("t5_bias", { bidirectional: true }).at(0, 60)).toBeGreaterThan(0);
    expect(pixels("t5_bias", { bidirectional: false }).at(0, 60)).toBe(0);
  });

  it("changes with its values", () => {
    const of = (rope_theta: number) => encodeThumbnail(knownEncoding("rope"), { rope_theta })?.png;
    expect(of(500_000)).not.toEqual(of(10_000));
  });

  it("shows a table shorter than the square over the whole square", () => {
    const { at } = pixels("learned_absolute", { max_position_embeddings: 32 });
    expect(at(0, 7)).toBe(at(2, 7));
    expect(at(95, 7)).toBe(at(93, 7));
  });

  it("is absent for invalid values and for slow ones", () => {
    expect(encodeThumbnail(knownEncoding("rope"), { rope_theta: -1 })).toBeUndefined();
    expect(encodeThumbnail(knownEncoding("learned_absolute"), { hidden_size: 65_536 })).toBeUndefined();
  });
});
