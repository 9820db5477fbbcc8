import type { Page, Request } from "playwright-core";

/** Counts the page's requests for reports. `ended` are the paths of ended requests, `countMost` returns the most simultaneous requests. */
export function countReportRequests(page: Page): { readonly ended: readonly string[]; countMost(): number } {
  const isOfReports = (request: Request): boolean => /^\/v1\/reports(\/|$)/.test(new URL(request.url()).pathname);
  let open = 0;
  let most = 0;
  const ended: string[] = [];
  page.on("request", (request) => {
    if (isOfReports(request)) most = Math.max(most, ++open);
  });
  const onEnd = (request: Request): void => {
    if (!isOfReports(request)) return;
    // A request that began before the count started can end during the count.
    open = Math.max(0, open - 1);
    ended.push(new URL(request.url()).pathname);
  };
  page.on("requestfinished", onEnd);
  page.on("requestfailed", onEnd);
  return { ended, countMost: () => most };
}
