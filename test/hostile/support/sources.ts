import path from "node:path";
import type { Node, SourceFile } from "typescript/unstable/ast";
import { API, type Checker } from "typescript/unstable/sync";
import { root } from "../../unit/support/files.ts";

/** Top folders of the product, each with a TypeScript project of its own. */
const PROJECTS = ["src/core", "src/host", "src/cli", "webview"] as const;

export interface Source {
  /** Path from the repository's root. */
  readonly file: string;
  readonly ast: SourceFile;
  /** Types of the project that the file belongs to. */
  readonly checker: Checker;
}

/** Passes every source file of the product to `use`, as the TypeScript compiler reads it. */
export function readSources<T>(use: (source: Source) => readonly T[]): T[] {
  const api = new API({ cwd: root });
  try {
    const found: T[] = [];
    const seen = new Set<string>();
    for (const folder of PROJECTS) {
      const tsconfig = path.join(root, folder, "tsconfig.json");
      const project = api.updateSnapshot({ openProjects: [tsconfig] }).getProject(tsconfig);
      if (project === undefined) throw new Error(`${folder} has no TypeScript project`);
      for (const name of project.program.getSourceFileNames()) {
        const file = path.relative(root, name);
        if (file.startsWith("..") || file.startsWith("node_modules") || file.endsWith(".d.ts") || seen.has(file))
          continue;
        const ast = project.program.getSourceFile(name);
        if (ast === undefined || !/\.[cm]?ts$/.test(file)) continue;
        seen.add(file);
        found.push(...use({ file, ast, checker: project.checker }));
      }
    }
    return found;
  } finally {
    api.close();
  }
}

/** All nodes below a node, itself included. */
export function* descendants(node: Node): Generator<Node> {
  yield node;
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  for (const child of children) yield* descendants(child);
}
