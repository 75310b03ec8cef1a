/** Style sheets are imported for their effect; esbuild bundles them into one file per page. */
declare module "*.css";
