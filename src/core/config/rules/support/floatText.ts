/** Whether a number is spelt as Python reads a float: with a point or an exponent. */
export function isFloatText(text: string | undefined): boolean {
  return text !== undefined && /[.eE]/.test(text);
}
