import type { Locator, Page } from "playwright-core";
import { faultsOf } from "./faults.ts";

/** A state of the console: where it is, how it comes about there, and what tells that it has. */
export interface State {
  /** Left out, it is where the state before was. */
  readonly fragment?: string;
  /** The page's heading. */
  readonly title: string | RegExp;
  readonly act?: (page: Page) => Promise<void>;
  readonly shown: (page: Page) => Locator;
}

/** Goes from state to state on one page. Gives the fragments that it came to, and what is wrong with the pages there. */
export async function walk(
  page: Page,
  states: readonly State[],
): Promise<{ readonly fragments: readonly string[]; readonly faults: readonly string[] }> {
  const fragments: string[] = [];
  const faults: string[] = [];
  for (const { fragment, title, act, shown } of states) {
    if (fragment !== undefined) await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await act?.(page);
    // Beneath a dialog headings are there and cannot be reached.
    await page.locator("h1").filter({ hasText: title }).waitFor();
    await shown(page).first().waitFor();
    fragments.push(new URL(page.url()).hash);
    faults.push(...(await faultsOf(page)));
  }
  return { fragments, faults };
}
