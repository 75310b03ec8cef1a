import { isElementAccessExpression, isIdentifier } from "typescript/unstable/ast/is";
import { TypeFlags } from "typescript/unstable/sync";
import { expect, it } from "vitest";
import { descendants, readSources } from "./support/sources.ts";

/** Names of files, such as "constructor" and "__proto__", are inherited properties of every object. */
it("tables of the product are never indexed by any string: ownValue finds own keys only", () => {
  const unsafe = readSources(({ file, ast, checker }) =>
    [...descendants(ast)].flatMap((node) => {
      if (!isElementAccessExpression(node) || !isIdentifier(node.expression)) return [];
      if (!/^[A-Z][A-Z0-9_]+$/.test(node.expression.text)) return [];
      const index = checker.getTypeAtLocation(node.argumentExpression);
      const isAnyString = index !== undefined && (index.flags & TypeFlags.String) !== 0;
      return isAnyString ? [`${file}: ${node.getText()}`] : [];
    }),
  );
  expect(unsafe).toEqual([]);
});
