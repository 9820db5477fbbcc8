import type { Page } from "playwright-core";

/** Acts and waits for the message of the action. The waiting begins first, because a message disappears after a few seconds. */
export async function seeToast(page: Page, text: string, act: () => Promise<void>): Promise<void> {
  await Promise.all([page.getByText(text).waitFor(), act()]);
}
