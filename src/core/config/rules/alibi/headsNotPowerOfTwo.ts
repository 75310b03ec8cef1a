import { alibiSlopes } from "../../../encodings/alibi.ts";
import { findingAt, HUGGING_FACE, type Rule } from "../rule.ts";
import { checkEachStack } from "../support/ropeBlocks.ts";

export const alibiHeadsNotPowerOfTwo: Rule = {
  id: "alibi/heads-not-power-of-two",
  severity: "info",
  formats: HUGGING_FACE,
  title: { en: "Number of ALiBi heads is not a power of two", zh: "ALiBi 的头数不是 2 的幂" },
  rationale: {
    en: "The slopes are then those of the next lower power of two, followed by every other slope of twice that power. Code that uses a single geometric sequence for all heads is wrong.",
    zh: "此时先取较小的 2 的幂的斜率，再从其两倍头数的斜率中隔一取一补足；对所有头用同一等比序列的代码是错的。",
  },
  reference: "https://github.com/ofirpress/attention_with_linear_biases/issues/5",
  check: checkEachStack(({ stack, specs: [spec] }) => {
    const heads = spec?.params.num_heads;
    if (stack.encoding !== "alibi" || typeof heads !== "number" || heads > 4096 || Number.isInteger(Math.log2(heads)))
      return [];
    const shown = alibiSlopes(heads)
      .slice(0, 8)
      .map((slope) => Number(slope.toPrecision(5)));
    const place = spec?.evidence.find(({ param }) => param === "num_heads");
    return findingAt(
      place,
      { en: "{0} heads: slopes {1}{2}", zh: "{0} 个头，斜率为 {1}{2}" },
      { args: [heads, shown.join(", "), heads > 8 ? " …" : ""] },
    );
  }),
};
