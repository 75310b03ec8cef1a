import { type Call, type Expr, keywordArgument, lastName, positional } from "../parse/ast.ts";

/** Methods and functions that change dtype, device, shape or ownership, but not what a value is. */
const TRANSPARENT = new Set(
  (
    "float double half bfloat16 to type type_as astype cast as_tensor tensor asarray array Tensor FloatTensor constant convert_to_tensor " +
    "complex64 complex128 flatten unsqueeze squeeze expand expand_as reshape view contiguous clone detach copy cuda cpu numpy transpose t T permute swapaxes " +
    "repeat tile broadcast_to expand_dims Parameter Variable stop_gradient from_numpy requires_grad_ long int int32 int64 float32 float16 " +
    "broadcast_axis to_float to_int32 ToFloat ToInt32 pad round_to squeeze_ item eval stop_gradients buffer Buffer flip deepcopy view_as constrain device_put index_select gather slice narrow"
  ).split(" "),
);

/** Names whose first argument (not the receiver) carries the value: `torch.tensor(x)`. */
const MODULES = new Set(
  "torch np numpy jnp tf mx K keras ops F math nn jax lax xp paddle ms cp npx tnp mint backend copy hax".split(" "),
);

export function isModule(expr: Expr): boolean {
  const name = lastName(expr);
  return name !== null && MODULES.has(name);
}

/** What an operation acts on: the receiver of a method, or the first argument of a function. */
export function operandOf(call: Call): Expr | null {
  if (call.callee.kind === "attribute" && !isModule(call.callee.object)) return call.callee.object;
  return (
    positional(call)[0] ??
    call.args.find((argument) => argument.keyword !== null && OPERANDS.has(argument.keyword))?.value ??
    null
  );
}

const OPERANDS = new Set(["input", "x", "a", "tensors", "tensor", "values", "arrays"]);

/** Arguments after the operand. */
export function restOf(call: Call): readonly Expr[] {
  const args = positional(call);
  return call.callee.kind === "attribute" && !isModule(call.callee.object) ? args : args.slice(1);
}

export function isTransparent(call: Call): boolean {
  const name = lastName(call.callee);
  return name !== null && TRANSPARENT.has(name);
}

/** The argument at a place after the operand, or by keyword. */
export function argumentAt(call: Call, index: number, ...keywords: readonly string[]): Expr | null {
  return keywordArgument(call, ...keywords) ?? restOf(call)[index] ?? null;
}

/** Items of the list or tuple that `cat`, `stack`, `concatenate` join. */
export function joined(call: Call): readonly Expr[] {
  const first = positional(call)[0] ?? keywordArgument(call, "tensors", "values", "arrays");
  return first?.kind === "sequence" ? first.items : [];
}

const CONCATENATE = new Set(["cat", "concat", "concatenate", "hstack"]);

export function joinKind(call: Call): "concatenate" | "stack" | null {
  const name = lastName(call.callee);
  if (name === null) return null;
  if (CONCATENATE.has(name)) return "concatenate";
  return name === "stack" ? "stack" : null;
}
