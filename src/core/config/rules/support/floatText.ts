/** Whether Python reads a number as float: with a point or an exponent. */
export function isFloatText(text: string | undefined): boolean {
  return text !== undefined && /[.eE]/.test(text);
}
