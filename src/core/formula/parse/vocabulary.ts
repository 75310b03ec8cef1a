/** What TeX's commands mean to the reader of formulas. */

export const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    "sin cos tan tanh exp log ln lg max min clip clamp softmax Softmax SoftMax sigmoid sgn sign diag Re Im Concat concat concatenate cat " +
    "Attention Attn attention RoPE rope Rotary rotate rotatehalf rotateHalf rotate_half round mod bmod floor ceil LN LayerNorm MLP FFN ReLU " +
    "relu GELU gelu arg argmax argmin sup inf det dim stack bucket Embedding Embed Linear index CPB CoPE ODESolve interp lerp " +
    "sqrt abs erf logsumexp trunc trace  rank Pr"
  ).split(/\s+/),
);

/** Functions that are written without backslash or font in running letters: `sinm\theta`. */
export const LETTER_FUNCTIONS: readonly string[] = [
  "softmax",
  "rotate",
  "Concat",
  "concat",
  "sigmoid",
  "Attention",
  "clamp",
  "clip",
  "RoPE",
  "cos",
  "sin",
  "exp",
  "log",
  "max",
  "min",
  "MLP",
  "ln",
];

/** Words written in running letters. */
export const WORDS: ReadonlySet<string> = new Set(
  (
    "pos PE pe POS dim base head heads model theta emb embed embedding scale len length seq factor rel pow bias slope Pos TE PosEnc PEnc " +
    "dk dmodel freq inv position omega max_len token low high new old wavelength smooth out attn logits score scores alpha beta bucket orig ntk NTK"
  ).split(" "),
);

export const RELATIONS: Readonly<Record<string, string>> = {
  "=": "=",
  "<": "<",
  ">": ">",
  ":": ":",
  coloneqq: "=",
  equiv: "=",
  triangleq: "=",
  doteq: "=",
  approx: "≈",
  simeq: "≈",
  sim: "~",
  propto: "∝",
  le: "<",
  leq: "<",
  leqslant: "<",
  lt: "<",
  ge: ">",
  geq: ">",
  geqslant: ">",
  gt: ">",
  ne: "≠",
  neq: "≠",
  ll: "<",
  gg: ">",
  in: "∈",
  to: "→",
  rightarrow: "→",
  longrightarrow: "→",
  Rightarrow: "⇒",
  Longrightarrow: "⇒",
  implies: "⇒",
  iff: "⇒",
  mapsto: "→",
  gets: "=",
  leftarrow: "=",
  longmapsto: "→",
  Leftrightarrow: "⇒",
  subset: "∈",
  mid: "|",
  colon: ":",
};

export const PRODUCT_SIGNS: Readonly<Record<string, "dot" | "times" | "odot" | "otimes" | "circ" | "oplus">> = {
  "*": "dot",
  cdot: "dot",
  cdotp: "dot",
  bullet: "dot",
  times: "times",
  ast: "dot",
  star: "dot",
  odot: "odot",
  otimes: "otimes",
  circ: "circ",
  oplus: "oplus",
  bigoplus: "oplus",
  Vert: "oplus",
};

/** Commands that leave no trace. */
export const IGNORED: ReadonlySet<string> = new Set(
  (
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm middle displaystyle textstyle scriptstyle limits nolimits " +
    "nonumber notag bf rm it sf cal mathstrut strut boldmath centering small footnotesize scriptsize tiny normalsize large allowbreak break " +
    "relax ensuremath protect noindent hfill linebreak hline"
  ).split(" "),
);

/** Commands that are dropped with their argument. */
export const IGNORED_WITH_ARGUMENT: ReadonlySet<string> = new Set(
  "label tag tag* hspace hspace* vspace vspace* phantom vphantom hphantom color ref eqref cite citep citet footnote intertext".split(
    " ",
  ),
);

/** Commands that only style their argument. */
export const STYLES: ReadonlySet<string> = new Set(
  (
    "mathbf boldsymbol bm mathcal mathbb mathsf mathit mathfrak mathscr mathrm mathtt textbf textit operatorname operatorname* pmb vec " +
    "boxed cancel bcancel xcancel underline mathop mathbin mathrel mathord text textrm textsf texttt mbox hbox emph mathnormal symbf symbfit rm bold b"
  ).split(" "),
);

/** Styles whose letters form a word. */
export const WORD_STYLES: ReadonlySet<string> = new Set(
  "mathrm text textrm textsf texttt mbox hbox operatorname operatorname* textit textbf mathtt emph mathsf mathit mathbf".split(
    " ",
  ),
);

export const ACCENTS: Readonly<Record<string, string>> = {
  hat: "hat",
  widehat: "hat",
  tilde: "tilde",
  widetilde: "tilde",
  bar: "bar",
  overline: "bar",
  dot: "dot",
  ddot: "dot",
  check: "check",
  breve: "check",
  acute: "check",
  overrightarrow: "",
  vec: "",
};

export const DOTS: ReadonlySet<string> = new Set(
  "dots ldots cdots vdots ddots dotsc dotsb dotsm dotsi dotso iddots".split(" "),
);

/** Synonyms of letters. */
export const LETTERS: Readonly<Record<string, string>> = {
  vartheta: "theta",
  varphi: "phi",
  varepsilon: "epsilon",
  ell: "l",
  imath: "i",
  jmath: "j",
  top: "top",
  intercal: "top",
  ii: "i",
  iu: "i",
};
