import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { copyIntoInventory, migrateDatabase } from "@reports/db";
import {
  createTestDatabases,
  findFreePort,
  generateDemoInventory,
  installReportTypePackages,
  startSharedProgram,
  startStand,
  type Stand,
  type StandOptions,
} from "@reports/testing";

export interface CliService {
  readonly url: string;
  readonly databaseUrl: string;
  readonly jwtSecret: string;
  readonly receiverPort: number;
}

const databases = createTestDatabases({
  migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }),
  // With records of other owners, the worker would also run their reports.
  otherOwners: false,
});

/** Two report types. LEDGER reads a view that does not exist. The rows of OBJECTS come from a function, so that it has no preview. */
const typesSource = `
import { defineReportTypes } from "@reports/core/report-type";
const columns = [{ key: "name", title: "Name", kind: "text" }];
const view = { kind: "view", view: "ledger", id: "name", columns: { name: { column: "name", type: "text" } } };
const objects = { kind: "objects", rows: async function* () {} };
const type = (type, rows) => ({ authority: "REPORT_PROXY", definition: { type, version: 1, title: type, columns, rows } });
export default defineReportTypes([type("LEDGER", view), type("OBJECTS", objects)]);
`;

/** Timeout in ms of tests of a service, and of the hook that starts it. It is long because other tests keep the machine busy. */
export const serviceTimeoutMs = 300_000;

/** Returns the service that all test files of a test run share. The first call starts it. */
export async function getSharedCliService(): Promise<CliService> {
  return startSharedProgram<CliService>(join(import.meta.dirname, "serve-cli.ts"));
}

export async function startCliService(
  options: Pick<StandOptions, "supervised"> = {},
): Promise<CliService & AsyncDisposable & { readonly stand: Stand }> {
  await using parts = new AsyncDisposableStack();
  const database = parts.use(await databases.cloneDatabase());
  await copyIntoInventory({ databaseUrl: database.url, ...generateDemoInventory({ proxies: 60, domains: 2000 }) });
  const packages = parts.use(await installReportTypePackages({ "more-types": typesSource }));
  const receiverPort = await findFreePort();
  const stand = parts.use(
    await startStand({
      ...options,
      database,
      store: "folder",
      apis: 1,
      workers: 1,
      environment: {
        WORKER_CONCURRENCY: "1",
        REPORT_TYPES: "more-types",
        REPORT_TYPES_DIR: packages.directory,
        PREVIEW_OBJECT_ROWS: "false",
        LOG_LEVEL: "fatal",
        // The limit is above the size of a csv of the proxies, and below that of a json of the domains.
        SPOOL_MAX_BYTES: "100000",
        READ_LIMIT_PER_MINUTE: "100",
        // The maximum. On a busy machine, a list or preview can exceed the default. The service then answers 503, and the command prints on standard
        // error that it tries again.
        LIST_TIMEOUT_SECONDS: "60",
        PREVIEW_TIMEOUT_SECONDS: "60",
        START_LIMITS: "LIMITED_STARTS:1/min:0",
        WEBHOOK_KEY: randomBytes(32).toString("base64"),
        WEBHOOK_ALLOW: `http://127.0.0.1:2,http://127.0.0.1:${receiverPort}`,
        PUBLIC_URL: "https://reports.example.com",
      },
    }),
  );
  const owned = parts.move();
  return {
    url: stand.origin,
    databaseUrl: database.url,
    jwtSecret: stand.jwtSecret,
    receiverPort,
    get stand() {
      return stand;
    },
    [Symbol.asyncDispose]: async () => owned.disposeAsync(),
  };
}
