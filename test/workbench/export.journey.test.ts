import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attempt, EFFECT_LIMIT } from "../../scripts/lib/workbench/driver/attempts.ts";
import { clickFor, deliverKeys } from "../../scripts/lib/workbench/driver/delivery.ts";
import { Journey } from "../../scripts/lib/workbench/journey.ts";
import { computeViewMatrix } from "../../src/core/export/viewMatrix.ts";
import { initialPanelState } from "../../src/core/protocol/state.ts";
import { indexRange } from "../../src/core/terms/engine.ts";
import { derivePanelEncoding } from "../../webview/state/panelEncoding.ts";

let journey: Journey;

beforeAll(async () => {
  journey = await Journey.start();
  await journey.command("Position Encodings: Preview Encoding…");
  await journey.pick("ALiBi");
  await journey.figure();
});
afterAll(() => journey?.end());
beforeEach(({ onTestFailed, task }) => {
  onTestFailed(() => journey.screenshot(`failed-${task.name.replace(/\W+/g, "-").slice(0, 40)}`));
});

const said = () => journey.webview().getByRole("status", { name: "Done" });

/** Chooses an item of the Export menu, which opens the editor's save dialog. */
async function openDialog(item: string): Promise<void> {
  const panel = journey.webview();
  const items = panel.getByRole("menuitem").filter({ has: journey.page.getByText(item, { exact: true }) });
  await clickFor(panel.getByRole("button", { name: "Export", exact: true }), items);
  await clickFor(items, journey.quickInput.input);
  await expect.poll(() => journey.quickInput.input.inputValue()).toContain("alibi_scores");
}

/** Enters a file name in the dialog and waits for the result. */
function name(file: string, brings: Locator): Promise<void> {
  return attempt(`name ${file}`, async () => {
    if (await brings.isVisible()) return undefined;
    const { input } = journey.quickInput;
    const lost = (await journey.quickInput.write(`/workspace/${file}`)) ?? (await deliverKeys(input, "Enter"));
    if (lost === undefined) await brings.waitFor({ timeout: EFFECT_LIMIT });
    return lost;
  });
}

async function exportAs(item: string, file: string): Promise<Buffer> {
  await openDialog(item);
  await name(file, said().getByText(`.${item.toLowerCase()}`));
  return readFile(path.join(journey.folder, file));
}

/** Values of the float64 engine for the same state. */
function expected(): Float64Array {
  const drawable = derivePanelEncoding(initialPanelState("alibi"), null)?.resolved;
  if (!drawable) throw new Error("nothing is drawn");
  const { encoding, params, scene } = drawable;
  const all = indexRange(0, 512);
  return computeViewMatrix(encoding, params, scene, { mask: { causal: true } }, "scores", all, all).values;
}

describe("Export", () => {
  it("A CSV export reads back as the numbers of the panel", async () => {
    const text = (await exportAs("CSV", "alibi.csv")).toString("utf8");
    const numbers = text
      .trim()
      .split(/[\n,]/)
      .map((cell) => (cell === "-inf" ? Number.NEGATIVE_INFINITY : Number(cell)));
    expect(numbers).toEqual([...expected()]);
    await journey.screenshot("export-done");
  });

  it("An NPY export reads back as the numbers of the panel", async () => {
    const bytes = await exportAs("NPY", "alibi.npy");
    expect(bytes.subarray(1, 6).toString("latin1")).toBe("NUMPY");
    expect(bytes.toString("latin1", 10, 128)).toContain("'shape': (512, 512)");
    const data = Uint8Array.from(bytes.subarray(bytes.length - 512 * 512 * 8));
    expect([...new Float64Array(data.buffer)]).toEqual([...expected()]);
  });

  it("An export asks before it replaces a file, and writes nothing if the dialog is cancelled", async () => {
    const before = await readFile(path.join(journey.folder, "alibi.csv"));
    await openDialog("CSV");
    await name("alibi.csv", journey.page.getByText(/already exists/));
    await journey.quickInput.close();
    expect((await readFile(path.join(journey.folder, "alibi.csv"))).equals(before)).toBe(true);
  });
});
