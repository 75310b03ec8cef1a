import { type CallExpr, type Expr, lastName } from "../parse/ast.ts";
import {
  type CallSite,
  enclosingClass,
  findAttributeBindings,
  findBindings,
  isSelf,
  type Module,
  type Scope,
} from "../symbols/module.ts";

/** An object with a model's settings, whose class this file defines. */
export interface ConfigInstance {
  /** The classes that it may be an instance of. */
  readonly classes: readonly Scope[];
  /** The call that creates it, if the file has one. */
  readonly creation: { readonly call: CallExpr; readonly scope: Scope } | null;
}

const CONFIG_VARIABLE = /^(?:\w*_)?(?:config|cfg|conf|args|hparams|opt|params)$|^c$/;
const CONFIG_CLASS = /Config|Args|Arguments|Params|Hparams|HParams|Cfg|Settings/;
const MAX_HOPS = 6;

/** Finds the config class of `args`, `self.args`, `self.config`: by annotation, by creation, or by its name. */
export function findConfigInstance(module: Module, expr: Expr, scope: Scope): ConfigInstance | null {
  const object = lastName(expr);
  if (object === null) return null;
  const typed = findTypedInstance(module, expr, scope, 0);
  if (typed !== null) return typed;
  if (!CONFIG_VARIABLE.test(object)) return null;
  const classes = module.scopes.filter((candidate) => candidate.kind === "class" && CONFIG_CLASS.test(candidate.name));
  return { classes, creation: null };
}

/** An empty list of classes means that the annotation names a class of another file. */
function findTypedInstance(module: Module, expr: Expr, scope: Scope, hops: number): ConfigInstance | null {
  const bindings =
    expr.kind === "name"
      ? findBindings(scope, expr.name)
      : expr.kind === "attribute" && isSelf(expr.object)
        ? findAttributeBindings(module, enclosingClass(scope), expr.name)
        : [];
  const [binding] = bindings;
  if (binding === undefined || hops > MAX_HOPS) return null;
  const annotated = binding.annotation === null ? null : annotatedClassName(binding.annotation);
  if (annotated !== null) return { classes: classesNamed(module, annotated), creation: null };
  if (binding.value === null || binding.kind === "param" || binding.path.length > 0) return null;
  if (binding.value.kind !== "call") return findTypedInstance(module, binding.value, binding.scope, hops + 1);
  const classes = classesNamed(module, lastName(binding.value.callee) ?? "");
  const creation: CallSite = { call: binding.value, scope: binding.scope };
  return classes.length === 0 ? null : { classes, creation };
}

function classesNamed(module: Module, name: string): readonly Scope[] {
  return module.scopes.filter((candidate) => candidate.kind === "class" && candidate.name === name);
}

/** `Args` of `Args`, `"Args"`, `Optional[Args]` and `Args | None`. */
function annotatedClassName(annotation: Expr): string | null {
  if (annotation.kind === "string") return /^\w+$/.test(annotation.value) ? annotation.value : null;
  if (annotation.kind === "subscript") {
    const inner = annotation.indices[0];
    return lastName(annotation.object) === "Optional" && inner !== undefined ? annotatedClassName(inner) : null;
  }
  if (annotation.kind === "binary" && annotation.op === "|") return annotatedClassName(annotation.left);
  const name = lastName(annotation);
  return name === "Any" || name === "dict" || name === "Dict" ? null : name;
}
