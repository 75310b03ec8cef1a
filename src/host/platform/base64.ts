/** Base64 in both hosts. Spreading all bytes into one call would exceed the argument limit. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
