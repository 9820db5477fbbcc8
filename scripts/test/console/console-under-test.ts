import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { hashPassword } from "@reports/auth";
import { createDatabase, createUserStore, type Database, type UserStore } from "@reports/db";
import { findFreePort, machineHas } from "@reports/testing";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { startApi, type RunningApi } from "../../commands/running-api.ts";
import { buildConsole } from "../../start/build-console.ts";

const chromiumPath = "/usr/bin/chromium";
/** Whether there is a browser to try the console with: Debian's Chromium. */
export const hasChromium = machineHas("Chromium (apt-get install chromium)", existsSync(chromiumPath));

/** The service with a built console, and a browser. */
export interface ConsoleUnderTest extends AsyncDisposable {
  readonly api: RunningApi;
  /** Pages are opened in contexts of their own. Whatever they complain of is kept in `complaints`. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Opens a page and signs in. */
  openAs(name: string, fragment?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Violations of the policy, exceptions, and errors of the console beside those of a status that the scenario expects. */
  readonly complaints: string[];
  users<T>(act: (users: UserStore) => Promise<T>): Promise<T>;
  /** What the pages that are open show, and how their last requests were answered: for a test that has failed. Closes them. */
  closePages(): Promise<string>;
  /** Webhooks may be sent to this port of this machine. */
  readonly receiverPort: number;
  /** For what comes about in days, or by accident. */
  database<T>(act: (database: Database) => Promise<T>): Promise<T>;
}

/** The password of a user of these tests. */
export const passwordOf = (name: string): string => `${name}'s long password`;

/** Starts everything. The browser gets the variables in addition to those of this process. */
export async function startConsole(
  root: string,
  authorities: Readonly<Record<string, readonly string[]>>,
  browserEnvironment: Readonly<Record<string, string>> = {},
): Promise<ConsoleUnderTest> {
  await buildConsole(root);
  const receiverPort = await findFreePort();
  const api = await startApi({
    proxies: 40,
    domains: 300,
    worker: true,
    environment: (url) => ({
      START_LIMIT_PER_MINUTE: "0",
      UNFINISHED_REPORT_LIMIT: "0",
      WORKER_CONCURRENCY: "2",
      PUBLIC_URL: url,
      WEBHOOK_KEY: randomBytes(32).toString("base64"),
      WEBHOOK_ALLOW: `http://127.0.0.1:${receiverPort}`,
    }),
  });
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ["--no-sandbox"],
    env: { ...process.env, ...browserEnvironment },
  });
  const complaints: string[] = [];
  const withDatabase: ConsoleUnderTest["database"] = async (act) => {
    const database = createDatabase({ url: api.databaseUrl, max: 1, applicationName: "test" });
    try {
      return await act(database);
    } finally {
      await database.close();
    }
  };
  const users: ConsoleUnderTest["users"] = async (act) =>
    withDatabase(async (database) => act(createUserStore(database)));
  for (const [name, held] of Object.entries(authorities)) {
    const passwordHash = await hashPassword(passwordOf(name));
    await users(async (store) => store.create({ name, passwordHash, authorities: held }));
  }
  const answers = new Map<Page, string[]>();
  const open = async (options?: BrowserContextOptions): Promise<Page> => {
    const page = await openPage(browser, complaints, options);
    const ofPage: string[] = [];
    page.on("response", (answer) => {
      ofPage.push(`${answer.request().method()} ${new URL(answer.url()).pathname} ${answer.status()}`);
    });
    page.once("close", () => answers.delete(page));
    answers.set(page, ofPage);
    return page;
  };
  return {
    api,
    receiverPort,
    complaints,
    users,
    database: withDatabase,
    open,
    async closePages() {
      const told: string[] = [];
      for (const [page, ofPage] of answers) {
        const shown = await page.locator("body").innerText();
        told.push([page.url(), ...ofPage.slice(-20), shown].join("\n"));
        await page.context().close();
      }
      return told.join("\n\n");
    },
    async openAs(name, fragment = "", options) {
      const page = await open(options);
      await page.goto(`${api.url}/console${fragment}`);
      await signIn(page, name);
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      return page;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await api[Symbol.asyncDispose]();
    },
  };
}

/** Fills in the form that asks who one is. */
export async function signIn(page: Page, name: string, password = passwordOf(name)): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

async function openPage(
  browser: Browser,
  complaints: string[],
  options: BrowserContextOptions | undefined,
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // Chromium's own line for every status from 400 on, and for a request that nobody answered.
    if (message.type() === "error" && !text.startsWith("Failed to load resource")) complaints.push(text);
  });
  return page;
}
