import { ownValue } from "../../util/ownValue.ts";

/** A token of TeX. Tokens of an expanded macro have the span of its call. */
export interface Token {
  readonly kind: "command" | "letters" | "number" | "sign" | "space";
  /** The command's name without backslash, the letters, the digits, or the sign. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A macro that the document defines: the TeX that it stands for, with `#1` … for its arguments. */
export interface Macro {
  readonly parameters: number;
  readonly body: string;
}

export type Macros = ReadonlyMap<string, Macro>;

const TOKEN =
  /%[^\n]*|\\([A-Za-z]+\*?|[\s\S]?)|([A-Za-z]+(?:\\_[A-Za-z]+)*)|(\d+(?:(?:,|\{,\}|\\,|\{\\,\})\d{3}(?!\d))*(?:\.\d+)?|\.\d+)|(\s+|~)|([\s\S])/gy;

/** Signs and letters of Unicode, as TeX names them. */
const UNICODE: Readonly<Record<string, string>> = {
  "−": "-",
  "–": "-",
  "·": "\\cdot",
  "⋅": "\\cdot",
  "×": "\\times",
  "⊙": "\\odot",
  "∘": "\\circ",
  "⊗": "\\otimes",
  "⊤": "\\top",
  ᵀ: "\\top",
  "′": "'",
  "⟨": "\\langle",
  "⟩": "\\rangle",
  "…": "\\dots",
  "⋯": "\\dots",
  "⋮": "\\vdots",
  "⋱": "\\ddots",
  "∑": "\\sum",
  Σ: "\\Sigma",
  "∏": "\\prod",
  "∫": "\\int",
  "√": "\\sqrt",
  "≈": "\\approx",
  "≤": "\\le",
  "≥": "\\ge",
  "≠": "\\ne",
  "≡": "\\equiv",
  "∈": "\\in",
  "→": "\\to",
  "∝": "\\propto",
  "∞": "\\infty",
  "⌊": "\\lfloor",
  "⌋": "\\rfloor",
  "，": ",",
  "；": ";",
  "（": "(",
  "）": ")",
  "＝": "=",
  "：": ":",
};

const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma".split(
  " ",
);

function greekName(char: string): string | null {
  const code = char.charCodeAt(0);
  const names = [...GREEK.slice(0, 17), "varsigma", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"];
  if (code >= 0x3b1 && code <= 0x3c9) return names[code - 0x3b1] ?? null;
  if (code >= 0x391 && code <= 0x3a9) {
    const name = names[code - 0x391];
    return name === undefined ? null : name.charAt(0).toUpperCase() + name.slice(1);
  }
  return { ϕ: "phi", ϑ: "theta", ε: "epsilon" }[char] ?? null;
}

const MAX_TOKENS = 8000;
const MAX_EXPANSIONS = 400;

/** The tokens of TeX with the document's macros expanded. Comments are dropped. */
export function tokenize(tex: string, macros: Macros = new Map()): Token[] {
  const tokens = readTokens(tex);
  return macros.size === 0 ? tokens : expandMacros(tokens, macros);
}

function readTokens(tex: string, at?: { from: number; to: number }): Token[] {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  pattern.lastIndex = 0;
  for (let match = pattern.exec(tex); match !== null && tokens.length < MAX_TOKENS; match = pattern.exec(tex)) {
    const [found, command, letters, digits, space, sign] = match;
    if (found === "") break;
    if (found.startsWith("%")) continue;
    const span = at ?? { from: match.index, to: pattern.lastIndex };
    if (command !== undefined) tokens.push({ kind: "command", text: command, ...span });
    else if (letters !== undefined) tokens.push({ kind: "letters", text: letters.replaceAll("\\_", "_"), ...span });
    else if (digits !== undefined) tokens.push({ kind: "number", text: digits.replace(/[^\d.]/g, ""), ...span });
    else if (space !== undefined) tokens.push({ kind: "space", text: " ", ...span });
    else tokens.push(signToken(sign ?? "", span));
  }
  return tokens;
}

function signToken(sign: string, span: { from: number; to: number }): Token {
  const greek = greekName(sign);
  if (greek !== null && sign !== "Σ") return { kind: "command", text: greek, ...span };
  const tex = ownValue(UNICODE, sign);
  if (tex?.startsWith("\\")) return { kind: "command", text: tex.slice(1), ...span };
  return { kind: "sign", text: tex ?? sign, ...span };
}

function expandMacros(tokens: readonly Token[], macros: Macros): Token[] {
  let expansions = 0;
  const expand = (source: readonly Token[], depth: number): Token[] => {
    const out: Token[] = [];
    for (let index = 0; index < source.length && out.length < MAX_TOKENS; index++) {
      const token = source[index];
      if (token === undefined) break;
      const macro = token.kind === "command" ? macros.get(token.text) : undefined;
      if (macro === undefined || depth > 6 || expansions++ > MAX_EXPANSIONS) {
        out.push(token);
        continue;
      }
      const { args, end } = readArguments(source, index + 1, macro.parameters);
      index = end - 1;
      const body = readTokens(macro.body, { from: token.from, to: token.to });
      const filled: Token[] = [{ ...token, kind: "sign", text: "{" }];
      for (let k = 0; k < body.length; k++) {
        const part = body[k];
        if (part === undefined) break;
        const number = Number(body[k + 1]?.text);
        if (part.text === "#" && Number.isInteger(number)) {
          filled.push(...(args[number - 1] ?? []));
          k++;
        } else filled.push(part);
      }
      filled.push({ ...token, kind: "sign", text: "}" });
      out.push(...expand(filled, depth + 1));
    }
    return out;
  };
  return expand(tokens, 0);
}

function readArguments(tokens: readonly Token[], start: number, count: number): { args: Token[][]; end: number } {
  const args: Token[][] = [];
  let index = start;
  while (args.length < count && index < tokens.length) {
    while (tokens[index]?.kind === "space") index++;
    const first = index;
    let depth = 0;
    do {
      const text = tokens[index]?.kind === "sign" ? tokens[index]?.text : "";
      if (text === "{") depth++;
      else if (text === "}") depth--;
      index++;
    } while (depth > 0 && index < tokens.length);
    args.push(tokens.slice(first, index));
  }
  return { args, end: index };
}

const DEFINITION =
  /\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator)\*?[ \t]*\{?\\([A-Za-z]+)\}?[ \t]*(?:\[(\d)\])?[ \t]*\{|\\def[ \t]*\\([A-Za-z]+)((?:#\d)*)[ \t]*\{/g;

const MAX_MACROS = 2000;
const MAX_BODY_LENGTH = 300;

/** The macros that a document defines. */
export function readMacros(text: string): Macros {
  const macros = new Map<string, Macro>();
  for (const match of text.matchAll(DEFINITION)) {
    const bodyStart = match.index + match[0].length;
    const body = readBody(text, bodyStart);
    if (body === null || macros.size >= MAX_MACROS) continue;
    const isOperator = match[0].includes("DeclareMathOperator");
    const parameters = match[3] === undefined ? Number(match[2] ?? 0) : (match[4] ?? "").length / 2;
    macros.set(match[1] ?? match[3] ?? "", { parameters, body: isOperator ? `\\operatorname{${body}}` : body });
  }
  return macros;
}

function readBody(text: string, start: number): string | null {
  let depth = 1;
  for (let at = start; at < Math.min(text.length, start + MAX_BODY_LENGTH); at++) {
    const char = text.charAt(at);
    if (char === "\\") at++;
    else if (char === "{") depth++;
    else if (char === "}" && --depth === 0) return text.slice(start, at);
  }
  return null;
}
