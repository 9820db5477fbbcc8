import { waitFor } from "@reports/testing";
import type { Page } from "playwright-core";

/** Waits until the element with the focus has this property. */
export async function hasFocus(page: Page, property: string, value: string): Promise<void> {
  await waitFor(async () => (await page.evaluate(`document.activeElement.${property}`)) === value, {
    what: `the focus at ${value}`,
    timeoutMs: 10_000,
  });
}
