import { t } from "@vscode/l10n";
import type { Layout, ParamValue, Source } from "../../spec.ts";
import { type Call, lastName, type Span } from "../parse/ast.ts";
import { isTransparent, joinKind } from "../patterns/calls.ts";
import type { Frequencies, Ref } from "../patterns/role.ts";
import { callableOf, classOf, type Occurrence, type Scope } from "../symbols/module.ts";
import { Evaluator } from "../values/evaluate.ts";
import type { Value } from "../values/value.ts";
import { type Code, scopesAround, unitOf } from "./code.ts";
import { definitions } from "./definitions.ts";
import { isImplausible, LENGTHS, ROTARY, WITH_FREQUENCIES } from "./paramKinds.ts";
import type { Recognition } from "./recogniser.ts";
import { canonicalParam, LAYOUT_FLAGS } from "./synonyms.ts";
import { tableMaker, tableShape } from "./tableShape.ts";

/** A parameter read from code; an unknown one keeps the name it is written with. */
export interface ReadParam {
  readonly param: string;
  readonly value: ParamValue;
  readonly source: Source;
  readonly note: string;
  readonly span: Span;
  readonly symbol: string;
}

/** Values that the code of a recognition gives, by Hugging Face's names; the nearest to the cursor first. */
export function readParams(code: Code, found: Recognition, occurrence: Occurrence | null): readonly ReadParam[] {
  const reader = new Reader(code, found, occurrence);
  reader.read();
  return reader.params().map((param) => withFallback(code, found, param));
}

/** What code leaves open is taken from a config beside the file, if there is one. */
function withFallback(code: Code, found: Recognition, param: ReadParam): ReadParam {
  const value = param.value === null ? code.fallback(found.encoding, param.param) : undefined;
  return value === undefined || value === null
    ? param
    : { ...param, value, source: "config", note: t("config next to this file") };
}

/** The layout that a call asks for (`traditional=True`), and the one that a parameter's default means. */
export function layoutFlags(
  code: Code,
  found: Recognition,
  occurrence: Occurrence | null,
): { asked: Layout | null; usual: Layout | null } {
  const reader = new Reader(code, found, occurrence);
  return { asked: reader.askedLayout(), usual: reader.usualLayout() };
}

class Reader {
  readonly #code: Code;
  readonly #found: Recognition;
  readonly #occurrence: Occurrence | null;
  /** The file of the recognised scope: another one than the cursor's for imported names. */
  readonly #home: Code;
  readonly #evaluator: Evaluator;
  readonly #known = new Map<string, ReadParam>();

  constructor(code: Code, found: Recognition, occurrence: Occurrence | null) {
    this.#code = code;
    this.#found = found;
    this.#occurrence = occurrence;
    this.#home = found.code ?? code;
    this.#evaluator = this.#frameEvaluator();
  }

  params(): readonly ReadParam[] {
    return [...this.#known.values()];
  }

  read(): void {
    const occurrence = this.#occurrence;
    if (occurrence?.kind === "keyword" && occurrence.value !== null)
      this.#named(occurrence.name, occurrence.value, occurrence.scope, undefined, this.#code.evaluator);
    const call = this.#call();
    if (call !== null) this.#arguments(call.call, call.scope);
    this.#ofDefinition();
    if (this.#found.encoding === "learned_absolute" || this.#found.recogniser === "learned/table") this.#ofTable();
    const frequencies = WITH_FREQUENCIES.has(this.#found.encoding) ? this.#frequencies() : null;
    if (frequencies !== null) this.#ofFrequencies(frequencies);
    // get_slopes(12) works on the 8 heads of the nearest power of two: its own argument says how many there are.
    if (this.#found.encoding !== "alibi") this.#ofFeatures();
    for (const scope of scopesAround(this.#found.scope)) this.#ofScope(scope);
    if (this.#found.encoding === "alibi") this.#ofFeatures();
  }

  askedLayout(): Layout | null {
    const call = this.#call();
    for (const argument of call?.call.args ?? []) {
      if (argument.keyword === null || call === null) continue;
      const layout = this.#flag(argument.keyword, argument.value, call.scope);
      if (layout !== null) return layout;
    }
    return null;
  }

  usualLayout(): Layout | null {
    const params = scopesAround(this.#found.scope).flatMap((scope) =>
      callableOf(this.#home.module, scope).params.map((param) => ({ param, scope })),
    );
    for (const { param, scope } of params) {
      const layout = param.default === null ? null : this.#flag(param.name, param.default, scope);
      if (layout !== null) return layout;
    }
    return null;
  }

  #flag(name: string, value: Ref["expr"], scope: Scope): Layout | null {
    const flag = LAYOUT_FLAGS.find(([pattern]) => pattern.test(name));
    const read = flag === undefined ? undefined : this.#evaluator.evaluate(value, scope).value;
    if (flag === undefined || typeof read !== "boolean") return null;
    return read === flag[1] ? "interleaved" : "half";
  }

  /** The call that the cursor is in, when it makes or runs what was recognised. */
  #call(): { call: Call; scope: Scope } | null {
    const occurrence = this.#occurrence;
    if (occurrence === null) return null;
    if (occurrence.call !== null) return { call: occurrence.call, scope: occurrence.scope };
    return this.#madeBy(occurrence) ?? this.#usedIn(occurrence);
  }

  /** `self.rotary = Rotary(64)`: the call that made the value. */
  #madeBy(occurrence: Occurrence): { call: Call; scope: Scope } | null {
    const { expr, opens, scope } = occurrence;
    if (expr === null || opens !== null) return null;
    const target = definitions(this.#code, occurrence).find(
      (binding) => binding.span.from === expr.from && binding.path.length === 0,
    );
    const definition =
      target?.value == null ? this.#code.roles.definition(expr, scope) : { expr: target.value, scope: target.scope };
    return definition?.expr.kind === "call" ? { call: definition.expr, scope: definition.scope } : null;
  }

  #usedIn(occurrence: Occurrence): { call: Call; scope: Scope } | null {
    const sites = this.#code.module.calls.get(occurrence.name);
    return sites.find((candidate) => candidate.call.callee === occurrence.expr) ?? null;
  }

  #frameEvaluator(): Evaluator {
    const call = this.#call();
    const target = call === null ? null : this.#targetOf(call.call, call.scope);
    if (call === null || target === null) return this.#home.evaluator;
    return new Evaluator(this.#home.module, { ...call, target, module: this.#code.module });
  }

  #targetOf(call: Call, scope: Scope): Scope | null {
    const target = this.#found.code === undefined ? this.#code.roles.target(call, scope) : this.#found.scope;
    return target === null ? null : callableOf(this.#home.module, target);
  }

  #frequencies(): Frequencies | null {
    const own = this.#found.frequencies ?? this.#ownFrequencies();
    if (own !== null) return own;
    for (const scope of scopesAround(this.#found.scope)) {
      const { frequencies } = this.#home.features(scope);
      const first = frequencies.find((candidate) => candidate.factor !== null) ?? frequencies[0];
      if (first !== undefined) return { ...first, base: frequencies[0]?.base ?? first.base };
    }
    return null;
  }

  /** Those of the definition that the cursor's name has, when names and not structure gave the answer. */
  #ownFrequencies(): Frequencies | null {
    if (this.#occurrence === null || this.#occurrence.opens !== null) return null;
    for (const binding of definitions(this.#code, this.#occurrence)) {
      const role = this.#code.roles.ofBinding(binding);
      if (role?.kind === "frequencies" && role.base !== null) return role;
    }
    return null;
  }

  #ofFrequencies(frequencies: Frequencies): void {
    const rotary = ROTARY.has(this.#found.encoding);
    if (frequencies.base !== null)
      this.#set(
        rotary ? "rope_theta" : this.#found.encoding === "sincos_2d" ? "temperature" : "base",
        frequencies.base,
      );
    // Tables of grids give each axis its own share of the width.
    if (frequencies.dim !== null && this.#found.encoding !== "sincos_2d")
      this.#dimension(frequencies.dim, frequencies.dimIsHalf, rotary);
  }

  #dimension(dim: Ref, half: boolean, rotary: boolean): void {
    const value = this.#evaluator.evaluate(dim.expr, dim.scope);
    const name = lastName(dim.expr) ?? "";
    const rotated = /rot|n_elem|rope_dim/.test(name);
    const param = rotary ? (rotated ? "rotary_dim" : "head_dim") : "hidden_size";
    const whole = half && typeof value.value === "number" ? { ...value, value: value.value * 2 } : value;
    if (!half || whole.value !== undefined) this.#put(param, whole);
  }

  /** A field or constant says its own value. */
  #ofDefinition(): void {
    const occurrence = this.#occurrence;
    if (occurrence === null || occurrence.kind !== "name") return;
    const binding = definitions(this.#code, occurrence).find(
      (candidate) => candidate.kind === "assign" && candidate.path.length === 0,
    );
    if (binding?.value != null)
      this.#named(occurrence.name, binding.value, binding.scope, binding.value, this.#code.evaluator);
  }

  #ofFeatures(): void {
    const { encoding, scope } = this.#found;
    if (this.#found.ropeType === "linear") {
      const factor = scopesAround(scope)
        .map((around) => this.#home.features(around).factor)
        .find((found) => found !== null);
      if (factor != null) this.#set("factor", factor);
    }
    if (encoding !== "alibi") return;
    for (const around of scopesAround(scope)) {
      const { slopes } = this.#home.features(around);
      if (slopes === null) continue;
      if (slopes.heads !== null) this.#set("num_heads", slopes.heads);
      if (slopes.maximum !== null) this.#maximum(slopes.maximum);
      return;
    }
  }

  #maximum(ref: Ref): void {
    const value = this.#evaluator.evaluate(ref.expr, ref.scope);
    this.#put("alibi_bias_max", typeof value.value === "number" ? { ...value, value: Math.abs(value.value) } : value);
  }

  /** Parameters, attributes and constants of a scope, by their names. */
  #ofScope(scope: Scope): void {
    const initial = callableOf(this.#home.module, scope);
    for (const at of new Set([scope, initial])) {
      for (const param of at.params)
        this.#named(param.name, { kind: "name", name: param.name, from: param.to, to: param.to }, at, param);
    }
    for (const [name, bindings] of scope.kind === "class" ? scope.attributes : scope.bindings) {
      const binding = bindings.at(-1);
      if (binding?.value != null && binding.kind === "assign" && binding.path.length === 0)
        this.#named(name, binding.value, binding.scope, binding.span);
    }
  }

  #named(name: string, value: Ref["expr"], scope: Scope, span?: Span, evaluator = this.#evaluator): void {
    const param = canonicalParam(this.#found.encoding, name);
    if (param === null || this.#known.get(param)?.value != null) return;
    if (param === "hidden_size" && this.#isOthersWidth(scope)) return;
    if (name === "block_size" && this.#home.has(unitOf(this.#found.scope), LENGTHS)) return;
    const read = evaluator.evaluate(value, scope);
    if (read.value === undefined) return;
    const placed = span === undefined || read.note !== "" ? read : { ...read, span };
    this.#put(param, placed, evaluator === this.#code.evaluator);
  }

  /** Of a class or function around a call that gives its own width, or one that does one axis of a grid. */
  #isOthersWidth(scope: Scope): boolean {
    if (this.#found.encoding !== "sincos_2d") return false;
    if (/1d/.test(this.#found.scope.name)) return true;
    const owner = classOf(scope);
    return owner !== null && !/[Pp]os|[Ss]in/.test(owner.name);
  }

  /** Arguments of a call into another library, by keyword and by our table of synonyms. */
  #arguments(call: Call, scope: Scope): void {
    if (
      joinKind(call) !== null ||
      isTransparent(call) ||
      /^(?:sin|cos|outer|einsum|arange|where|log|exp)$/.test(lastName(call.callee) ?? "")
    )
      return;
    for (const argument of call.args) {
      if (argument.keyword !== null)
        this.#named(argument.keyword, argument.value, scope, argument, this.#code.evaluator);
    }
  }

  /** nn.Embedding(rows, dim), found through lookups in the table. */
  #ofTable(): void {
    const occurrence = this.#occurrence;
    const given =
      occurrence?.value?.kind === "call" ? { call: occurrence.value, scope: occurrence.scope } : this.#call();
    const made = given === null ? null : tableMaker(this.#code, given);
    if (made === null) return;
    const [rows, width] = tableShape(made.call);
    if (rows !== undefined) this.#set("max_position_embeddings", { expr: rows, scope: made.scope });
    if (width !== undefined) this.#set("hidden_size", { expr: width, scope: made.scope });
  }

  #set(param: string, ref: Ref): void {
    this.#put(param, this.#evaluator.evaluate(ref.expr, ref.scope));
  }

  /** @param local the value's place is in the cursor's file */
  #put(param: string, value: Value, local = this.#home === this.#code): void {
    if (this.#known.get(param)?.value != null) return;
    const constant = value.value;
    if (isImplausible(param, constant)) return;
    const usable = constant !== undefined && (typeof constant !== "string" || param === "rope_type");
    const note = value.note === "" && constant !== undefined ? t("in the code") : value.note;
    const span = local ? value.span : (this.#occurrence ?? value.span);
    this.#known.set(param, {
      param,
      value: usable ? constant : null,
      source: value.source,
      note: local ? note : t("{0}, in the imported file", note),
      span: { from: span.from, to: span.to },
      symbol: value.symbol,
    });
  }
}
