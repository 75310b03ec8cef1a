/** Base64 of bytes, in both hosts and without copying through one huge argument list. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
