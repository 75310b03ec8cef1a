import type { Localized } from "../l10n/l10n.ts";
import type { PanelState } from "../protocol/state.ts";
import type { EncodingId } from "../spec.ts";
import type { LessonStepId } from "./stepIds.ts";

/** One step of the guided path: a picture of the existing views, set to its point. */
export interface LessonStep {
  readonly title: Localized;
  readonly encoding: EncodingId;
  /** Differences from the encoding's initial panel. */
  readonly state: Partial<PanelState>;
  /** What the picture shows, in one sentence. */
  readonly see: Localized;
  /** One thing to try. */
  readonly experiment: Localized;
  readonly more: readonly { readonly title: string; readonly url: string }[];
}

const arxiv = (title: string, id: string) => ({ title, url: `https://arxiv.org/abs/${id}` });

const ATTENTION_PAPER = arxiv("Attention Is All You Need", "1706.03762");

/** As many queries as keys. */
const square = (tokens: number) => ({ queryLength: tokens, keyLength: tokens });

/** All cells of a text of few words, each large enough to be told apart. */
const words = { ...square(24), content: "tokens", causal: false } as const;

/** The steps by id, from “attention cannot see order” to what happens beyond the training context. */
export const LESSON_STEPS: Readonly<Record<LessonStepId, LessonStep>> = {
  order: {
    title: { en: "Attention cannot see order", zh: "注意力看不见顺序" },
    encoding: "none",
    state: { view: "example", order: [2, 0, 1] },
    see: {
      en: "Without positions, “apples I like” has exactly the scores of “I like apples”, each word with each word; they only change places.",
      zh: "没有位置时，“apples I like”与“I like apples”中每个词对每个词的分数完全相同，只是换了位置。",
    },
    experiment: {
      en: "Press “Shuffle tokens” and read below each matrix how many of its scores change.",
      zh: "点“打乱词元”，看每个矩阵下方写着有多少分数发生了变化。",
    },
    more: [ATTENTION_PAPER],
  },
  two_ways: {
    title: { en: "Two ways to tell it", zh: "告知顺序的两条路" },
    encoding: "sinusoidal",
    state: {
      ...square(64),
      view: "scores",
      sharedColours: false,
      compare: { encoding: "alibi", config: null, given: null, changes: {} },
    },
    see: {
      en: "A adds a position vector to the input of the first layer (absolute); B leaves the words alone and changes the scores by distance (relative).",
      zh: "A 把位置向量加到第一层的输入上（绝对编码）；B 不动词，而是在注意力里按距离改分数（相对编码）。",
    },
    experiment: {
      en: "Open Table: only A has a vector for each position. Then open Bias: only B has one.",
      zh: "打开“位置表”：只有 A 的每个位置有向量；再打开“偏置”：只有 B 有偏置。",
    },
    more: [ATTENTION_PAPER, arxiv("Position Information in Transformers: An Overview", "2102.11090")],
  },
  four_terms: {
    title: { en: "Adding p makes four terms", zh: "加上 p，分数变成四项" },
    encoding: "sinusoidal",
    state: { ...words, view: "terms" },
    see: {
      en: "(x + p)W_Q · (x + p)W_K multiplies out into four products; all but content · content depend on position, and relative encodings change exactly those.",
      zh: "(x + p)W_Q · (x + p)W_K 展开为四个乘积；除“内容 · 内容”外都与位置有关，相对编码改动的正是这三项。",
    },
    experiment: {
      en: "Switch off content · content: the rest is all that attention learns about order.",
      zh: "关掉“内容 · 内容”：剩下的就是注意力对顺序的全部了解。",
    },
    more: [arxiv("Transformer-XL, section 3.3", "1901.02860")],
  },
  learned_table: {
    title: { en: "A trained table ends", zh: "可学习的表有尽头" },
    encoding: "learned_absolute",
    state: { ...square(600), view: "table" },
    see: {
      en: "BERT and GPT train one vector per position: it fits the data, but a table of 512 rows has no position 512.",
      zh: "BERT 与 GPT 为每个位置训练一个向量：贴合数据，但 512 行的表里没有位置 512。",
    },
    experiment: {
      en: "Set max_position_embeddings to 1024: the table gets longer, but only training could fill its new rows.",
      zh: "把 max_position_embeddings 设为 1024：表变长了，但新的行只能靠训练得到。",
    },
    more: [arxiv("BERT", "1810.04805")],
  },
  sinusoid: {
    title: { en: "A formula goes on", zh: "公式没有尽头" },
    encoding: "sinusoidal",
    state: { ...square(128), view: "table" },
    see: {
      en: "Each pair of columns is a sine and a cosine of one wavelength, short on the left and long on the right, so p at k + δ is p at k rotated by an angle that depends only on δ.",
      zh: "每两列是同一波长的正弦与余弦，左边波长短、右边长；因此位置 k + δ 的 p 就是位置 k 的 p 旋转一个只取决于 δ 的角度。",
    },
    experiment: {
      en: "Move “shift both by”: a formula has a row for every position, even past the training context.",
      zh: "拖动“同时平移”：公式对任何位置都有一行，包括训练从未到过的位置。",
    },
    more: [ATTENTION_PAPER],
  },
  other_absolute: {
    title: { en: "Multiply, or step by step", zh: "相乘，或一步步推出" },
    encoding: "multiplicative",
    state: { ...words, view: "scores" },
    see: {
      en: "Position can also scale the word, x ⊗ p: the same two words get another score at each place.",
      zh: "位置也可以去乘词向量，x ⊗ p：同样的两个词在不同地方分数不同。",
    },
    experiment: {
      en: "Choose Recursive in the list of encodings: each p follows from the one before, so it has no end, but it cannot be computed in parallel.",
      zh: "在编码列表中选“递归式位置编码”：每个 p 由前一个推出，没有尽头，但无法并行计算。",
    },
    more: [
      arxiv("Encoding word order in complex embeddings", "1912.12333"),
      arxiv("Learning to Encode Position with Continuous Dynamics (FLOATER)", "2003.09229"),
    ],
  },
  shift: {
    title: { en: "The flaw: a shift changes everything", zh: "缺陷：一平移，全都变" },
    encoding: "learned_absolute",
    state: { ...square(64), view: "scores", causal: false },
    see: {
      en: "Along each diagonal the distance is the same and the words are equal, and still the scores differ.",
      zh: "同一条对角线上距离相同、词也相同，分数却各不相同。",
    },
    experiment: {
      en: "Move “shift both by”: every score changes, although nothing about the words has. Then choose ALiBi and do it again.",
      zh: "拖动“同时平移”：词没有任何变化，每个分数却都变了。再换成 ALiBi 试一次。",
    },
    more: [arxiv("Self-Attention with Relative Position Representations", "1803.02155")],
  },
  shaw: {
    title: { en: "Shaw: only the distance counts", zh: "Shaw：只看距离" },
    encoding: "shaw",
    state: { ...square(48), view: "terms", causal: false, changes: { max_relative_position: 8 } },
    see: {
      en: "The query's position is dropped and the key's becomes a vector of the distance, which is clipped: all keys farther away than 8 share one vector per side.",
      zh: "去掉查询的位置，键的位置换成距离的向量，并且截断：比 8 更远的键每侧共用一个向量。",
    },
    experiment: {
      en: "Move max_relative_position: the table grows by two rows per step, yet fits a text of any length.",
      zh: "拖动 max_relative_position：每加一，表多两行，却能用于任意长度的文本。",
    },
    more: [arxiv("Self-Attention with Relative Position Representations", "1803.02155"), arxiv("NEZHA", "1909.00204")],
  },
  xlnet: {
    title: { en: "Transformer-XL and XLNet: all four terms", zh: "Transformer-XL 与 XLNet：四项俱全" },
    encoding: "transformer_xl",
    // Above the diagonal, the original Transformer-XL is undefined.
    state: { ...words, view: "terms", causal: true },
    see: {
      en: "The key's p became R of the distance, and the query's p became two trained vectors, u and v, which are the same for every query.",
      zh: "键的 p 换成距离的 R，查询的 p 换成两个训练得到的向量 u 与 v，对所有查询都一样。",
    },
    experiment: {
      en: "Leave only the last term on: it depends on neither word, so it is a bias by distance, which is what T5 keeps.",
      zh: "只留最后一项：它与两个词都无关，就是按距离的偏置，T5 保留的正是它。",
    },
    more: [arxiv("Transformer-XL", "1901.02860"), arxiv("XLNet", "1906.08237")],
  },
  t5: {
    title: { en: "T5: one number per bucket", zh: "T5：每个桶一个数" },
    encoding: "t5_bias",
    state: { ...square(256), view: "buckets" },
    see: {
      en: "T5 drops both middle terms and keeps one trained number per bucket of distances: 0 to 7 have a bucket each, farther ones share wider and wider buckets.",
      zh: "T5 去掉中间两项，每个距离桶只留一个训练得到的数：0 到 7 各占一桶，越远的桶越宽。",
    },
    experiment: {
      en: "Halve num_buckets and count the distances that still have a bucket of their own.",
      zh: "把 num_buckets 减半，数一数还有几个距离独占一桶。",
    },
    more: [arxiv("Exploring the Limits of Transfer Learning (T5)", "1910.10683")],
  },
  deberta: {
    title: { en: "DeBERTa: the opposite choice", zh: "DeBERTa：相反的选择" },
    encoding: "deberta",
    state: { ...words, view: "terms" },
    see: {
      en: "DeBERTa keeps what T5 drops: word with distance and distance with word, both by content; the term without words is gone.",
      zh: "DeBERTa 保留 T5 去掉的两项：词与距离、距离与词；与词无关的那一项则去掉了。",
    },
    experiment: {
      en: "Set pos_att_type to c2p only: one of the two middle terms disappears, and the scale grows with it.",
      zh: "把 pos_att_type 设为只有 c2p：中间两项少了一项，缩放也随之变大。",
    },
    more: [arxiv("DeBERTa", "2006.03654")],
  },
  rope: {
    title: { en: "RoPE: rotate, and only the difference is left", zh: "RoPE：旋转之后，只剩位置之差" },
    encoding: "rope",
    state: { ...square(512), view: "rotation" },
    see: {
      en: "Query and key are rotated by their own positions (absolute in form), and their product depends only on the angle between them, (m − n)θ (relative in effect).",
      zh: "查询和键各按自己的位置旋转（形式上是绝对的），内积只取决于两者的夹角 (m − n)θ（效果上是相对的）。",
    },
    experiment: {
      en: "Move “shift both by”: both arrows rotate, and the score stays.",
      zh: "拖动“同时平移”：两支箭头一起转，分数不变。",
    },
    more: [arxiv("RoFormer", "2104.09864")],
  },
  alibi: {
    title: { en: "ALiBi: a penalty on distance", zh: "ALiBi：按距离扣分" },
    encoding: "alibi",
    state: { ...square(128), view: "curves" },
    see: {
      en: "Each head subtracts its own slope times the distance, so nearer keys matter more; today's models mostly use RoPE, and some ALiBi.",
      zh: "每个头减去“自己的斜率 × 距离”，越近的键越重要；如今的模型以 RoPE 为主，也有用 ALiBi 的。",
    },
    experiment: {
      en: "Open Attention and step through the heads: the steepest sees a few tokens, the flattest the whole text.",
      zh: "打开“注意力”，逐个切换头：斜率最大的只看几个词元，最小的看整段文本。",
    },
    more: [arxiv("Train Short, Test Long (ALiBi)", "2108.12409")],
  },
  beyond_training: {
    title: { en: "Beyond the training context", zh: "超出训练上下文" },
    encoding: "rope",
    state: { ...square(16_384), view: "extrapolation", trained: 4096 },
    see: {
      en: "Relative is not enough: past 4,096 tokens the slow pairs of plain RoPE reach angles that never occurred in training.",
      zh: "只做到“相对”还不够：超过 4096 个词元后，普通 RoPE 的慢速维度对会转到训练中从未出现的角度。",
    },
    experiment: {
      en: "Choose RoPE · YaRN with factor 4, then linear (PI) and NTK: each stretches the slow pairs in its own way.",
      zh: "选 RoPE · YaRN，factor 取 4，再试线性插值（PI）与 NTK：它们各以自己的方式拉长慢速的维度对。",
    },
    more: [arxiv("Extending Context Window via Position Interpolation", "2306.15595"), arxiv("YaRN", "2309.00071")],
  },
};
