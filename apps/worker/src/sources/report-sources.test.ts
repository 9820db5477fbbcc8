import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtInReportTypes,
  createCatalogue,
  isTerminal,
  reportFormats,
  startInputFromBody,
  startReport,
  unguardedStarts,
  type Report,
} from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import { newId } from "@reports/runtime";
import {
  createFaultProxy,
  createTestDatabases,
  hasPgbouncer,
  installReportTypePackages,
  startPgbouncer,
  waitFor,
} from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { selectReportSources } from "./compose-report-sources.ts";
import { readWorkerConfig } from "../config.ts";
import { startWorkerProcesses } from "../test/worker-process.ts";

const empty = createTestDatabases({ migrate: async () => undefined, template: "empty" });

const shown = {
  name: ["text", "text"],
  tags: ["list", "text[]"],
  places: ["integer", "integer"],
  bytes: ["bigint", "bigint"],
  amount: ["decimal", "numeric"],
  paid: ["boolean", "boolean"],
  at: ["timestamp", "timestamptz"],
  due: ["date", "date"],
  reference: ["text", "uuid"],
} as const;

const definitionOf = (source: string) =>
  ({
    type: source.toUpperCase(),
    version: 1,
    title: source,
    columns: Object.entries(shown).map(([key, [kind]]) => ({ key, title: key, kind })),
    rows: {
      kind: "view",
      source,
      view: "shop.items",
      id: "id",
      columns: Object.fromEntries(Object.entries(shown).map(([key, [, type]]) => [key, { column: key, type }])),
    },
  }) as const;

const rows = `
  select 1 as id, 'Ada, "the"' as name, array['a b', 'c'] as tags, 7 as places, 9007199254740993 as bytes, 0.10::numeric(9, 2) as amount,
    true as paid, timestamptz '2026-10-25 00:30:00+00' as at, date '2026-02-28' as due, '018f0000-0000-7000-8000-000000000001'::uuid as reference
  union all select 2, null, '{}', null, null, null, null, null, null, null`;

async function makeShop() {
  const clone = await empty.cloneDatabase();
  const client = postgres(clone.url, { max: 1, onnotice: () => undefined });
  await client.unsafe(`create schema shop; create view shop.items as ${rows}`);
  await client.end();
  return clone;
}

const types = ["billing", "edge"].map((source) => ({ definition: definitionOf(source), authority: "SHOP" }));
const catalogue = createCatalogue(defineReportTypes(types).reportTypes.map(({ definition }) => definition));

test.concurrent("reports read views of other databases, and wait while their source is down", async () => {
  const folder = await mkdtemp(join(tmpdir(), "report-sources-"));
  await using packages = await installReportTypePackages({
    "shop-reports": `
      import { defineReportTypes } from "@reports/core/report-type";
      export default defineReportTypes(${JSON.stringify(types)});`,
  });
  await using billing = await makeShop();
  await using edge = await makeShop();
  const billingUrl = new URL(billing.url);
  await using proxy = await createFaultProxy({
    upstream: { host: billingUrl.hostname, port: Number(billingUrl.port) },
  });
  billingUrl.port = String(proxy.port);
  if (billingUrl.password === "") billingUrl.password = "canary-of-billing";
  const secret = join(folder, "edge-url");
  await writeFile(secret, `${edge.url}\n`);
  await chmod(secret, 0o600);
  await using processes = await startWorkerProcesses();
  const { reports, files } = processes;
  const worker = await processes.worker({
    REPORT_TYPES: "shop-reports",
    REPORT_TYPES_DIR: packages.directory,
    REPORT_SOURCES: "billing,edge",
    REPORT_SOURCE_BILLING_URL: billingUrl.href,
    REPORT_SOURCE_EDGE_URL_FILE: secret,
    REPORT_SOURCE_EDGE_ENGINE: "postgres",
  });
  const start = async (source: string, format: string): Promise<string> => {
    const type = source.toUpperCase();
    const options = { reportType: type, format, csvBom: false, timezone: "Europe/Berlin" };
    const input = startInputFromBody(catalogue.find(type)!, options, new Date());
    const context = { principalId: "basic:alice", coalesce: false, traceparent: null, requiredAuthority: null };
    return (await startReport({ reports, newId, ...unguardedStarts }, context, input)).report.id;
  };
  const ended = async (id: string): Promise<Report> =>
    waitFor(
      async () => {
        const found = await reports.find(id);
        return found !== null && isTerminal(found.status) && found;
      },
      { what: "the report to end" },
    );
  const read = async ({ file }: Report): Promise<Buffer> => {
    const { body } = await files.open(file!.storageKey);
    return Buffer.concat(await body.toArray());
  };

  const made = new Map<string, Report>();
  for (const format of reportFormats) made.set(format, await ended(await start("billing", format)));
  expect([...made.values()].map(({ status, rowCount }) => [status, rowCount])).toEqual(
    reportFormats.map(() => ["SUCCEEDED", 2]),
  );
  expect((await read(made.get("csv")!)).toString()).toBe(
    [
      "name,tags,places,bytes,amount,paid,at,due,reference",
      '"Ada, ""the""",a b; c,7,9007199254740993,0.10,true,2026-10-25T02:30:00+02:00,2026-02-28,018f0000-0000-7000-8000-000000000001',
      ',"",,,,,,,',
      "",
    ].join("\r\n"),
  );
  const [first] = (await read(made.get("ndjson")!)).toString().split("\n");
  expect(first).toBe(
    '{"name":"Ada, \\"the\\"","tags":["a b","c"],"places":7,"bytes":"9007199254740993","amount":"0.10","paid":true,"at":"2026-10-25T02:30:00+02:00","due":"2026-02-28","reference":"018f0000-0000-7000-8000-000000000001"}',
  );

  await proxy.set({ kind: "refuse" });
  proxy.cut();
  const waiting = await start("billing", "csv");
  // Delays the job until the source is back, because the next steps can take long on a busy machine. One statement checks and delays, because the
  // worker repeats the attempt after a short time.
  const delayed = await waitFor(
    async () => {
      const [report] = await processes.sql`
        update report_queue_quick._private_jobs job set run_at = now() + interval '1 hour' from reports report
        where report.id = ${waiting} and report.status = 'QUEUED' and report.attempt > 0 and job.locked_at is null
        returning report.attempt`;
      return report as { readonly attempt: number } | undefined;
    },
    { what: "the report of the unavailable source to be requeued" },
  );
  expect(await ended(await start("edge", "csv"))).toMatchObject({ status: "SUCCEEDED", failures: 0 });
  expect(await processes.find(waiting)).toMatchObject({ status: "QUEUED", failures: 0, error: null });
  const metrics = `${worker.origin()}/metrics`;
  const gauges = async (): Promise<string> => (await fetch(metrics)).text();
  const shown = await waitFor(
    async () => {
      const text = await gauges();
      return text.includes('report_source_unreachable{source="billing"} 1') && text;
    },
    { what: "the metric to show the source as unreachable" },
  );
  expect(shown).toContain('report_source_unreachable{source="edge"} 0');
  await expect.poll(gauges).toContain('report_type_unusable{type="BILLING",reason="SOURCE_UNREACHABLE"} 1');
  expect(worker.log()).not.toContain("canary-of-billing");

  await proxy.set({ kind: "none" });
  await processes.sql`update report_queue_quick._private_jobs set run_at = now()`;
  expect(await ended(waiting)).toMatchObject({
    status: "SUCCEEDED",
    attempt: delayed.attempt + 1,
    failures: 0,
    rowCount: 2,
  });

  // The column is removed after the worker has compared the view, so only the query of the report can notice it.
  const shop = postgres(edge.url, { max: 1, onnotice: () => undefined });
  await shop.unsafe(`drop view shop.items; create view shop.items as select id, name from (${rows}) items`);
  const mismatched = await start("edge", "csv");
  const [event] = await waitFor(
    async () => {
      const found =
        await processes.sql`select because from report_events where report_id = ${mismatched} and because is not null`;
      return found.length > 0 && found;
    },
    { what: "the report of the changed view to be requeued" },
  );
  expect(event!["because"]).toBe("TYPE_UNUSABLE");
  expect(await processes.find(mismatched)).toMatchObject({ failures: 0, error: null, file: null });
  await shop.end();
  await rm(folder, { recursive: true });
}, 180_000);

test(
  "a source that refuses the worker makes its types unusable and logs the reason",
  { timeout: 180_000 },
  async () => {
    await using packages = await installReportTypePackages({
      "shop-reports": `
      import { defineReportTypes } from "@reports/core/report-type";
      export default defineReportTypes(${JSON.stringify(types)});`,
    });
    await using edge = await makeShop();
    const billing = new URL("/no_such_database", edge.url);
    await using processes = await startWorkerProcesses();
    const worker = await processes.worker({
      REPORT_TYPES: "shop-reports",
      REPORT_TYPES_DIR: packages.directory,
      REPORT_SOURCES: "billing,edge",
      REPORT_SOURCE_BILLING_URL: billing.href,
      REPORT_SOURCE_EDGE_URL: edge.url,
    });
    const waiting = await processes.start("csv", catalogue.find("BILLING"));
    await processes.until(await processes.start("csv", catalogue.find("EDGE")), "SUCCEEDED");
    const causes = async () =>
      (await processes.sql`select because from report_events where report_id = ${waiting} and because is not null`).map(
        ({ because }) => because as string,
      );
    await waitFor(async () => (await causes()).includes("TYPE_UNUSABLE"), { what: "the report to be requeued" });
    expect(await processes.find(waiting)).toMatchObject({ status: "QUEUED", failures: 0, error: null });
    const gauges = async (): Promise<string> => (await fetch(`${worker.origin()}/metrics`)).text();
    await expect.poll(gauges).toContain('report_type_unusable{type="BILLING",reason="SOURCE_REFUSED"} 1');
    await worker.waitForLog('database \\"no_such_database\\" does not exist (3D000)');
  },
);

// Skipped only on machines without pgbouncer; CI fails without it.
test.skipIf(!hasPgbouncer())(
  "a worker refuses to start with a source behind a pooler that shares sessions",
  async () => {
    await using edge = await makeShop();
    await using pooler = await startPgbouncer({ databaseUrl: edge.url, settings: { pool_mode: "transaction" } });
    await using processes = await startWorkerProcesses();
    const environment = { REPORT_SOURCES: "edge", REPORT_SOURCE_EDGE_URL: pooler.url };
    await expect(processes.worker(environment)).rejects.toThrow(/REPORT_SOURCE_EDGE_URL: leads to a connection pooler/);
  },
  180_000,
);

test("a configuration that lacks a report type's source is refused", () => {
  const config = readWorkerConfig({ DATABASE_URL: "postgres://u@h/d", STORAGE_DIR: "/files" });
  expect(() => selectReportSources(config, [...builtInReportTypes, ...catalogue.list()])).toThrow(
    "The configuration has 2 problems:\n  - REPORT_SOURCES: must name billing, from which the report type BILLING reads\n  - REPORT_SOURCES: must name edge,",
  );
  expect(selectReportSources(config, builtInReportTypes)).toEqual({
    main: { url: "postgres://u@h/d", primaryUrl: "postgres://u@h/d", engine: "postgres" },
  });
});
