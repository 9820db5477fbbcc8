import { waitFor } from "@reports/testing";
import type { Page } from "playwright-core";

/** Waits until this DOM property of the focused element has this value. */
export async function waitForFocus(page: Page, property: string, value: string): Promise<void> {
  await waitFor(async () => (await page.evaluate(`document.activeElement.${property}`)) === value, {
    what: `the focus at ${value}`,
    timeoutMs: 10_000,
  });
}
