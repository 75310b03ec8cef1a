import type { Encoding, Parameter } from "../../../src/core/encodings/encoding.ts";
import { checkParams, suggestParams } from "../../../src/core/encodings/support/schema.ts";
import type { Params, ParamValue } from "../../../src/core/spec.ts";
import type { AttentionSource } from "../../../webview/engine/renderer.ts";
import type { Viewport } from "../../../webview/matrix/viewport.ts";

/** Cases for every encoding in the table, drawn from its own schema: a new encoding needs no new code here. */

/** Deterministic numbers in [0, 1) (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Longer vectors make a case slow and test nothing more. */
const LONGEST_VECTOR = 96;

function drawNumber({ kind, slider, max }: Parameter, random: () => number): number | undefined {
  if (slider === undefined) return undefined;
  const high = Math.min(slider.max, max ?? slider.max, slider.scale === "linear" ? LONGEST_VECTOR : slider.max);
  const low = slider.min;
  const value = slider.scale === "log" ? low * (high / low) ** random() : low + (high - low) * random();
  const step = slider.step ?? (kind === "integer" ? 1 : 0);
  return step === 0 ? value : Math.round((value - low) / step) * step + low;
}

function draw(parameter: Parameter, random: () => number): ParamValue {
  switch (parameter.kind) {
    case "boolean":
      return random() < 0.5;
    case "choice":
      return parameter.choices?.[Math.floor(random() * parameter.choices.length)]?.value ?? parameter.default;
    case "integer":
    case "number": {
      // An optional parameter is mostly unset.
      if (parameter.default === null && random() < 0.7) return null;
      const value = drawNumber(parameter, random) ?? parameter.default;
      return parameter.kind === "integer" && typeof value === "number" ? Math.round(value) : value;
    }
    case "numbers":
      return parameter.default;
  }
}

/** Valid parameters: those that break a rule, or else the last drawn one, return to their defaults. */
export function randomParams(encoding: Encoding, seed: number): Params {
  const random = randomNumbers(seed);
  const drawn = new Map(encoding.parameters.map((parameter) => [parameter.name, draw(parameter, random)]));
  for (;;) {
    const params = suggestParams(encoding, Object.fromEntries(drawn));
    const [problem] = checkParams(encoding, params).problems;
    if (problem === undefined) return params;
    const last = [...drawn.keys()].at(-1);
    if (last === undefined) throw new Error(`${encoding.id}: defaults break a rule: ${problem.param}: ${problem.rule}`);
    if (!drawn.delete(problem.param)) drawn.delete(last);
  }
}

export interface ParityCase {
  readonly name: string;
  readonly recipe: AttentionSource;
  readonly viewport: Viewport;
}

const ROWS = 13;
const COLUMNS = 37;

/** The length of the sequence and the first visible cell of a case. */
interface Place {
  readonly name: string;
  readonly length: number;
  readonly shift: number;
  readonly row: number;
}

/** Viewports at 0, 100,000 and 10,000,000 as far as the domain reaches. */
function placesOf(encoding: Encoding, params: Params): Place[] {
  const domain = encoding.domain(params);
  const start = (length: number): Place => ({ name: "0", length, shift: 0, row: 0 });
  if (domain.kind === "recursive") return [start(24)];
  if (domain.kind === "table") {
    const last = Math.max(0, domain.size - COLUMNS);
    return [start(Math.min(domain.size, 64)), { name: "end", length: domain.size, shift: 0, row: last }];
  }
  return [
    start(64),
    { name: "100,000", length: 100_064, shift: 0, row: 100_000 },
    { name: "10,000,000", length: 10_000_064, shift: 0, row: 10_000_000 },
    { name: "shift 10,000,000", length: 64, shift: 10_000_000, row: 7 },
  ];
}

export function parityCases(encoding: Encoding, seed: number): ParityCase[] {
  const params = randomParams(encoding, seed);
  const heads = typeof params["num_heads"] === "number" ? params["num_heads"] : 1;
  const places = placesOf(encoding, params);
  return places.flatMap((place) =>
    (["ones", { seed }] as const).map((content) => {
      const { length, shift, row } = place;
      const rows = Math.min(ROWS, length);
      const columns = Math.min(COLUMNS, length);
      return {
        name: `${encoding.id} #${seed} at ${place.name}, ${content === "ones" ? "ones" : "random"}`,
        recipe: {
          encoding: encoding.id,
          params,
          scene: {
            queryLength: length,
            keyLength: length,
            shift,
            head: seed % heads,
            centre: shift + row,
            content,
            inputs: {},
          },
          // Long rows have their own test; here the window keeps them short.
          mask: length > 100 ? { causal: true, window: 24 } : seed % 2 === 0 ? { causal: true } : {},
        },
        viewport: {
          row: Math.min(row, length - rows),
          column: Math.max(0, Math.min(row - 11, length - columns)),
          rows,
          columns,
        },
      };
    }),
  );
}
