import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ConfigReading, readConfig } from "../../../../../src/core/config/readConfig.ts";
import { computeDerivedValues } from "../../../../../src/core/config/report/derivedValues.ts";

/**
 * Configurations with the keys, sizes and numbers of published files, written anew. `source` names the repository and
 * file of the numbers, or the code that reads them.
 */
interface Fixture {
  readonly id: string;
  readonly source?: string;
  readonly format?: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** All encodings, with the parameters that matter. */
  readonly specs: readonly {
    readonly where: string;
    readonly encoding: string;
    readonly layers?: readonly number[];
    readonly params: Readonly<Record<string, unknown>>;
  }[];
}

const load = (name: string): readonly Fixture[] =>
  JSON.parse(readFileSync(`test/fixtures/configs/${name}.json`, "utf8"));

/** The reading reduced to what the fixture states. */
function readAs({ config, specs }: Fixture): { readonly reading: ConfigReading; readonly found: unknown[] } {
  const reading = readConfig(JSON.stringify(config, null, 2));
  const sorted = reading.specs.toSorted((a, b) => keyOf(a) - keyOf(b));
  const found = sorted.map((spec, i) => {
    const names = Object.keys(specs[i]?.params ?? {});
    const params = Object.fromEntries(names.map((name) => [name, spec.params[name] ?? null]));
    const layers = specs[i]?.layers === undefined ? {} : { layers: spec.layers };
    return { where: spec.where, encoding: spec.encoding, params, ...layers };
  });
  /** Order of the fixture's entry with the same stack and encoding. */
  function keyOf(spec: { readonly where: string; readonly encoding: string }): number {
    const at = specs.findIndex(({ where, encoding }) => where === spec.where && encoding === spec.encoding);
    return at < 0 ? specs.length : at;
  }
  return { reading, found };
}

describe.each(["makers", "remoteCode"])("files of %s", (name) => {
  test.each(load(name).map((fixture) => [fixture.id, fixture] as const))("%s", (_, fixture) => {
    const { reading, found } = readAs(fixture);
    expect(reading.error).toBeNull();
    if (fixture.format !== undefined) expect(reading.format).toBe(fixture.format);
    expect(found).toEqual(fixture.specs);
    expect(reading.specs.filter(({ confidence }) => confidence === "guess")).toEqual([]);
    expect(reading.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

test("each axis of a diffusion transformer has the frequencies of its own dimensions", () => {
  const fixture = load("makers").find(({ id }) => id === "Wan 2.1 1.3B");
  const [spec] = readConfig(JSON.stringify(fixture?.config)).specs;
  if (spec === undefined) throw new Error("no encoding was read");
  const { inv_freq: found, axis } = computeDerivedValues(spec);
  const wanted = [44, 42, 42].flatMap((dim) => Array.from({ length: dim / 2 }, (_, k) => 10_000 ** ((-2 * k) / dim)));
  expect(axis).toEqual([...Array(22).fill(0), ...Array(21).fill(1), ...Array(21).fill(2)]);
  expect(found).toEqual(wanted.map((value) => expect.closeTo(value, 14)));
});

test("NTK-aware scaling of an axis raises its base", () => {
  const fixture = load("makers").find(({ id }) => id === "Cosmos");
  const [spec] = readConfig(JSON.stringify(fixture?.config)).specs;
  expect(spec?.params.axes_theta).toEqual([10_000, 10_000 * 3 ** (42 / 40), 10_000 * 3 ** (42 / 40)]);
});

test("frequencies that a file does not determine are not invented", () => {
  const [spec] = readConfig('{"_class_name":"LTXVideoTransformer3DModel","num_layers":28}').specs;
  if (spec === undefined) throw new Error("no encoding was read");
  expect([spec.encoding, computeDerivedValues(spec)]).toEqual(["axial_rope", {}]);
});

test("a class that is not known is a guess if it has the keys of axes", () => {
  const text = '{"_class_name":"LensTransformer2DModel","axes_dims_rope":[8,28,28],"num_attention_heads":24}';
  expect(readConfig(text).specs).toMatchObject([
    { encoding: "axial_rope", confidence: "guess", params: { axes_dims: [8, 28, 28], head_dim: 64 } },
  ]);
});

test.each([
  { _class_name: "FluxPipeline", transformer: ["diffusers", "FluxTransformer2DModel"] },
  { _class_name: "FlowMatchEulerDiscreteScheduler", shift: 3 },
  { dim: 512, n_layers: 6, n_heads: 8, dropout: 0.1 },
  { hidden: { hidden_size: 64, num_heads: 4 } },
  { name: "package", version: "1.0.0" },
])("is no model's: %j", (config) => {
  expect(readConfig(JSON.stringify(config))).toMatchObject({ format: "unknown", specs: [], error: null });
});

test("an axis may have no dimensions", () => {
  const fixture = load("makers").find(({ id }) => id.startsWith("Bria"));
  const [spec] = readConfig(JSON.stringify(fixture?.config)).specs;
  if (spec === undefined) throw new Error("no encoding was read");
  const { inv_freq, axis } = computeDerivedValues(spec);
  const own = Array.from({ length: 24 }, (_, k) => expect.closeTo(10_000 ** ((-2 * k) / 48), 14));
  expect([inv_freq, axis]).toEqual([
    [...own, ...own],
    [...Array(24).fill(1), ...Array(24).fill(2)],
  ]);
});

test("a model beside those of a row is read for itself, as a guess", () => {
  const visual = { heads: 16, image_size: 448, layers: 48, patch_size: 14, width: 1664 };
  const { specs } = readConfig(
    JSON.stringify({ model_type: "qwen", hidden_size: 4096, num_attention_heads: 32, seq_length: 2048, visual }),
  );
  expect(specs.map(({ where, encoding, confidence }) => [where, encoding, confidence])).toEqual([
    ["text", "rope", "automatic"],
    ["vision", "learned_absolute", "guess"],
  ]);
});

test("a key of remote code is not taken for a misspelt one of the library", () => {
  const fixture = load("remoteCode").find(({ id }) => id === "Step 3");
  expect(fixture?.config.text_config).toHaveProperty("max_position_embedding");
  expect(readConfig(JSON.stringify(fixture?.config)).problems).toEqual([]);
});

test("remote code under a name of the library is known by its keys, and only with auto_map", () => {
  const { auto_map, ...config } = load("remoteCode").find(({ id }) => id === "MosaicBERT")?.config ?? {};
  const encodings = (file: object) => readConfig(JSON.stringify(file)).specs.map(({ encoding }) => encoding);
  expect(encodings({ ...config, auto_map })).toEqual(["alibi"]);
  expect(encodings(config)).toEqual(["learned_absolute"]);
});
