import type { Locator, Page } from "playwright-core";
import { ATTEMPT_LIMIT, attempt } from "./attempts.ts";
import { clickFor, deliverClick, deliverKeys } from "./delivery.ts";

const MAX_STEPS = 40;

/** Opens a folder's row, unless it is open. */
export function expandRow(row: Locator): Promise<void> {
  const open = row.and(row.page().locator('[aria-expanded="true"]'));
  return attempt(`expand ${row}`, async () => {
    if (await open.isVisible()) return undefined;
    const lost = await deliverClick(row);
    if (lost === undefined) await open.waitFor({ timeout: ATTEMPT_LIMIT });
    return lost;
  });
}

/** Brings a row of a list into being: rows out of sight are not there, and the keyboard scrolls to them. */
export function reachRow(list: Locator, row: Locator): Promise<void> {
  return attempt(`reach ${row}`, async () => {
    await list.locator(".monaco-list-row").first().waitFor({ timeout: ATTEMPT_LIMIT });
    await list.focus({ timeout: ATTEMPT_LIMIT });
    const lost = await deliverKeys(list, "Home");
    if (lost !== undefined) return lost;
    for (let steps = 0; (await row.count()) === 0; steps++) {
      const away = steps === MAX_STEPS ? "the list does not have it" : await deliverKeys(list, "ArrowDown");
      if (away !== undefined) return away;
    }
    return undefined;
  });
}

/** Takes an item of a row's context menu by keyboard: VS Code's menu takes no clicks until it has settled. */
export function takeMenuItem(row: Locator, name: string, seen = async () => {}): Promise<void> {
  const page = row.page();
  const menu = page.locator(".monaco-menu:visible").first();
  const item = menu
    .locator("li")
    .filter({ has: page.getByRole("menuitem", { name }) })
    .first();
  const chosen = item.and(page.locator(".focused"));
  return attempt(`take ${name} of the menu of ${row}`, async () => {
    await closeMenu(page, menu);
    const lost = await deliverClick(row, { button: "right" });
    if (lost !== undefined) return lost;
    await item.hover({ timeout: ATTEMPT_LIMIT });
    await chosen.waitFor({ timeout: ATTEMPT_LIMIT });
    await seen();
    const away = await deliverKeys(menu, "Enter", chosen);
    if (away === undefined) await menu.waitFor({ state: "hidden", timeout: ATTEMPT_LIMIT });
    return away;
  });
}

async function closeMenu(page: Page, menu: Locator): Promise<void> {
  if (!(await menu.isVisible())) return;
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "hidden", timeout: ATTEMPT_LIMIT });
}

/** Brings a tab to the front. */
export function frontTab(page: Page, title: string | RegExp): Promise<void> {
  const tab = page.locator(".tab").filter({ hasText: title }).first();
  return clickFor(tab, tab.and(page.locator(".active")));
}

/** Shows a container of the side bar, unless it is shown: a click on the shown one would hide it. */
export function showContainer(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("tab", { name: new RegExp(`^${name}`) }).first();
  const shown = tab.and(page.locator('[aria-selected="true"]'));
  return attempt(`show ${name}`, async () => {
    if (await shown.isVisible()) return undefined;
    const lost = await deliverClick(tab);
    if (lost === undefined) await shown.waitFor({ timeout: ATTEMPT_LIMIT });
    return lost;
  });
}
