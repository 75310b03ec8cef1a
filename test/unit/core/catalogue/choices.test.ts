import { describe, expect, test } from "vitest";
import { listEncodingChoices } from "../../../../src/core/catalogue/choices.ts";
import { ENCODINGS } from "../../../../src/core/encodings/index.ts";

const choices = listEncodingChoices().flatMap(({ label, choices: own }) => own.map((choice) => ({ label, ...choice })));

describe("the list of encodings", () => {
  test("offers every encoding", () => {
    expect(new Set(choices.map(({ encoding }) => encoding))).toEqual(new Set(ENCODINGS.map(({ id }) => id)));
  });

  test("begins with RoPE and its variants, the most used", () => {
    expect(choices[0]).toMatchObject({ encoding: "rope", params: {} });
    expect(choices.find(({ parts }) => parts?.variant === "YaRN")?.encoding).toBe("rope");
  });

  test("groups encodings by what they do, not by name", () => {
    const groupOf = (id: string) => choices.find(({ encoding }) => encoding === id)?.label;
    expect(["rerope", "self_extend", "mrope"].map(groupOf)).toEqual(["rotation", "rotation", "rotation"]);
    expect(["alibi", "t5_bias", "kerple"].map(groupOf)).toEqual(["bias", "bias", "bias"]);
    expect(["tupe", "learned_absolute"].map(groupOf)).toEqual(["absolute", "absolute"]);
    expect(["shaw", "deberta", "transformer_xl"].map(groupOf)).toEqual(["relative", "relative", "relative"]);
  });

  test("finds an encoding by each model that its description names", () => {
    for (const { id, explanation } of ENCODINGS) {
      const text = choices.find(({ encoding }) => encoding === id);
      const searched = `${text?.name} ${text?.description} ${text?.summary}`;
      for (const model of explanation.models) expect(searched, id).toContain(model);
    }
    const baichuan = choices.filter(({ description, summary }) => `${description} ${summary}`.includes("Baichuan-13B"));
    expect(baichuan.map(({ encoding }) => encoding)).toEqual(["alibi"]);
  });
});
