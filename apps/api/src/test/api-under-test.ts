import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createAuthenticator,
  createBasicVerifier,
  createBearerVerifier,
  createTokenIssuer,
  hashPassword,
  registerReportTypes,
} from "@reports/auth";
import type { KeySetState, ReportTypeRegistration } from "@reports/auth";
import { builtInReportTypes, createCatalogue, unlimitedLogins } from "@reports/core";
import type { FileStore, Report, ReportStore, StoreIdentity, StoreState } from "@reports/core";
import {
  createDatabase,
  createFileSuspicions,
  createFileRemovals,
  createListDatabase,
  createLoginThrottle,
  createReportChanges,
  createReportLists,
  createReportStore,
  createUserStore,
  migrateDatabase,
  readLaneLoads,
} from "@reports/db";
import { createLogger, createMetrics, newId, systemClock } from "@reports/runtime";
import type { Check } from "@reports/runtime";
import type { ReportChangeOptions } from "@reports/db";
import { createFileSystemStore } from "@reports/storage";
import { createTestDatabases } from "@reports/testing";
import { SignJWT } from "jose";
import postgres from "postgres";
import request from "supertest";
import { createApp } from "../app.ts";
import { createDownloadSlots } from "../limits/download-slots.ts";
import { createListSlots } from "../limits/list-slots.ts";
import { createOverloadGuard } from "../limits/overload-guard.ts";
import { createRefusalPace } from "../limits/pace-refusals.ts";
import { createRequestLimiter } from "../limits/request-limiter.ts";
import { createAuditLog } from "../middleware/audit.ts";
import { registerCollections } from "../compose-collections.ts";
import { createReportWatches } from "../notifications/report-watches.ts";
import type { ReportWatchesOptions } from "../notifications/report-watches.ts";
import type { MountedCollection } from "../resource/mounted-collection.ts";
import { createEndpoints } from "../routes/endpoints.ts";
import type { LimitsUnderTest } from "./limits-under-test.ts";
import { validatingListener } from "./validate-responses.ts";
import type { StreamTimes } from "../routes/events.ts";

/** What tokens are signed with. */
export const jwtSecret = "the-secret-that-the-tests-sign-tokens-with";
const databases = createTestDatabases({ migrate: async (databaseUrl) => migrateDatabase({ databaseUrl }) });

/** What a test may choose. */
export interface ApiUnderTestOptions {
  readonly reportTypes?: readonly ReportTypeRegistration[];
  /** Collections beside those of the register. */
  readonly collections?: readonly MountedCollection[];
  readonly basePath?: string;
  readonly coalesceGetStarts?: boolean;
  readonly checks?: Readonly<Record<string, Check>>;
  /** Bounds and times of watches. */
  readonly watching?: Partial<ReportWatchesOptions>;
  /** How it listens for changes. */
  readonly changes?: Partial<ReportChangeOptions>;
  /** Of event streams. */
  readonly streaming?: StreamTimes;
  /** The database of another instance, beside which this one runs. */
  readonly databaseUrl?: string;
  /** Of the connections for lists, whose deadline is out of reach unless it is said. */
  readonly listDatabase?: { readonly max?: number; readonly deadlineMs?: number };
  /** Limits; nothing is limited unless it is said here. */
  readonly limits?: LimitsUnderTest;
  readonly trustedProxyHops?: number;
  /** Of the role as which the API works; the owner of the tables unless it is said. */
  readonly apiDatabaseUrl?: (ownerUrl: string) => Promise<string>;
  /** Where files lie; a folder of its own unless it is said. */
  readonly store?: FileStore;
  /** Puts something in front of the file store. */
  readonly wrapFiles?: (files: FileStore) => FileStore;
  /** Whether the file store is the one of the database; it always is unless it is said. */
  readonly identity?: Pick<StoreIdentity, "assert">;
  readonly storeState?: () => StoreState;
  /** Of the keys of an issuer; there is none unless it is said. */
  readonly issuerKeysState?: () => KeySetState;
}

/** A token of somebody who holds the given authorities. */
export async function tokenOf(authorities: readonly string[], subject = "alice"): Promise<string> {
  return (
    new SignJWT({ authorities })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(subject)
      .setIssuer("https://issuer.example")
      .setIssuedAt()
      // Beyond the longest file on the busiest machine.
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(jwtSecret))
  );
}

/** Two authorities, by name. */
export const bothAuthorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"] as const;

/** The whole API on a database and a file store of its own, whose replies are checked against their descriptions. */
export async function startApiUnderTest(options: ApiUnderTestOptions = {}) {
  const ownDatabase = options.databaseUrl === undefined ? await databases.cloneDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? ownDatabase!.url;
  const folder = await mkdtemp(join(tmpdir(), "api-under-test-"));
  const apiUrl = (await options.apiDatabaseUrl?.(databaseUrl)) ?? databaseUrl;
  const database = createDatabase({ url: apiUrl });
  const listDatabase = createListDatabase({ url: apiUrl, deadlineMs: 30_000, ...options.listDatabase });
  const limits = options.limits ?? {};
  const requestLimiter = createRequestLimiter({ perMinute: limits.requestsPerMinute ?? 0 });
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const store: FileStore = options.store ?? createFileSystemStore({ directory: join(folder, "files") });
  const files = options.wrapFiles?.(store) ?? store;
  const reports = createReportStore(database);
  const users = createUserStore(database);
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: "api",
    level: "debug",
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const { definitions, authorities } = registerReportTypes(
    options.reportTypes ?? builtInReportTypes.map((definition) => ({ definition })),
  );
  const shared = {
    catalogue: createCatalogue(definitions),
    authorities,
    logger,
    metrics: createMetrics(),
    newId,
    basePath: options.basePath ?? "",
  };
  const changes = createReportChanges({ url: apiUrl, database, ...options.changes });
  const watches = createReportWatches({ ...shared, reports, changes, ...options.watching });
  watches.start();
  const endpoints = createEndpoints({
    ...shared,
    reports,
    reportLists: createReportLists(listDatabase),
    lists: createListSlots(limits.listsPerPrincipal ?? 0, shared.metrics),
    files,
    suspicions: createFileSuspicions(database),
    identity: options.identity ?? { assert: async () => undefined },
    storeState: options.storeState ?? (() => "ok"),
    issuerKeysState: options.issuerKeysState,
    removals: createFileRemovals(database),
    watches,
    ...(options.streaming === undefined ? {} : { streaming: options.streaming }),
    collections: [...registerCollections(database, listDatabase), ...(options.collections ?? [])],
    now: systemClock,
    coalesceGetStarts: options.coalesceGetStarts ?? true,
    issueToken: createTokenIssuer({ secret: jwtSecret, lifetimeSeconds: 900 }),
    ...(limits.starts === undefined ? {} : { startLimits: limits.starts }),
    ...(limits.overload === undefined
      ? {}
      : {
          refuseOverload: createOverloadGuard({
            limits: limits.overload,
            readLoads: async () => database.query(async (queries) => readLaneLoads(queries)),
          }),
        }),
    checks: options.checks ?? { database: async () => database.check() },
  });
  const audit = createAuditLog({ logger });
  const app = createApp({
    ...shared,
    audit,
    authenticate: createAuthenticator({
      bearer: createBearerVerifier({ secrets: [jwtSecret], users }),
      basic: createBasicVerifier({
        users,
        throttle: limits.logins === undefined ? unlimitedLogins : createLoginThrottle(database, limits.logins),
      }),
    }),
    requestLimiter,
    refusals: limits.refusals ?? createRefusalPace({ perSecond: 0 }),
    ...(limits.downloads === undefined ? {} : { downloads: createDownloadSlots(limits.downloads) }),
    endpoints,
    trustedProxyHops: options.trustedProxyHops ?? 0,
    checkResponses: true,
  });
  const listener = validatingListener(app, endpoints);

  return {
    listener,
    endpoints,
    authorities,
    catalogue: shared.catalogue,
    databaseUrl,
    watches,
    metrics: shared.metrics,
    reports,
    database,
    listDatabase,
    store,
    sql,
    logger,
    lines,
    audit,
    /** An agent whose requests carry a token with these authorities. */
    async as(authorities: readonly string[], subject?: string) {
      return request.agent(listener).set("Authorization", `Bearer ${await tokenOf(authorities, subject)}`);
    },
    anonymous: () => request(listener),
    async addUser(name: string, password: string, granted: readonly string[]) {
      await users.create({ name, passwordHash: await hashPassword(password), authorities: granted });
    },
    async countRows() {
      const [row] = await sql<{ reports: number; jobs: number }[]>`
        select (select count(*)::int from reports) as reports, (select count(*)::int from report_queue.jobs) as jobs`;
      return row!;
    },
    /** Runs a report to its end with these bytes as its file, as a worker would. */
    async succeed(id: string, content: string | Buffer, extension = "csv", fileName = `Proxies.${extension}`) {
      const running = await claim(reports, id);
      const bytes = Buffer.from(content);
      const path = join(folder, randomBytes(8).toString("hex"));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const contentType = extension === "csv" ? "text/csv; charset=utf-8" : "application/pdf";
      const storageKey = `reports/${id}/${running.attempt}.${extension}`;
      await writeFile(path, bytes);
      const { version } = await store.put({ key: storageKey, path, sizeBytes: bytes.length, sha256, contentType });
      return reports.complete(id, running.attempt, {
        file: {
          id: newId(),
          fileName,
          extension,
          contentType,
          sizeBytes: bytes.length,
          sha256,
          columns: ["name"],
          storageKey,
          storedVersion: version,
        },
        rowCount: 1,
        dataAsOf: new Date(),
        warnings: [],
        retentionMs: 60_000,
      });
    },
    async fail(id: string) {
      const { attempt } = await claim(reports, id);
      const failure = {
        code: "INVALID_DATA",
        detail: "A row cannot be shown.",
        retryable: false,
        spendsFailure: false,
      } as const;
      return reports.fail(id, attempt, failure);
    },
    /** Takes the file of a finished report away, as retention does. */
    async expire(id: string) {
      await sql`
        update reports set status = 'EXPIRED', file_id = null, file_name = null, file_extension = null, file_content_type = null,
          file_size_bytes = null, file_sha256 = null, file_columns = null, file_storage_key = null
        where id = ${id}`;
    },
    async [Symbol.asyncDispose]() {
      watches.close();
      await changes.close();
      await database.close();
      await listDatabase.close();
      await sql.end();
      await ownDatabase?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The API, as tests hold it. */
export type ApiUnderTest = Awaited<ReturnType<typeof startApiUnderTest>>;

async function claim(reports: ReportStore, id: string): Promise<Report> {
  const claimed = await reports.claim(id, { workerId: "test", leaseMs: 60_000 });
  if (claimed.kind !== "claimed") throw new Error(`The report ${id} cannot be claimed: ${claimed.kind}.`);
  return claimed.report;
}
