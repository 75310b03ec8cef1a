/** The one thing of the Encoding Standard that core needs; every place that runs core (host, page, Node) has it. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(bytes?: Uint8Array): string;
}
