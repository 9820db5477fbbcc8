import { existsSync } from "node:fs";
import { isAvailableOrThrowInCi } from "@reports/testing";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { test as plainTest } from "vitest";
import { testPassword, type ServiceAddress, type TestUser } from "./add-user.ts";

// The first is the same browser without windows. It takes less than half of the processor time, because it has no pages of the browser itself.
const chromiumPath = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));
export const hasChromium = isAvailableOrThrowInCi(
  "Chromium (apt-get install chromium-headless-shell)",
  chromiumPath !== undefined,
);

/** Timeout in ms of a test in a browser. It is long because other tests keep the machine busy. */
export const browserTimeoutMs = 300_000;

export interface BrowserPages {
  open(service: ServiceAddress, fragment?: string, options?: BrowserPageOptions): Promise<Page>;
  openAs(user: TestUser, fragment?: string, options?: BrowserPageOptions): Promise<Page>;
  /** Violations of the content security policy, exceptions and logged errors of all pages. If one remains at the end, the test fails. */
  readonly complaints: string[];
}

export interface BrowserPageOptions extends BrowserContextOptions {
  readonly script?: string;
  /** Keeps the time limits of the page's requests. By default they are 12 times as long, because a busy machine can exceed them. */
  readonly keepsTimeLimits?: boolean;
}

const extendTimeLimitsScript = `{
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, 12 * ms);
}`;

export const denyStorageScript = ["localStorage", "sessionStorage"]
  .map(
    (name) => `Object.defineProperty(window, "${name}", { get() { throw new DOMException("", "SecurityError"); } });`,
  )
  .join("\n");

/** Returns a `test` whose pages belong to a new browser with these environment variables. Playwright ends the browser when the process ends. */
export function createBrowserTest(environment: Readonly<Record<string, string>> = {}) {
  let browser: Promise<Browser> | undefined;
  return plainTest.extend<{ pages: BrowserPages }>({
    pages: async ({ task }, use) => {
      browser ??= chromium.launch({
        executablePath: chromiumPath!,
        args: ["--no-sandbox"],
        env: { ...process.env, ...environment },
      });
      const pages = createPages(await browser);
      await use(pages);
      await pages.finish(task.result?.state === "fail");
    },
  });
}

export const test = createBrowserTest();

/**
 * Creates the pages of a test. `finish` closes them and throws if there are complaints. If the test has failed, the error has the content of the pages,
 * so that the content is in the list of failures at the end of a run.
 */
function createPages(browser: Browser): BrowserPages & { finish(isFailed: boolean): Promise<void> } {
  const complaints: string[] = [];
  const responses = new Map<Page, string[]>();
  const open: BrowserPages["open"] = async ({ url }, fragment = "", options = {}) => {
    const { script, keepsTimeLimits = false, ...contextOptions } = options;
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...contextOptions });
    context.setDefaultTimeout(60_000);
    if (!keepsTimeLimits) await context.addInitScript(extendTimeLimitsScript);
    if (script !== undefined) await context.addInitScript(script);
    const page = await context.newPage();
    const ofPage: string[] = [];
    responses.set(page, ofPage);
    page.on("response", (response) => {
      ofPage.push(`${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`);
    });
    page.on("pageerror", (error) => complaints.push(`uncaught: ${error.stack ?? error.message}`));
    page.on("console", (message) => {
      const text = message.text();
      // Chromium logs this line for each status of 400 or more and each failed request. Tests cause them on purpose.
      if (message.type() === "error" && !text.startsWith("Failed to load resource")) complaints.push(text);
    });
    await page.goto(`${url}/console${fragment}`);
    return page;
  };
  return {
    complaints,
    open,
    async openAs(user, fragment, options) {
      const page = await open(user.service, fragment, options);
      await submitSignInForm(page, user.name);
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      return page;
    },
    async finish(isFailed) {
      const shown: string[] = [];
      for (const [page, ofPage] of responses) {
        if (isFailed && !page.isClosed())
          shown.push(
            [page.url(), ...ofPage.slice(-20), (await page.locator("body").innerText()).slice(0, 1_500)].join("\n"),
          );
        // The test may end during a request that one of its routes sends. Closing the page would make that request an unhandled rejection, which fails
        // the test run.
        if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.context().close();
      }
      const notes = [
        ...(isFailed ? [`The test ended with these pages:\n${shown.join("\n\n")}`] : []),
        ...(complaints.length > 0 ? [`The browser complains:\n${complaints.join("\n")}`] : []),
      ];
      if (notes.length > 0) throw new Error(notes.join("\n\n"));
    },
  };
}

export async function submitSignInForm(page: Page, name: string, typed = testPassword): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password").fill(typed);
  await page.keyboard.press("Enter");
}
