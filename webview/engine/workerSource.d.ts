/**
 * The bundled text of a worker (scripts/lib/bundles.ts): the page's content security policy allows workers from blobs
 * only.
 */
declare module "*?worker-source" {
  const source: string;
  export default source;
}
