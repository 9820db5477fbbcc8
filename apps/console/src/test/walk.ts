import type { Locator, Page } from "playwright-core";
import { findViolations } from "./page-violations.ts";

/** A state of the console to check: the way to reach it, and the content that it shows. */
export interface PageState {
  /** The URL fragment to open. By default, the page stays where it is. */
  readonly fragment?: string;
  readonly title: string | RegExp;
  readonly act?: (page: Page) => Promise<void>;
  readonly shown: (page: Page) => Locator;
}

/** Visits the states on one page. Returns the URL fragments that it reached and the violations that it found. */
export async function visitStates(
  page: Page,
  states: readonly PageState[],
): Promise<{ readonly fragments: readonly string[]; readonly violations: readonly string[] }> {
  const fragments: string[] = [];
  const violations: string[] = [];
  for (const { fragment, title, act, shown } of states) {
    if (fragment !== undefined) await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await act?.(page);
    // Under a dialog, headings have no accessible role, so this finds them by tag.
    await page.locator("h1").filter({ hasText: title }).waitFor();
    await shown(page).first().waitFor();
    fragments.push(new URL(page.url()).hash);
    violations.push(...(await findViolations(page)));
  }
  return { fragments, violations };
}
