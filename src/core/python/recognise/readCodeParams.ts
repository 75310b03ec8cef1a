import * as l10n from "@vscode/l10n";
import { encodingById } from "../../encodings/index.ts";
import type { PairLayout, ParamValue, ValueSource } from "../../spec.ts";
import { type CallExpr, lastName, type TextSpan } from "../parse/ast.ts";
import { findBucketDirection } from "../patterns/bucketDirection.ts";
import { isPassThrough, joinKind } from "../patterns/calls.ts";
import { findNtkScaling } from "../patterns/ntk.ts";
import type { FrequencyRole, ScopedExpression } from "../patterns/valueRole.ts";
import { enclosingClass, type Occurrence, resolveCallable, type Scope } from "../symbols/module.ts";
import { type EvaluatedValue, locationNote } from "../values/evaluatedValue.ts";
import { Evaluator } from "../values/evaluator.ts";
import { type AnalysedCode, enclosingScopes, outermostDefinition } from "./analysedCode.ts";
import { findDefinitions } from "./definitions.ts";
import { CONTEXT_LENGTH_NAMES, isImplausible } from "./paramKinds.ts";
import { canonicalParam, LAYOUT_FLAGS } from "./paramSynonyms.ts";
import type { Recognition } from "./recognition.ts";
import { findTableCall, readTableShape } from "./tableShape.ts";

/** A parameter read from code. An unknown value is null; `symbol` then shows its expression. */
export interface CodeParam {
  readonly param: string;
  readonly value: ParamValue;
  readonly source: ValueSource;
  readonly note: string;
  readonly span: TextSpan;
  readonly symbol: string;
}

/** Parameters of a recognised encoding under Hugging Face's names, those nearest to the cursor first. */
export function readCodeParams(
  code: AnalysedCode,
  recognition: Recognition,
  occurrence: Occurrence | null,
): readonly CodeParam[] {
  const reader = new CodeParamReader(code, recognition, occurrence);
  reader.read();
  return reader.params().map((param) => withConfigValue(code, recognition, param));
}

/** Takes values that the code leaves open from the config in the same folder. */
function withConfigValue(code: AnalysedCode, recognition: Recognition, param: CodeParam): CodeParam {
  const value = param.value === null ? code.context.configValue(recognition.encoding, param.param) : undefined;
  return value === undefined || value === null
    ? param
    : { ...param, value, source: "config", note: l10n.t("config next to this file") };
}

/** The layout that a call requests (`traditional=True`), and the one that a parameter's default implies. */
export function readLayoutFlags(
  code: AnalysedCode,
  recognition: Recognition,
  occurrence: Occurrence | null,
): { requested: PairLayout | null; byDefault: PairLayout | null } {
  const reader = new CodeParamReader(code, recognition, occurrence);
  return { requested: reader.requestedLayout(), byDefault: reader.defaultLayout() };
}

/** Encodings with a trained row for each position. */
const HAS_TABLE: ReadonlySet<string> = new Set(["learned_absolute", "multiplicative"]);

class CodeParamReader {
  readonly #code: AnalysedCode;
  readonly #recognition: Recognition;
  readonly #occurrence: Occurrence | null;
  /** The file of the recognised scope; for imported names it is not the cursor's file. */
  readonly #recognisedCode: AnalysedCode;
  readonly #evaluator: Evaluator;
  readonly #params = new Map<string, CodeParam>();
  /** Parameters whose expression is known: a name elsewhere does not replace it, even if its value is open. */
  readonly #computed = new Set<string>();

  constructor(code: AnalysedCode, recognition: Recognition, occurrence: Occurrence | null) {
    this.#code = code;
    this.#recognition = recognition;
    this.#occurrence = occurrence;
    this.#recognisedCode = recognition.importedCode ?? code;
    this.#evaluator = this.#createEvaluator();
  }

  params(): readonly CodeParam[] {
    return [...this.#params.values()];
  }

  read(): void {
    const occurrence = this.#occurrence;
    if (occurrence?.kind === "keyword" && occurrence.value !== null)
      this.#readNamed(occurrence.name, occurrence.value, occurrence.scope, undefined, this.#code.evaluator);
    const call = this.#findCall();
    if (call !== null) this.#readArguments(call.call, call.scope);
    this.#readDefinition();
    if (HAS_TABLE.has(this.#recognition.encoding) || this.#recognition.recogniser === "learned/table")
      this.#readTable();
    const frequencies =
      encodingById(this.#recognition.encoding)?.frequencies !== undefined ? this.#findFrequencies() : null;
    if (frequencies !== null) this.#readFrequencies(frequencies);
    // get_slopes(12) computes slopes for 8 heads, the nearest power of two; its own argument is the head count.
    if (this.#recognition.encoding !== "alibi") this.#readFeatures();
    for (const scope of enclosingScopes(this.#recognition.scope)) this.#readScope(scope);
    if (this.#recognition.encoding === "alibi") this.#readFeatures();
    if (this.#recognition.encoding === "t5_bias" && !this.#params.has("bidirectional")) this.#setOpen("bidirectional");
  }

  /** A parameter that matters, but that nothing in the file decides. */
  #setOpen(param: string): void {
    const span = this.#occurrence ?? this.#recognition.scope.span;
    this.#params.set(param, {
      param,
      value: null,
      source: "code",
      note: "",
      span: { from: span.from, to: span.to },
      symbol: "",
    });
  }

  requestedLayout(): PairLayout | null {
    const call = this.#findCall();
    for (const argument of call?.call.args ?? []) {
      if (argument.keyword === null || call === null) continue;
      const layout = this.#layoutFromFlag(argument.keyword, argument.value, call.scope);
      if (layout !== null) return layout;
    }
    return null;
  }

  defaultLayout(): PairLayout | null {
    const params = enclosingScopes(this.#recognition.scope).flatMap((scope) =>
      resolveCallable(this.#recognisedCode.module, scope).params.map((param) => ({ param, scope })),
    );
    for (const { param, scope } of params) {
      const layout = param.default === null ? null : this.#layoutFromFlag(param.name, param.default, scope);
      if (layout !== null) return layout;
    }
    return null;
  }

  #layoutFromFlag(name: string, value: ScopedExpression["expr"], scope: Scope): PairLayout | null {
    const flag = LAYOUT_FLAGS.find(([pattern]) => pattern.test(name));
    const flagValue = flag === undefined ? undefined : this.#evaluator.evaluate(value, scope).value;
    if (flag === undefined || typeof flagValue !== "boolean") return null;
    return flagValue === flag[1] ? "interleaved" : "half";
  }

  /** The call around the cursor, or the one that creates or runs what was recognised. */
  #findCall(): { call: CallExpr; scope: Scope } | null {
    const occurrence = this.#occurrence;
    if (occurrence === null) return null;
    if (occurrence.call !== null) return { call: occurrence.call, scope: occurrence.scope };
    return this.#findCreatingCall(occurrence) ?? this.#findUsingCall(occurrence);
  }

  /** `self.rotary = Rotary(64)`: the call that created the value. */
  #findCreatingCall(occurrence: Occurrence): { call: CallExpr; scope: Scope } | null {
    const { expr, definedScope, scope } = occurrence;
    if (expr === null || definedScope !== null) return null;
    const target = findDefinitions(this.#code, occurrence).find(
      (binding) => binding.span.from === expr.from && binding.path.length === 0,
    );
    const definition =
      target?.value == null
        ? this.#code.roles.findDefinition(expr, scope)
        : { expr: target.value, scope: target.scope };
    return definition?.expr.kind === "call" ? { call: definition.expr, scope: definition.scope } : null;
  }

  #findUsingCall(occurrence: Occurrence): { call: CallExpr; scope: Scope } | null {
    const sites = this.#code.module.calls.get(occurrence.name);
    return sites.find((candidate) => candidate.call.callee === occurrence.expr) ?? null;
  }

  #createEvaluator(): Evaluator {
    const call = this.#findCall();
    const target = call === null ? null : this.#findTarget(call.call, call.scope);
    if (call === null || target === null) return this.#recognisedCode.evaluator;
    return new Evaluator(this.#recognisedCode.module, { ...call, target, module: this.#code.module });
  }

  #findTarget(call: CallExpr, scope: Scope): Scope | null {
    const target =
      this.#recognition.importedCode === undefined ? this.#code.roles.findTarget(call, scope) : this.#recognition.scope;
    return target === null ? null : resolveCallable(this.#recognisedCode.module, target);
  }

  #findFrequencies(): FrequencyRole | null {
    const own = this.#recognition.frequencies ?? this.#findOwnFrequencies();
    if (own !== null) return own;
    for (const scope of enclosingScopes(this.#recognition.scope)) {
      const { frequencies } = this.#recognisedCode.features(scope);
      const first = frequencies.find((candidate) => candidate.factor !== null) ?? frequencies[0];
      if (first !== undefined) return { ...first, base: frequencies[0]?.base ?? first.base };
    }
    return null;
  }

  /** Frequencies of the name's own definition, for names that were not recognised by structure. */
  #findOwnFrequencies(): FrequencyRole | null {
    if (this.#occurrence === null || this.#occurrence.definedScope !== null) return null;
    for (const binding of findDefinitions(this.#code, this.#occurrence)) {
      const role = this.#code.roles.resolveBinding(binding);
      if (role?.kind === "frequencies" && role.base !== null) return role;
    }
    return null;
  }

  #readFrequencies(frequencies: FrequencyRole): void {
    const isRotary = encodingById(this.#recognition.encoding)?.rotation !== undefined;
    const ntk =
      isRotary && frequencies.base !== null ? findNtkScaling(frequencies.base, this.#recognisedCode.roles) : null;
    if (frequencies.base !== null && isRotary) this.#computed.add("rope_theta");
    if (ntk !== null) {
      this.#setValue("rope_theta", this.#evaluator.evaluate(ntk.base.expr, ntk.base.scope, ntk.at));
      if (ntk.factor !== null) this.#setEvaluated("factor", ntk.factor);
    } else if (frequencies.base !== null)
      this.#setEvaluated(
        isRotary ? "rope_theta" : this.#recognition.encoding === "sincos_2d" ? "temperature" : "base",
        frequencies.base,
      );
    // Grid tables split the width between the axes.
    if (frequencies.dim !== null && this.#recognition.encoding !== "sincos_2d")
      this.#readDimension(frequencies.dim, frequencies.dimIsHalf, isRotary);
  }

  #readDimension(dim: ScopedExpression, isHalf: boolean, isRotary: boolean): void {
    const value = this.#evaluator.evaluate(dim.expr, dim.scope);
    const name = lastName(dim.expr) ?? "";
    const isRotaryDim = /rot|n_elem|rope_dim/.test(name);
    const param = isRotary ? (isRotaryDim ? "rotary_dim" : "head_dim") : "hidden_size";
    const whole = isHalf && typeof value.value === "number" ? { ...value, value: value.value * 2 } : value;
    if (!isHalf || whole.value !== undefined) this.#setValue(param, whole);
  }

  /** Reads the value of a field or constant from its own definition. */
  #readDefinition(): void {
    const occurrence = this.#occurrence;
    if (occurrence === null || occurrence.kind !== "name") return;
    const binding = findDefinitions(this.#code, occurrence).find(
      (candidate) => candidate.kind === "assign" && candidate.path.length === 0,
    );
    if (binding?.value != null)
      this.#readNamed(occurrence.name, binding.value, binding.scope, binding.value, this.#code.evaluator);
  }

  #readFeatures(): void {
    const { encoding, scope } = this.#recognition;
    if (this.#recognition.ropeType === "linear") {
      const factor = enclosingScopes(scope)
        .map((around) => this.#recognisedCode.features(around).factor)
        .find((found) => found !== null);
      if (factor != null) this.#setEvaluated("factor", factor);
    }
    if (encoding === "t5_bias") this.#readBucketDirection();
    if (encoding !== "alibi") return;
    for (const around of enclosingScopes(scope)) {
      const { slopes } = this.#recognisedCode.features(around);
      if (slopes === null) continue;
      if (slopes.heads !== null) this.#setEvaluated("num_heads", slopes.heads);
      if (slopes.maximum !== null) this.#readMaximumSlope(slopes.maximum);
      return;
    }
  }

  /** Whether keys after the query have buckets too; null if the code leaves it open. */
  #readBucketDirection(): void {
    const { roles, module } = this.#recognisedCode;
    const bucket = enclosingScopes(this.#recognition.scope)
      .map((around) => this.#recognisedCode.features(around).bucket)
      .find((found) => found != null);
    const direction = bucket == null ? null : findBucketDirection(bucket.of.scope, roles);
    if (direction?.kind === "flag") {
      const value = this.#evaluator.evaluate(direction.flag.expr, direction.flag.scope);
      const flag = typeof value.value === "boolean" ? value.value !== direction.inverted : undefined;
      this.#setValue("bidirectional", { ...value, value: flag });
    } else if (direction?.kind === "fixed" && bucket != null) {
      const { expr } = bucket.of;
      const note = locationNote(module, expr.from);
      const { bidirectional } = direction;
      this.#setValue("bidirectional", { value: bidirectional, source: "code", note, span: expr, symbol: "" });
    }
  }

  #readMaximumSlope(expression: ScopedExpression): void {
    const value = this.#evaluator.evaluate(expression.expr, expression.scope);
    this.#setValue(
      "alibi_bias_max",
      typeof value.value === "number" ? { ...value, value: Math.abs(value.value) } : value,
    );
  }

  /** Parameters, attributes and constants of a scope, by their names. */
  #readScope(scope: Scope): void {
    const initial = resolveCallable(this.#recognisedCode.module, scope);
    for (const at of new Set([scope, initial])) {
      for (const param of at.params)
        this.#readNamed(param.name, { kind: "name", name: param.name, from: param.to, to: param.to }, at, param);
    }
    for (const [name, bindings] of scope.kind === "class" ? scope.attributes : scope.bindings) {
      const binding = bindings.at(-1);
      if (binding?.value != null && binding.kind === "assign" && binding.path.length === 0)
        this.#readNamed(name, binding.value, binding.scope, binding.span);
    }
  }

  #readNamed(
    name: string,
    value: ScopedExpression["expr"],
    scope: Scope,
    span?: TextSpan,
    evaluator = this.#evaluator,
  ): void {
    const param = canonicalParam(this.#recognition.encoding, name);
    if (param === null || this.#params.get(param)?.value != null || this.#computed.has(param)) return;
    if (param === "hidden_size" && this.#isUnrelatedWidth(scope)) return;
    if (
      name === "block_size" &&
      this.#recognisedCode.namesMatch(outermostDefinition(this.#recognition.scope), CONTEXT_LENGTH_NAMES)
    )
      return;
    const evaluated = evaluator.evaluate(value, scope);
    if (evaluated.value === undefined) return;
    const placed = span === undefined || evaluated.note !== "" ? evaluated : { ...evaluated, span };
    this.#setValue(param, placed, evaluator === this.#code.evaluator);
  }

  /** True if the width belongs to an enclosing class with a width of its own, or to one axis of a grid. */
  #isUnrelatedWidth(scope: Scope): boolean {
    if (this.#recognition.encoding !== "sincos_2d") return false;
    if (/1d/.test(this.#recognition.scope.name)) return true;
    const owner = enclosingClass(scope);
    return owner !== null && !/[Pp]os|[Ss]in/.test(owner.name);
  }

  /** Arguments of a call into another library, by keyword and synonym table. */
  #readArguments(call: CallExpr, scope: Scope): void {
    if (
      joinKind(call) !== null ||
      isPassThrough(call) ||
      /^(?:sin|cos|outer|einsum|arange|where|log|exp)$/.test(lastName(call.callee) ?? "")
    )
      return;
    for (const argument of call.args) {
      if (argument.keyword !== null)
        this.#readNamed(argument.keyword, argument.value, scope, argument, this.#code.evaluator);
    }
  }

  /** nn.Embedding(rows, dim), also when the cursor is on a lookup in the table. */
  #readTable(): void {
    const occurrence = this.#occurrence;
    const callSite =
      occurrence?.value?.kind === "call" ? { call: occurrence.value, scope: occurrence.scope } : this.#findCall();
    const tableCall = callSite === null ? null : findTableCall(this.#code, callSite);
    if (tableCall === null) return;
    const [rows, width] = readTableShape(tableCall.call);
    if (rows !== undefined) this.#setEvaluated("max_position_embeddings", { expr: rows, scope: tableCall.scope });
    if (width !== undefined) this.#setEvaluated("hidden_size", { expr: width, scope: tableCall.scope });
  }

  #setEvaluated(param: string, expression: ScopedExpression): void {
    this.#setValue(param, this.#evaluator.evaluate(expression.expr, expression.scope));
  }

  /** @param isLocal true if the value is in the cursor's file */
  #setValue(param: string, value: EvaluatedValue, isLocal = this.#recognisedCode === this.#code): void {
    if (this.#params.get(param)?.value != null) return;
    const constant = value.value;
    if (isImplausible(param, constant)) return;
    const usable = constant !== undefined && (typeof constant !== "string" || param === "rope_type");
    const note = value.note === "" && constant !== undefined ? l10n.t("in the code") : value.note;
    const span = isLocal ? value.span : (this.#occurrence ?? value.span);
    this.#params.set(param, {
      param,
      value: usable ? constant : null,
      source: value.source,
      note: isLocal ? note : l10n.t("{0}, in the imported file", note),
      span: { from: span.from, to: span.to },
      symbol: value.symbol,
    });
  }
}
