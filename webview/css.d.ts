/** Style sheets are imported for their effect: esbuild gathers them into the page's one file. */
declare module "*.css";
