import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashPassword, builtInTypeAuthorities } from "@reports/auth";
import {
  builtInRegistrations,
  type RegisteredReportType,
  type NewRowSnapshot,
  type Report,
  type ReportStore,
} from "@reports/core/report";
import type { FileStore, StoreIdentity, StoreState } from "@reports/core/base";
import { createReportChangeFeed, createReportStore, createUserStore, migrateDatabase } from "@reports/db";
import type { ReportChangeFeedOptions } from "@reports/db";
import { createLogger, createMetrics, newId, noopTracer, systemClock } from "@reports/runtime";
import type { HealthCheck, Metrics, Tracer } from "@reports/runtime";
import { createFileSystemStore } from "@reports/storage";
import { createTestDatabases, unrestrictedClaimTerms } from "@reports/testing";
import { selectReportTypeEnvironment } from "@reports/type-loader";
import { SignJWT } from "jose";
import postgres from "postgres";
import request from "supertest";
import { productionApiTimings, type ApiTimings } from "../clocks.ts";
import { composeDatabases } from "../compose-databases.ts";
import { composeApiListener, type ApiListenerOverrides } from "../compose-api-listener.ts";
import { composePreviewReader } from "../compose-preview-deps.ts";
import type { ConsoleSite } from "../console/console-site.ts";
import { createAuditLog } from "../middleware/audit.ts";
import {
  createTestApiConfig,
  testJwtSecret,
  neverReachedDeadlineMs,
  type TestApiConfigOptions,
} from "./config-under-test.ts";
import { startListenerUnderTest } from "./event-stream-reader.ts";
import { countReportsAndJobs, removeTestRecords } from "./test-records.ts";
import { createValidatingListener } from "./validate-responses.ts";

const migrate = async (databaseUrl: string) => migrateDatabase({ databaseUrl });
const databases = createTestDatabases({ migrate });
const databasesWithoutOthers = createTestDatabases({ migrate, otherOwners: false });

/** With the limits of production, a check or a metric would be missing if the machine was busy for two seconds. */
const patientClocks = { filterValuesMs: neverReachedDeadlineMs, healthCheckMs: neverReachedDeadlineMs };
const createPatientMetrics = () =>
  createMetrics(
    undefined,
    { okMs: 1_000, failureMs: 1_000, timeoutMs: neverReachedDeadlineMs },
    neverReachedDeadlineMs,
  );

export interface ApiUnderTestOptions
  extends TestApiConfigOptions, Omit<ApiListenerOverrides, "refusals" | "checkResponses"> {
  readonly reportTypes?: readonly RegisteredReportType[];
  readonly clocks?: Partial<ApiTimings>;
  readonly checks?: Readonly<Record<string, HealthCheck>>;
  readonly changes?: Partial<ReportChangeFeedOptions>;
  /** Connection URL of another instance's database, so that both instances share it. Default: a new database. */
  readonly databaseUrl?: string;
  /** Whether the database contains records of other owners before the test. Default: true. */
  readonly otherOwners?: boolean;
  /** Returns the connection URL that the API uses. Default: that of the owner of the tables, who has all rights. */
  readonly apiDatabaseUrl?: (ownerUrl: string) => Promise<string>;
  readonly store?: FileStore;
  readonly wrapFiles?: (files: FileStore) => FileStore;
  /** Checks that the file store belongs to the database. By default, it always succeeds. */
  readonly identity?: Pick<StoreIdentity, "assert">;
  readonly storeState?: () => StoreState;
  readonly traces?: Tracer;
  readonly metrics?: Metrics;
  readonly console?: ConsoleSite;
}

/** Returns a bearer token with these authorities, of the issuer `https://issuer.example`. */
export async function createTestToken(
  authorities: readonly string[],
  subject = "alice",
  name?: string,
): Promise<string> {
  return new SignJWT({ authorities, name })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(subject)
    .setIssuer("https://issuer.example")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(testJwtSecret));
}

export const builtInReportAuthorities: readonly string[] = Object.values(builtInTypeAuthorities);

/** Starts an API in this process, composed as in production. All its responses are validated against the OpenAPI document. */
export async function startApiUnderTest(options: ApiUnderTestOptions = {}) {
  const ownDatabase =
    options.databaseUrl === undefined
      ? await (options.otherOwners === false ? databasesWithoutOthers : databases).cloneDatabase()
      : undefined;
  const databaseUrl = options.databaseUrl ?? ownDatabase!.url;
  const folder = await mkdtemp(join(tmpdir(), "api-under-test-"));
  const apiUrl = (await options.apiDatabaseUrl?.(databaseUrl)) ?? databaseUrl;
  const config = createTestApiConfig(apiUrl, options);
  const apiDatabases = composeDatabases(config);
  const { database, listDatabase } = apiDatabases;
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  const store: FileStore = options.store ?? createFileSystemStore({ directory: join(folder, "files") });
  const reports = createReportStore(database);
  const users = createUserStore(database);
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: "api",
    level: "debug",
    destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  const metrics = options.metrics ?? createPatientMetrics();
  const audit = createAuditLog({ logger });
  const changes = createReportChangeFeed({ url: apiUrl, database, ...options.changes });
  const reportTypes = options.reportTypes ?? builtInRegistrations.reportTypes;
  const gateway = composeApiListener(
    config,
    {
      ...apiDatabases,
      previews: composePreviewReader(
        config,
        apiDatabases.previews,
        selectReportTypeEnvironment(process.env, "TYPES_"),
        logger,
      ),
      clock: systemClock,
      clocks: { ...productionApiTimings, ...patientClocks, ...options.clocks },
      files: options.wrapFiles?.(store) ?? store,
      identity: { assert: async () => undefined, ...options.identity, state: options.storeState ?? (() => "ok") },
      changes,
      reportTypes,
      console: options.console ?? null,
      checks: options.checks ?? { database: async () => database.check() },
      audit,
      logger,
      metrics,
      traces: options.traces ?? noopTracer,
    },
    { ...options, ...(options.limits?.refusals && { refusals: options.limits.refusals }), checkResponses: true },
  );
  const { endpoints, authorities, catalogue, watches } = gateway;
  watches.start();
  const listener = createValidatingListener(gateway.listener, endpoints, [reportTypes, options.collections]);
  const served = await startListenerUnderTest(listener);
  const storeRowSnapshot = async ({ id, attempt }: Report): Promise<NewRowSnapshot> => {
    const path = join(folder, randomBytes(8).toString("hex"));
    await writeFile(path, "rows");
    const bytes = { sizeBytes: 4, sha256: createHash("sha256").update("rows").digest("hex") };
    const key = `reports/${id}/${attempt}-0123456789ab.rows.zst`;
    const { version } = await store.put({ key, path, ...bytes, contentType: "application/zstd" });
    return { id: newId(), file: { ...bytes, storageKey: key, storedVersion: version }, dataSha256: "d".repeat(64) };
  };

  return {
    listener,
    /** supertest gets a listening server, because for a listener it would start a new server per request. */
    server: served.server,
    endpoints,
    authorities,
    catalogue,
    databaseUrl,
    watches,
    metrics,
    reports,
    database,
    listDatabase,
    store,
    sql,
    logger,
    lines,
    audit,
    async as(authorities: readonly string[], subject?: string, name?: string) {
      return request
        .agent(served.server)
        .set("Authorization", `Bearer ${await createTestToken(authorities, subject, name)}`);
    },
    anonymous: () => request(served.server),
    async addUser(name: string, password: string, granted: readonly string[]) {
      await users.create({ name, passwordHash: await hashPassword(password), authorities: granted });
    },
    countRows: async () => countReportsAndJobs(sql),
    removeRows: async () => removeTestRecords(sql),
    async succeed(id: string, content: string | Buffer, extension = "csv", fileName = `Proxies.${extension}`) {
      const running = await claimReport(reports, id);
      const bytes = Buffer.from(content);
      const path = join(folder, randomBytes(8).toString("hex"));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const contentType = extension === "csv" ? "text/csv; charset=utf-8" : "application/pdf";
      const storageKey = `reports/${id}/${running.attempt}.${extension}`;
      await writeFile(path, bytes);
      const { version } = await store.put({ key: storageKey, path, sizeBytes: bytes.length, sha256, contentType });
      const keptRows = running.options.keepRows ? await storeRowSnapshot(running) : null;
      return reports.complete(id, running.attempt, {
        keptRows,
        file: {
          // A worker stores the file of an additional format under the ID of the format's record. So does this test.
          id: running.fileOf === null ? newId() : running.id,
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
    rowSnapshotKey: async (id: string) => (await reports.findKeptRows(id))!.storageKey,
    async fail(id: string) {
      const { attempt } = await claimReport(reports, id);
      const failure = {
        code: "INVALID_DATA",
        detail: "A row cannot be shown.",
        retryable: false,
        spendsFailure: false,
      } as const;
      return reports.fail(id, attempt, failure);
    },
    async expire(id: string) {
      await sql`
        update reports set status = 'EXPIRED', file_id = null, file_name = null, file_extension = null, file_content_type = null,
          file_size_bytes = null, file_sha256 = null, file_columns = null, file_storage_key = null
        where id = ${id}`;
    },
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      // Its timer would keep the API in memory for a minute.
      audit.flush();
      watches.close();
      await changes.close();
      await apiDatabases.close();
      await sql.end();
      await ownDatabase?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type ApiUnderTest = Awaited<ReturnType<typeof startApiUnderTest>>;

async function claimReport(reports: ReportStore, id: string): Promise<Report> {
  const claimed = await reports.claim(id, { workerId: "test", leaseMs: 60_000, ...unrestrictedClaimTerms });
  if (claimed.kind !== "claimed") throw new Error(`The report ${id} cannot be claimed: ${claimed.kind}.`);
  return claimed.report;
}
