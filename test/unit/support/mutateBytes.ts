import { pick } from "./random.ts";

/** Changes, deletes or doubles bytes; format markers often survive, so that readers get past them. */
export function mutateBytes(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * bytes.length);
  const changed = Uint8Array.from(bytes);
  switch (Math.floor(random() * 3)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(Math.floor(random() * at))]);
    default:
      for (let n = 0; n < 1 + random() * 8; n++)
        changed[Math.floor(random() * changed.length)] = pick(random, [0, 1, 0x7f, 0x80, 0xff], 0);
      return changed;
  }
}
