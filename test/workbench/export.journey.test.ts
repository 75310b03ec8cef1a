import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { viewMatrix } from "../../src/core/encodings/support/viewMatrix.ts";
import { initialPanelState } from "../../src/core/protocol/state.ts";
import { indexRange } from "../../src/core/terms/engine.ts";
import { modelOf } from "../../webview/state/panelEncoding.ts";
import { Journey } from "./harness.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start();
  await journey.command("Position Encodings: Preview Encoding…");
  await journey.picks().first().waitFor();
  await journey.pick("ALiBi");
  await journey.figure();
});
afterAll(() => journey?.end());
beforeEach(({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
});

const saveDialog = () => journey.page.locator(".quick-input-widget:visible .quick-input-box input");
const said = () => journey.webview().getByRole("status", { name: "Done" });

/** Types over the name that the dialog suggests, once it has. */
async function name(target: string): Promise<void> {
  await expect.poll(() => saveDialog().inputValue()).toContain("alibi_scores");
  await saveDialog().fill(target);
}

/** Takes an item of the Export menu, and names the file in the editor's own dialog. */
async function exportAs(item: string, file: string): Promise<Buffer> {
  const panel = journey.webview();
  await panel.getByRole("button", { name: "Export", exact: true }).click();
  await panel
    .getByRole("menuitem")
    .filter({ has: journey.page.getByText(item, { exact: true }) })
    .click();
  await name(`/workspace/${file}`);
  await saveDialog().press("Enter");
  await said().getByText(`.${item.toLowerCase()}`).waitFor();
  return readFile(path.join(journey.folder, file));
}

/** What the float64 engine says of the same state. */
function expected(): Float64Array {
  const drawable = modelOf(initialPanelState("alibi"), null)?.drawable;
  if (!drawable) throw new Error("nothing is drawn");
  const { encoding, params, scene } = drawable;
  const all = indexRange(0, 512);
  return viewMatrix(encoding, params, scene, { mask: { causal: true } }, "scores", all, all).values;
}

describe("an export", () => {
  it("as CSV is a file that reads back as the panel's numbers", async () => {
    const text = (await exportAs("CSV", "alibi.csv")).toString("utf8");
    const numbers = text
      .trim()
      .split(/[\n,]/)
      .map((cell) => (cell === "-inf" ? Number.NEGATIVE_INFINITY : Number(cell)));
    expect(numbers).toEqual([...expected()]);
    await journey.screenshot("export-done");
  });

  it("as NPY is a file that reads back as the panel's numbers", async () => {
    const bytes = await exportAs("NPY", "alibi.npy");
    expect(bytes.subarray(1, 6).toString("latin1")).toBe("NUMPY");
    expect(bytes.toString("latin1", 10, 128)).toContain("'shape': (512, 512)");
    const data = Uint8Array.from(bytes.subarray(bytes.length - 512 * 512 * 8));
    expect([...new Float64Array(data.buffer)]).toEqual([...expected()]);
  });

  it("asks before it replaces a file, and writes nothing when the dialog is left", async () => {
    const before = await readFile(path.join(journey.folder, "alibi.csv"));
    const panel = journey.webview();
    await panel.getByRole("button", { name: "Export", exact: true }).click();
    await panel.getByRole("menuitem").filter({ hasText: "CSV" }).click();
    await name("/workspace/alibi.csv");
    await saveDialog().press("Enter");
    await journey.page.getByText(/already exists/).waitFor();
    await journey.page.keyboard.press("Escape");
    await journey.page.keyboard.press("Escape");
    await saveDialog().waitFor({ state: "detached" });
    expect((await readFile(path.join(journey.folder, "alibi.csv"))).equals(before)).toBe(true);
  });
});
