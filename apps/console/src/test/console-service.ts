import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { copyIntoInventory, migrateDatabase } from "@reports/db";
import {
  createTestDatabases,
  findFreePort,
  generateDemoInventory,
  shareInTestRun,
  startSharedProgram,
  startStand,
  type ProcessEnvironment,
  type Stand,
} from "@reports/testing";
import type { ServiceAddress } from "./add-user.ts";

export interface SharedService extends ServiceAddress {
  /** Local ports to which webhooks of this service may send. Each port belongs to one test, so that deliveries do not mix. */
  readonly receiverPorts: { readonly webhooks: number; readonly everyPage: number; readonly unused: number };
}

export interface DedicatedService extends ServiceAddress, AsyncDisposable {
  readonly stand: Stand;
}

const databases = createTestDatabases({
  migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }),
  // The worker would also run the reports of other owners' records, so the database has none.
  otherOwners: false,
});

export async function getSharedService(): Promise<SharedService> {
  return startSharedProgram<SharedService>(join(import.meta.dirname, "serve-console.ts"));
}

/** Starts a service with 40 proxies and 300 domains. Its API serves the built console. */
export async function startDedicatedService(
  environment: ProcessEnvironment = {},
  workers = 0,
): Promise<DedicatedService> {
  await buildConsoleSite();
  await using parts = new AsyncDisposableStack();
  const database = parts.use(await databases.cloneDatabase());
  await copyIntoInventory({ databaseUrl: database.url, ...generateDemoInventory({ proxies: 40, domains: 300 }) });
  const stand = parts.use(
    await startStand({
      database,
      store: "folder",
      apis: 1,
      workers,
      environment: (url) => ({
        START_LIMIT_PER_MINUTE: "0",
        UNFINISHED_REPORT_LIMIT: "0",
        LIST_LIMIT_PER_PRINCIPAL: "0",
        // The maximum. On a busy machine, a list or preview can exceed the default. The page then shows that it tries again.
        LIST_TIMEOUT_SECONDS: "60",
        PREVIEW_TIMEOUT_SECONDS: "60",
        WORKER_CONCURRENCY: "2",
        LOG_LEVEL: "warn",
        PUBLIC_URL: url,
        WEBHOOK_KEY: randomBytes(32).toString("base64"),
        ...environment,
      }),
    }),
  );
  const owned = parts.move();
  return {
    url: stand.origin,
    databaseUrl: database.url,
    stand,
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}

export async function startSharedService(): Promise<SharedService & AsyncDisposable> {
  const [webhooks, everyPage, unused] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const allowed = [webhooks, everyPage, unused].map((port) => `http://127.0.0.1:${port}`);
  const service = await startDedicatedService({ WEBHOOK_ALLOW: allowed.join(",") }, 1);
  const { url, databaseUrl } = service;
  return {
    url,
    databaseUrl,
    receiverPorts: { webhooks, everyPage, unused },
    [Symbol.asyncDispose]: async () => service[Symbol.asyncDispose](),
  };
}

export async function buildConsoleSite(): Promise<void> {
  await shareInTestRun("console-site", async () => {
    await promisify(execFile)(process.execPath, [
      "--conditions=@reports/source",
      join(import.meta.dirname, "../../build.ts"),
    ]);
    return null;
  });
}
