import { expect, it } from "vitest";
import { translateToLibrary } from "../../../../../src/core/export/code/python.ts";

it("PyTorch code loads a table in NumPy's format with NumPy", () => {
  const lines = 'import numpy as np\n\ntable = np.array(np.load("table.npy"), dtype=np.float64)\n';
  expect(translateToLibrary(lines, "torch")).toBe(
    'import numpy\nimport torch\n\ntable = torch.tensor(numpy.load("table.npy"), dtype=torch.float64)\n',
  );
});
