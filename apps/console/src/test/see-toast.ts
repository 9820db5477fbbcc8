import type { Page } from "playwright-core";

/** Does an action and waits for its toast. The wait begins first, because a toast disappears after six seconds. */
export async function seeToast(page: Page, text: string, act: () => Promise<void>): Promise<void> {
  await Promise.all([page.getByText(text).waitFor(), act()]);
}
