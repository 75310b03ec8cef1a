export { createRenderer } from "./createRenderer.ts";
