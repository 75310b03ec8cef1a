export { createRenderer } from "./figureRenderer.ts";
