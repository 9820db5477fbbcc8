import { waitFor } from "@reports/testing";
import type { Page } from "playwright-core";

/**
 * Does an action, and waits until the page has shown the text after it. The page itself looks for the text, because the text disappears after a few
 * seconds and a busy test can look too late.
 */
export async function seeToast(page: Page, text: string, act: () => Promise<void>): Promise<void> {
  await page.evaluate(`{
    window.hasShownText = false;
    new MutationObserver((_, observer) => {
      if (!document.body.innerText.includes(${JSON.stringify(text)})) return;
      window.hasShownText = true;
      observer.disconnect();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  }`);
  await act();
  await waitFor(async () => page.evaluate<boolean>("window.hasShownText"), { what: `the text ${text} to be shown` });
}
