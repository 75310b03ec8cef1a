import type { Encoding, Formula, Paper, Parameter } from "../../../src/core/encodings/encoding.ts";
import { checkParams } from "../../../src/core/encodings/support/schema.ts";
import { fullTitle } from "../../../src/core/encodings/support/title.ts";
import type { Localized } from "../../../src/core/l10n/l10n.ts";
import type { Params } from "../../../src/core/spec.ts";

/** `docs/encodings.md` and its Chinese translation: all encodings on one page. */

type PageLanguage = keyof Localized;

/** The fixed words of the page. */
const WORDS = {
  id: { en: "id", zh: "标识" },
  name: { en: "name", zh: "名称" },
  kind: { en: "kind", zh: "类别" },
  acts: { en: "acts", zh: "作用于" },
  values: { en: "values", zh: "取值" },
  model: { en: "model", zh: "模型" },
  encoding: { en: "encoding", zh: "编码" },
  parameter: { en: "parameter", zh: "参数" },
  default: { en: "default", zh: "默认值" },
  range: { en: "range", zh: "范围" },
  meaning: { en: "meaning", zh: "含义" },
  notSet: { en: "not set", zh: "未设置" },
  byModel: { en: "By model", zh: "按模型查找" },
  formula: { en: "Formula", zh: "公式" },
  parameters: { en: "Parameters", zh: "参数" },
  beyond: { en: "Beyond the training context", zh: "超出训练上下文" },
  strengths: { en: "Strengths and weaknesses", zh: "优点与缺点" },
  pitfalls: { en: "Pitfalls", zh: "易错之处" },
  models: { en: "Models", zh: "模型" },
  sources: { en: "Sources", zh: "来源" },
  absolute: { en: "absolute", zh: "绝对" },
  relative: { en: "relative", zh: "相对" },
  both: { en: "absolute and relative", zh: "绝对与相对" },
  none: { en: "none", zh: "无" },
  input: { en: "on the input vectors", zh: "输入向量" },
  query_key: { en: "on queries and keys", zh: "查询与键" },
  scores: { en: "on the scores", zh: "分数" },
  keys_values: { en: "on keys and values", zh: "键与值" },
  nowhere: { en: "nowhere", zh: "无" },
  kept: { en: "unchanged", zh: "不变" },
  changed: { en: "changed", zh: "改变" },
  dropped: { en: "dropped", zh: "略去" },
  content_content: { en: "content · content", zh: "内容 · 内容" },
  content_position: { en: "content · position", zh: "内容 · 位置" },
  position_content: { en: "position · content", zh: "位置 · 内容" },
  position_position: { en: "position · position", zh: "位置 · 位置" },
  fixed: { en: "fixed", zh: "固定" },
  trained: { en: "trained", zh: "训练所得" },
  either: { en: "fixed or trained", zh: "固定或训练所得" },
} as const satisfies Record<string, Localized>;

const EXPANSION_ROLES = ["content_content", "content_position", "position_content", "position_position"] as const;

/** Text inside a table cell. */
function escapeCell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

/** Writes the page in one language. */
class PageWriter {
  readonly #language: PageLanguage;

  constructor(language: PageLanguage) {
    this.#language = language;
  }

  page(encodings: readonly Encoding[]): string {
    const parts = [
      this.#say(INTRODUCTION),
      this.#overviewTable(encodings),
      `## ${this.#say(WORDS.byModel)}`,
      this.#modelTable(encodings),
      ...encodings.map((encoding) => this.#section(encoding)),
    ];
    return `${parts.join("\n\n")}\n`;
  }

  #say(text: Localized): string {
    return text[this.#language];
  }

  #table(head: readonly Localized[], rows: readonly (readonly string[])[]): string {
    return markdownTable(
      head.map((text) => this.#say(text)),
      rows,
    );
  }

  /** Sentences in a row: Chinese has no space between them. */
  #sentences(...sentences: readonly string[]): string {
    return sentences.filter(Boolean).join(this.#language === "en" ? " " : "");
  }

  #list(items: readonly string[]): string {
    return items.join(this.#language === "en" ? ", " : "、");
  }

  #trainedCount({ classification }: Encoding, count: number): string {
    const kind = this.#say(WORDS[classification.trained]);
    if (classification.trained === "fixed" || count === 0) return kind;
    const shown = count.toLocaleString("en");
    return this.#say({ en: `${kind}, ${shown} parameters by default`, zh: `${kind}，默认 ${shown} 个参数` });
  }

  #overviewTable(encodings: readonly Encoding[]): string {
    const rows = encodings.map((encoding) => [
      `[\`${encoding.id}\`](#${encoding.id})`,
      this.#say(fullTitle(encoding)),
      this.#say(WORDS[encoding.classification.kind]),
      this.#say(WORDS[encoding.classification.actsOn]),
      this.#say(WORDS[encoding.classification.trained]),
    ]);
    return this.#table([WORDS.id, WORDS.name, WORDS.kind, WORDS.acts, WORDS.values], rows);
  }

  /** Encodings by model. */
  #modelTable(encodings: readonly Encoding[]): string {
    const rows = encodings.flatMap((encoding) =>
      encoding.explanation.models.map((model) => [model, `[${this.#say(fullTitle(encoding))}](#${encoding.id})`]),
    );
    const sorted = rows.sort(([a = ""], [b = ""]) => a.localeCompare(b, "en"));
    return this.#table([WORDS.model, WORDS.encoding], sorted);
  }

  #formula({ tex, text, meaning }: Formula): string {
    const plain = this.#say({ en: `In plain text: ${text}`, zh: `纯文本：${text}` });
    return [...(meaning === undefined ? [] : [this.#say(meaning)]), `\`\`\`math\n${tex}\n\`\`\``, plain].join("\n\n");
  }

  #formulas({ formulas }: Encoding): string[] {
    if (formulas.length === 1) return formulas.map((formula) => this.#formula(formula));
    return formulas.map((formula) => `#### \`${formula.id}\`\n\n${this.#formula(formula)}`);
  }

  #range({ min, max, above, choices }: Parameter): string {
    if (choices !== undefined) return choices.map(({ value }) => `\`${value}\``).join(", ");
    const low = above === undefined ? min : above;
    const from =
      above === undefined ? { en: `from ${low}`, zh: `≥ ${low}` } : { en: `greater than ${low}`, zh: `> ${low}` };
    const upTo = max?.toLocaleString("en");
    return this.#list([
      ...(low === undefined ? [] : [this.#say(from)]),
      ...(upTo === undefined ? [] : [this.#say({ en: `up to ${upTo}`, zh: `≤ ${upTo}` })]),
    ]);
  }

  #parameterTable({ parameters }: Encoding): string {
    const rows = parameters.map((parameter) => [
      [parameter.name, ...(parameter.aliases ?? [])].map((name) => `\`${name}\``).join(", "),
      parameter.default === null ? this.#say(WORDS.notSet) : `\`${JSON.stringify(parameter.default)}\``,
      this.#range(parameter),
      this.#say(parameter.help),
    ]);
    return this.#table([WORDS.parameter, WORDS.default, WORDS.range, WORDS.meaning], rows);
  }

  #domain(encoding: Encoding, params: Params): string {
    const domain = encoding.domain(params);
    const row = encoding.cellsAreIndependent
      ? ""
      : this.#say({ en: "A cell depends on its whole row.", zh: "一个单元格取决于它所在的整行。" });
    if (domain.kind === "any")
      return this.#sentences(this.#say({ en: "Defined at every position.", zh: "任何位置都有定义。" }), row);
    const end = domain.kind === "table" ? domain.size - 1 : 0;
    const limit =
      domain.kind === "table"
        ? { en: `Defined at positions 0 to ${end} by default.`, zh: `默认在位置 0 到 ${end} 有定义。` }
        : { en: "Must be computed from the start.", zh: "必须从头开始计算。" };
    return this.#sentences(this.#say(limit), this.#say(domain.reason), row);
  }

  /** How the encoding is classified, what it is called and where it is defined. */
  #facts(encoding: Encoding): string {
    const { classification, aliases, learnedArrays, id } = encoding;
    const { params } = checkParams(encoding, {});
    const kind = this.#say(WORDS[classification.kind]);
    const acts = this.#say(WORDS[classification.actsOn]);
    const trained = this.#trainedCount(encoding, classification.trainedParameters(params));
    const effect = EXPANSION_ROLES.map(
      (role) => `${this.#say(WORDS[role])} ${this.#say(WORDS[encoding.effect[role]])}`,
    ).join(this.#language === "en" ? ", " : "，");
    const found = this.#list(aliases);
    const arrays = this.#list(learnedArrays.map((name) => `\`${name}\``));
    return bulletList([
      this.#say({
        en: `Id \`${id}\`; ${kind}; acts ${acts}; ${trained}.`,
        zh: `标识 \`${id}\`；类别：${kind}；作用于：${acts}；取值：${trained}。`,
      }),
      this.#say({ en: `Of the expansion: ${effect}.`, zh: `展开式各项：${effect}。` }),
      this.#domain(encoding, params),
      ...(aliases.length === 0 ? [] : [this.#say({ en: `Also found as ${found}.`, zh: `又称 ${found}。` })]),
      ...(learnedArrays.length === 0
        ? []
        : [this.#say({ en: `Learned arrays: ${arrays}.`, zh: `学得的数组：${arrays}。` })]),
    ]);
  }

  #section(encoding: Encoding): string {
    const { explanation } = encoding;
    const heading = (text: Localized) => `### ${this.#say(text)}`;
    const models = explanation.models.join(", ");
    return [
      `<a id="${encoding.id}"></a>`,
      `## ${this.#say(fullTitle(encoding))}`,
      this.#say(explanation.summary),
      this.#facts(encoding),
      heading(WORDS.formula),
      ...this.#formulas(encoding),
      heading(WORDS.parameters),
      this.#parameterTable(encoding),
      heading(WORDS.beyond),
      this.#say(explanation.extrapolation),
      heading(WORDS.strengths),
      this.#say(explanation.strengths),
      this.#say(explanation.weaknesses),
      heading(WORDS.pitfalls),
      this.#say(explanation.pitfalls),
      ...(models === "" ? [] : [heading(WORDS.models), this.#say({ en: `${models}.`, zh: `${models}。` })]),
      heading(WORDS.sources),
      bulletList([
        ...encoding.papers.map(paperLink),
        ...encoding.repositories.map((name) => `[${name}](https://github.com/${name})`),
      ]),
    ].join("\n\n");
  }
}

function paperLink({ title, arxiv, url, year }: Paper): string {
  const link = arxiv === undefined ? url : `https://arxiv.org/abs/${arxiv}`;
  const named = link === undefined ? title : `[${title}](${link})`;
  return `${named}, ${year}${arxiv === undefined ? "" : `, arXiv ${arxiv}`}`;
}

function expansion([content, position]: readonly [string, string]): string {
  const part = (formula: string, a: string, b: string) => `\\underbrace{${formula}}_{\\text{${a} · ${b}}}`;
  return `\`\`\`math
(x_i + p_i) W_Q \\cdot (x_j + p_j) W_K = ${[
    part("x_i W_Q \\cdot x_j W_K", content, content),
    part("x_i W_Q \\cdot p_j W_K", content, position),
    part("p_i W_Q \\cdot x_j W_K", position, content),
    part("p_i W_Q \\cdot p_j W_K", position, position),
  ].join(" + ")}
\`\`\``;
}

const INTRODUCTION: Localized = {
  en: `# Position encodings

Generated from the table in \`src/core/encodings/index.ts\` by \`npm run docs\`; do not edit.

Attention without positions only permutes its output rows when the tokens are permuted. There are two ways out: put
the position into the input (absolute), or change attention (relative). Both are cases of one expansion. With content
x and position p, a logit is a sum of four terms,

${expansion(["content", "position"])}

of which only the last three depend on position. Every encoding below says which of them it keeps, changes or drops.
Throughout, i is the query, j the key and δ = i − j; θ is \`rope_theta\`, ω_k the inverse frequency of pair k, d the
head dimension.`,
  zh: `# 位置编码

由 \`npm run docs\` 从 \`src/core/encodings/index.ts\` 中的表生成，请勿编辑。

没有位置信息的注意力，在词元重排时只是相应重排输出的各行。办法有两种：把位置放进输入（绝对），或者改变注意力（相对）。两者都是同一展开式的特例。设内容为 x、位置为 p，一个 logit 是四项之和：

${expansion(["内容", "位置"])}

其中只有后三项与位置有关。下面的每种编码都说明它让哪些项不变、改变或略去。文中 i 为查询，j 为键，δ = i − j；θ 即 \`rope_theta\`，ω_k 为第 k 对的逆频率，d 为每个注意力头的维数。`,
};

/** The whole page. */
export function encodingsPage(encodings: readonly Encoding[], language: PageLanguage): string {
  return new PageWriter(language).page(encodings);
}
