import { createCatalogue } from "@reports/core/report";
import { defineReportTypes } from "@reports/core/report-type";
import {
  createFaultProxy,
  createTestDatabases,
  installReportTypePackages,
  isFullTestRun,
  waitFor,
} from "@reports/testing";
import postgres from "postgres";
import { expect, test } from "vitest";
import { fastTimingsWithLongGrace, startWorkerProcesses } from "../test/worker-process.ts";

const emptyDatabases = createTestDatabases({ migrate: async () => undefined, template: "empty" });
const types = [
  {
    authority: "SHOP",
    definition: {
      type: "BILLING",
      version: 1,
      title: "Billing",
      columns: [{ key: "name", title: "Name", kind: "text" }],
      rows: {
        kind: "view",
        source: "billing",
        view: "items",
        id: "id",
        columns: { name: { column: "name", type: "text" } },
      },
    },
  },
] as const;
const definition = createCatalogue(defineReportTypes(types).reportTypes.map((each) => each.definition)).find(
  "BILLING",
)!;
const clocks = isFullTestRun ? "production" : fastTimingsWithLongGrace;

test("a worker that can't reach a source leaves its reports to other workers", { timeout: 300_000 }, async () => {
  await using packages = await installReportTypePackages({
    "shop-reports": `
    import { defineReportTypes } from "@reports/core/report-type";
    export default defineReportTypes(${JSON.stringify(types)});`,
  });
  await using shop = await emptyDatabases.cloneDatabase();
  const client = postgres(shop.url, { max: 1, onnotice: () => undefined });
  await client.unsafe("create view items as select 1 as id, 'Ada' as name");
  await client.end();
  const url = new URL(shop.url);
  await using proxy = await createFaultProxy({ upstream: { host: url.hostname, port: Number(url.port) } });
  url.port = String(proxy.port);
  const environment = {
    REPORT_TYPES: "shop-reports",
    REPORT_TYPES_DIR: packages.directory,
    REPORT_SOURCES: "billing",
  };
  await using processes = await startWorkerProcesses({ clocks });
  const cut = await processes.worker({ ...environment, REPORT_SOURCE_BILLING_URL: url.href });
  const sound = await processes.worker({ ...environment, REPORT_SOURCE_BILLING_URL: shop.url });
  const serves = async (isServed: boolean) =>
    waitFor(
      async () => {
        const rows = await processes.sql`
        select from worker_heartbeats where pid = ${cut.pid} and (served_types ? 'BILLING') = ${isServed}`;
        return rows.length === 1;
      },
      { what: `the heartbeat to say whether the type is served: ${isServed}`, timeoutMs: 60_000 },
    );
  await serves(true);
  await proxy.set({ kind: "refuse" });
  proxy.cut();
  await serves(false);
  const ids = [];
  for (let count = 0; count < 20; count++) ids.push(await processes.start("csv", definition));
  for (const id of ids) await processes.until(id, "SUCCEEDED");
  for (const id of ids) expect(await processes.find(id)).toMatchObject({ attempt: 1, failures: 0 });
  expect(await processes.claimsOf(cut)).toBe(0);
  await sound.stop();
  await processes.until(await processes.start(), "SUCCEEDED");

  const id = await processes.start("csv", definition);
  const isTried = async () => (await processes.find(id)).attempt > 0;
  await waitFor(isTried, { what: "the report to be tried", timeoutMs: 60_000 });
  expect(await processes.find(id)).toMatchObject({ failures: 0, error: null });
  await proxy.set({ kind: "none" });
  await serves(true);
  await processes.sql`select enqueue_reports(array[${id}]::uuid[], 0, 0)`;
  await processes.until(id, "SUCCEEDED");
});
