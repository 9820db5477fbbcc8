import type { Locator, Page } from "playwright-core";
import { findAccessibilityViolations } from "./page-violations.ts";

export interface VisitedPageState {
  /** The URL fragment to open. If undefined, the state belongs to the current page. */
  readonly fragment?: string;
  readonly title: string | RegExp;
  readonly act?: (page: Page) => Promise<void>;
  readonly shown: (page: Page) => Locator;
}

export async function visitPageStates(
  page: Page,
  states: readonly VisitedPageState[],
): Promise<{ readonly fragments: readonly string[]; readonly violations: readonly string[] }> {
  const fragments: string[] = [];
  const violations: string[] = [];
  for (const { fragment, title, act, shown } of states) {
    if (fragment !== undefined) await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
    await act?.(page);
    // An open modal dialog hides headings from the accessibility tree, so this finds them by tag.
    await page.locator("h1").filter({ hasText: title }).waitFor();
    await shown(page).first().waitFor();
    fragments.push(new URL(page.url()).hash);
    violations.push(...(await findAccessibilityViolations(page)));
  }
  return { fragments, violations };
}
