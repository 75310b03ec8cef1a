import { describe, expect, test } from "vitest";
import type { Encoding } from "../../../../../src/core/encodings/encoding.ts";
import { ENCODINGS, encodingById } from "../../../../../src/core/encodings/index.ts";
import {
  EXPANSION_ROLES,
  expansionSteps,
  resolveExpansion,
} from "../../../../../src/core/encodings/support/expansion.ts";
import { checkParams, suggestParams } from "../../../../../src/core/encodings/support/schema.ts";
import type { Params, ParamValue } from "../../../../../src/core/spec.ts";
import { randomScene } from "../../../support/scenes.ts";

function expand(encoding: Encoding, changes: Params = {}) {
  const { params } = checkParams(encoding, suggestParams(encoding, checkParams(encoding, changes).params));
  const roles = encoding.terms(params, randomScene(4, 1)).map(({ role }) => role);
  return resolveExpansion(encoding, new Set(roles));
}

function known(id: string): Encoding {
  const encoding = encodingById(id);
  if (encoding === undefined) throw new Error(`there is no encoding ${id}`);
  return encoding;
}

const effects = (encoding: Encoding, changes: Params = {}) => expand(encoding, changes).map(({ effect }) => effect);

describe("the way from the four terms to an encoding", () => {
  test.each(ENCODINGS.map((encoding) => [encoding.id, encoding] as const))(
    "is the same for %s in its terms, its classification and its equations",
    (_id, encoding) => {
      const terms = expand(encoding);
      expect(terms.map(({ role }) => role)).toEqual([...EXPANSION_ROLES]);
      for (const { role, effect, formula } of terms) {
        expect(effect, role).toBe(encoding.effect[role]);
        // Bold letters mark what took the place of p.
        expect(formula.tex.includes("\\mathbf"), `${role}: ${formula.tex}`).toBe(effect === "changed");
      }
      const steps = expansionSteps(encoding);
      expect(steps.en).toMatch(/\.$/);
      expect(steps.zh).toMatch(/。$/);
    },
  );

  test("follows parameters that leave a term out or add one", () => {
    expect(effects(known("deberta"), { pos_att_type: "c2p" })).toEqual(["kept", "changed", "dropped", "dropped"]);
    const both = effects(known("shaw"), { position_embeddings_type: "relative_key_query" });
    expect(both).toEqual(["kept", "changed", "changed", "dropped"]);
  });

  test("names what p became: R, u and v in XLNet, b in T5, R both ways in DeBERTa", () => {
    const texts = (id: string) => expand(known(id)).map(({ formula }) => formula.text);
    expect(texts("transformer_xl").slice(1)).toEqual([
      "x_i W_Q · R(i − j) W_{K,R}",
      "u · x_j W_K",
      "v · R(i − j) W_{K,R}",
    ]);
    expect(texts("t5_bias")[3]).toBe("b[h, B(i, j)]");
    expect(texts("deberta").slice(1, 3)).toEqual(["x_i W_Q · R[δ(i, j)] W_{K,r}", "R[δ(j, i)] W_{Q,r} · x_j W_K"]);
    expect(texts("rope")[0]).toBe("x_i W_Q R(j − i) · x_j W_K");
  });
});

describe("the formulas of an encoding", () => {
  /** Parameters that choose: every choice and switch, alone and in pairs. */
  function variants({ parameters }: Encoding): Params[] {
    const values = parameters.flatMap(({ name, kind, choices = [] }): [string, ParamValue][] => [
      ...choices.map(({ value }): [string, ParamValue] => [name, value]),
      ...(kind === "boolean" ? [true, false].map((value): [string, ParamValue] => [name, value]) : []),
    ]);
    const singles = values.map(([name, value]) => ({ [name]: value }));
    return [{}, ...singles, ...singles.flatMap((a) => singles.map((b) => ({ ...a, ...b })))];
  }

  test.each(ENCODINGS.map((encoding) => [encoding.id, encoding] as const))(
    "of %s are each chosen by some parameters",
    (_id, encoding) => {
      const chosen = new Set(
        variants(encoding).map((changes) => {
          const complete = suggestParams(encoding, checkParams(encoding, changes).params);
          return encoding.formula(checkParams(encoding, complete).params).id;
        }),
      );
      expect(encoding.formulas.map(({ id }) => id).filter((id) => !chosen.has(id))).toEqual([]);
    },
  );
});
