import { waitFor } from "@reports/testing";
import type { Page } from "playwright-core";

export async function waitForFocus(page: Page, property: string, value: string): Promise<void> {
  await waitFor(async () => (await page.evaluate(`document.activeElement.${property}`)) === value, {
    what: `the focus at ${value}`,
  });
}
