import { type CallExpr, type Expr, keywordArgument, lastName, positionalArguments } from "../parse/ast.ts";

/** Methods and functions that change dtype, device, shape or ownership, but not the values. */
const PASS_THROUGH_CALLS = new Set(
  (
    "float double half bfloat16 to type type_as astype cast as_tensor tensor asarray array Tensor FloatTensor constant convert_to_tensor " +
    "complex64 complex128 flatten unsqueeze squeeze expand expand_as reshape view contiguous clone detach copy cuda cpu numpy transpose t T permute swapaxes " +
    "repeat tile broadcast_to expand_dims Parameter Variable stop_gradient from_numpy requires_grad_ long int int32 int64 float32 float16 " +
    "broadcast_axis to_float to_int32 ToFloat ToInt32 pad round_to squeeze_ item eval stop_gradients buffer Buffer flip deepcopy view_as constrain device_put index_select gather slice narrow"
  ).split(" "),
);

/** Module names: the operand of `torch.tensor(x)` is the first argument, not the receiver. */
const LIBRARY_MODULES = new Set(
  "torch np numpy jnp tf mx K keras ops F math nn jax lax xp paddle ms cp npx tnp mint backend copy hax tl".split(" "),
);

export function isLibraryModule(expr: Expr): boolean {
  const name = lastName(expr);
  return name !== null && LIBRARY_MODULES.has(name);
}

/** The operand of a call: the receiver of a method, or the first argument of a function. */
export function operandOf(call: CallExpr): Expr | null {
  if (call.callee.kind === "attribute" && !isLibraryModule(call.callee.object)) return call.callee.object;
  return (
    positionalArguments(call)[0] ??
    call.args.find((argument) => argument.keyword !== null && OPERAND_KEYWORDS.has(argument.keyword))?.value ??
    null
  );
}

const OPERAND_KEYWORDS = new Set(["input", "x", "a", "tensors", "tensor", "values", "arrays"]);

/** Arguments after the operand. */
export function argumentsAfterOperand(call: CallExpr): readonly Expr[] {
  const args = positionalArguments(call);
  return call.callee.kind === "attribute" && !isLibraryModule(call.callee.object) ? args : args.slice(1);
}

export function isPassThrough(call: CallExpr): boolean {
  const name = lastName(call.callee);
  return name !== null && (PASS_THROUGH_CALLS.has(name) || insertsAxes(call));
}

/** `rearrange(x, "i -> i ()")`: einops that only adds axes of length 1. */
export function insertsAxes(call: CallExpr): boolean {
  if (lastName(call.callee) !== "rearrange") return false;
  const pattern = positionalArguments(call).find((argument) => argument.kind === "string");
  if (pattern?.kind !== "string" || pattern.value.length > MAX_PATTERN_LENGTH) return false;
  const [before, after, ...rest] = pattern.value.split("->").map((side) => side.trim().split(/\s+/));
  if (before === undefined || after === undefined || rest.length > 0 || after.length <= before.length) return false;
  const kept = after.filter((axis) => axis !== "()" && axis !== "1");
  return kept.join(" ") === before.join(" ") && kept.every((axis) => /^(?:\w+|\.\.\.)$/.test(axis));
}

/** Of an einops pattern; real ones are far shorter. */
const MAX_PATTERN_LENGTH = 200;

/** The argument at an index after the operand, or by keyword. */
export function argumentAt(call: CallExpr, index: number, ...keywords: readonly string[]): Expr | null {
  return keywordArgument(call, ...keywords) ?? argumentsAfterOperand(call)[index] ?? null;
}

/** Items that `cat`, `stack`, `concatenate` join: of a list, of several arguments, or of a receiver and arguments. */
export function joinedItems(call: CallExpr): readonly Expr[] {
  const args = positionalArguments(call);
  const [first] = args;
  const list = keywordArgument(call, "tensors", "values", "arrays") ?? args.find((argument) => isList(argument));
  if (list !== undefined) return listItems(list);
  if (call.callee.kind !== "attribute") return [];
  if (isLibraryModule(call.callee.object)) return lastName(call.callee) === "join" ? args : [];
  const tensors = args.filter((argument) => argument.kind !== "number" && argument.kind !== "unary");
  // Tensor.stack(a, b) and a.stack(b)
  const isStatic = lastName(call.callee.object) === "Tensor";
  return first === undefined ? [] : isStatic ? tensors : [call.callee.object, ...tensors];
}

/** [a, b] or (a,) * 2 */
function isList(expr: Expr): boolean {
  return expr.kind === "sequence" || (expr.kind === "binary" && expr.op === "*" && expr.left.kind === "sequence");
}

function listItems(expr: Expr): readonly Expr[] {
  if (expr.kind === "sequence") return expr.items;
  if (expr.kind !== "binary" || expr.left.kind !== "sequence") return [];
  const times = expr.right.kind === "number" && expr.right.value <= 4 ? expr.right.value : 1;
  const { items } = expr.left;
  return Array.from({ length: times }, () => items).flat();
}

const CONCATENATING_CALLS = new Set(["cat", "concat", "concatenate", "hstack"]);

export function joinKind(call: CallExpr): "concatenate" | "stack" | null {
  const name = lastName(call.callee);
  if (name === null) return null;
  if (CONCATENATING_CALLS.has(name)) return "concatenate";
  if (name === "join" && call.callee.kind === "attribute" && lastName(call.callee.object) === "tl") return "stack";
  return name === "stack" ? "stack" : null;
}
