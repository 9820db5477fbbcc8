import type { Locator, Page } from "playwright-core";
import { violationsOf } from "./page-violations.ts";

/** A state of the console: its address, the action that leads to it, and the content that it shows. */
export interface State {
  /** Default: that of the previous state. */
  readonly fragment?: string;
  /** The page's heading. */
  readonly title: string | RegExp;
  readonly act?: (page: Page) => Promise<void>;
  readonly shown: (page: Page) => Locator;
}

/** Goes from state to state on one page. Returns the fragments that it reached and the violations of the pages there. */
export async function walk(
  page: Page,
  states: readonly State[],
): Promise<{ readonly fragments: readonly string[]; readonly violations: readonly string[] }> {
  const fragments: string[] = [];
  const violations: string[] = [];
  for (const { fragment, title, act, shown } of states) {
    if (fragment !== undefined) await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await act?.(page);
    // Under a dialog, headings exist and are not accessible.
    await page.locator("h1").filter({ hasText: title }).waitFor();
    await shown(page).first().waitFor();
    fragments.push(new URL(page.url()).hash);
    violations.push(...(await violationsOf(page)));
  }
  return { fragments, violations };
}
