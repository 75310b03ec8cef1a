/** Globals that both the Node host and the web worker host provide. Any other global does not compile. */
declare function setTimeout(run: () => void, milliseconds: number): number;
declare function clearTimeout(timer: number | undefined): void;
declare function btoa(bytes: string): string;
declare const crypto: { getRandomValues<T extends Uint8Array>(array: T): T };
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
