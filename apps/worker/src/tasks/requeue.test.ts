import {
  builtInReportTypes,
  createCatalogue,
  omitColumnsAddedAfter,
  type ReportTypeDefinition,
  type WorkerRegistration,
} from "@reports/core/report";
import { HostFailureError, PermanentReportError, ReportNotServedError } from "@reports/core/base";
import { createDatabase, createWorkerRegistry, readRequeuedCounts } from "@reports/db";
import { createLogger, createMetrics, noopTracer } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import type { JobHelpers } from "graphile-worker";
import { describe, expect, it, onTestFinished } from "vitest";
import { createReportMetrics } from "./report-metrics.ts";
import { startWorkerUnderTest, type WorkerUnderTestOptions } from "../test/worker-under-test.ts";
import { registerReportTypeMetrics } from "../report-types/type-metrics.ts";
import { createRunReportTask } from "./run-report.ts";

const [proxy] = builtInReportTypes as readonly [ReportTypeDefinition];
const proxyDomain = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
const crew: ReportTypeDefinition = { ...proxy, type: "CREW" };

const newer: Readonly<
  Record<string, { readonly definition: ReportTypeDefinition; readonly body?: object; readonly because: string }>
> = {
  "a type": { definition: crew, because: "TYPE_UNKNOWN" },
  "a version of a type": { definition: { ...proxy, version: proxy.version + 1 }, because: "VERSION_UNKNOWN" },
  "a filter": {
    definition: { ...proxy, filters: [...proxy.filters, { ...proxy.filters[1]!, name: "rack" }] },
    body: { searchParam: { rack: "a" } },
    because: "FILTER_UNKNOWN",
  },
  "a column": {
    definition: { ...proxy, columns: [...proxy.columns, { ...proxy.columns[0]!, key: "rack" }] },
    body: { columns: ["name", "rack"] },
    because: "COLUMN_UNKNOWN",
  },
  "a column to sort by": {
    definition: { ...proxy, columns: [...proxy.columns, { ...proxy.columns[0]!, key: "rack" }] },
    body: { columns: ["name"], sort: ["rack"] },
    because: "COLUMN_UNKNOWN",
  },
};

async function startWorker(options: WorkerUnderTestOptions) {
  const worker = await startWorkerUnderTest(options);
  const database = createDatabase({ url: worker.databaseUrl, max: 1 });
  onTestFinished(async () => {
    await database.close();
    await worker[Symbol.asyncDispose]();
  });
  return {
    ...worker,
    database,
    registry: createWorkerRegistry(database),
    jobs: async () =>
      worker.sql<{ delay: number }[]>`
        select extract(epoch from run_at - updated_at)::float as delay from report_queue_quick._private_jobs where key is not null order by id`,
    events: async (id: string) =>
      (await worker.reports.listEvents(id)).map(({ from, to, because }) => [from, to, because]),
  };
}

describe("a report that this worker does not serve", () => {
  it.each(Object.entries(newer))(
    "a report with %s unknown to the worker stays queued with the reason",
    async (_, { definition, body, because }) => {
      const worker = await startWorker({ startableTypes: [definition] });
      const { id } = await worker.start({ reportType: definition.type, format: "csv", ...body });
      expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because });
      expect(await worker.find(id)).toMatchObject({ status: "QUEUED", attempt: 0, failures: 0, startedAt: null });
      expect(await worker.events(id)).toEqual([
        [null, "QUEUED", null],
        ["QUEUED", "QUEUED", because],
      ]);
    },
  );

  it("a report of an earlier version of its type gets the columns of its start", async () => {
    const worker = await startWorker({ demoData: true, startableTypes: [omitColumnsAddedAfter(proxyDomain, 1)] });
    const { id, definitionVersion } = await worker.start({ reportType: proxyDomain.type, format: "csv" });
    expect([definitionVersion, await worker.run(id)]).toMatchObject([1, { kind: "succeeded" }]);
    const [header] = (await worker.readFile(await worker.find(id))).toString().split("\r\n", 1);
    expect(header!.replace("\uFEFF", "").split(",")).toEqual(
      proxyDomain.columns.map(({ key }) => key).filter((key) => key !== "proxyOwnerTeam"),
    );
  });

  it("a report with an unknown option stays queued, and fails after six hours", async () => {
    const worker = await startWorker({});
    const { id } = await worker.start({ reportType: proxy.type, format: "csv" });
    await worker.sql`update reports set options = options || '{"watermark": "draft"}' where id = ${id}`;
    expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because: "VERSION_UNKNOWN" });
    expect(await worker.find(id)).toMatchObject({ status: "QUEUED", attempt: 0, unknownOptions: ["watermark"] });
    await worker.sql`update reports set first_handed_back_at = now() - interval '6 h' where id = ${id}`;
    await worker.run(id);
    expect(await worker.find(id)).toMatchObject({
      status: "FAILED",
      file: null,
      error: { code: "UNKNOWN_REPORT_TYPE" },
    });
  });

  it("a report's requeues wait 10, 30, 60, then 120 s; only the first adds an event", async () => {
    const worker = await startWorker({
      startableTypes: [crew],
      wrapDeps: (deps) => ({ ...deps, retryPace: { ...deps.retryPace, random: () => 0.5 } }),
    });
    const { id } = await worker.start({ reportType: "CREW", format: "csv" });
    const { revision } = await worker.find(id);
    const delays = [];
    for (let time = 1; time <= 5; time++) {
      await worker.run(id);
      const [job, ...others] = await worker.jobs();
      expect(others).toEqual([]);
      delays.push(job!.delay);
    }
    expect(delays).toEqual([10, 30, 60, 120, 120]);
    expect(await worker.events(id)).toHaveLength(2);
    expect((await worker.find(id)).revision).toBe(revision + 1);
    expect(await worker.sql`select lane, losses from reports where id = ${id}`).toEqual([{ lane: "quick", losses: 0 }]);
  });

  it("the requeue delay is a tenth while another running worker serves the report", async () => {
    const worker = await startWorker({ startableTypes: [{ ...crew, version: 2 }] });
    const other = {
      workerId: "other",
      host: "h",
      pid: 1,
      version: "1",
      lanes: ["quick"],
      servedTypes: { CREW: 2 },
      webhookKeys: [],
    };
    const delayNextTo = async (found: WorkerRegistration, more: string = ""): Promise<number> => {
      await worker.registry.heartbeat(found, []);
      if (more !== "") await worker.sql.unsafe(`update worker_heartbeats set ${more}`);
      const { id } = await worker.start({ reportType: "CREW", format: "csv" });
      const outcome = await worker.run(id);
      await worker.registry.remove(found.workerId);
      return outcome.kind === "handed-back" ? outcome.delayMs : Number.NaN;
    };
    expect(await delayNextTo(other)).toBeLessThanOrEqual(1_200);
    const helpless: readonly (readonly [WorkerRegistration, string?])[] = [
      [{ ...other, servedTypes: { CREW: 1, PROXY: 5 } }],
      [{ ...other, lanes: ["bulk"] }],
      [{ ...other, workerId: worker.deps.workerId }],
      [other, "stopping_at = now()"],
      [other, "beat_at = now() - interval '30 s'"],
      // The row of a worker of an earlier version lacks this column.
      [other, "served_types = null"],
    ];
    for (const peer of helpless) expect(await delayNextTo(...peer)).toBeGreaterThanOrEqual(8_000);
  });

  it("a requeued report runs as its first attempt on a worker that serves it", async () => {
    let isUpgraded = false;
    const catalogue = createCatalogue([crew]);
    const worker = await startWorker({
      demoData: true,
      startableTypes: [crew],
      wrapDeps: (deps) => ({
        ...deps,
        catalogue: { find: (type) => (isUpgraded ? catalogue : deps.catalogue).find(type) },
        render: async (request, context) => deps.render({ ...request, reportType: "PROXY" }, context),
      }),
    });
    const { id } = await worker.start({ reportType: "CREW", format: "csv" });
    await worker.run(id);
    isUpgraded = true;
    expect((await worker.run(id)).kind).toBe("succeeded");
    expect(await worker.find(id)).toMatchObject({ status: "SUCCEEDED", attempt: 1, failures: 0, rowCount: 12 });
    expect(await worker.sql`select handed_back_because from reports where id = ${id}`).toEqual([
      { handed_back_because: null },
    ]);
  });

  it("a report fails six hours after its first requeue and says what to do", async () => {
    const worker = await startWorker({ startableTypes: [crew] });
    const { id } = await worker.start({ reportType: "CREW", format: "csv" });
    await worker.sql`update reports set created_at = now() - interval '7 h' where requested_by = 'basic:alice'`;
    expect((await worker.run(id)).kind).toBe("handed-back");
    await worker.sql`update reports set first_handed_back_at = now() - interval '359 min' where requested_by = 'basic:alice'`;
    expect((await worker.run(id)).kind).toBe("handed-back");
    await worker.sql`update reports set first_handed_back_at = now() - interval '6 h' where requested_by = 'basic:alice'`;
    expect((await worker.run(id)).kind).toBe("failed");
    expect(await worker.find(id)).toMatchObject({
      status: "FAILED",
      failures: 0,
      error: {
        code: "UNKNOWN_REPORT_TYPE",
        detail:
          "For six hours no worker knew the report type CREW. Ask the platform team to deploy workers with the same version and report types as the API (metric report_types_unserved), then start the report again.",
        retryable: true,
      },
    });
  });

  it("a worker logs each cause of requeues once, and counts each requeue", async () => {
    const worker = await startWorker({ startableTypes: [crew, { ...proxy, version: proxy.version + 1 }] });
    const metrics = createMetrics();
    registerReportTypeMetrics(metrics, {
      reasons: () => new Map([["INVOICE", "VIEW_MISSING"]]),
      awaiting: async () => worker.database.query(readRequeuedCounts),
    });
    const lines: string[] = [];
    const logger = createLogger({ name: "worker", level: "info", destination: { write: (line) => lines.push(line) } });
    const task = createRunReportTask({
      ...worker.deps,
      logger,
      metrics: createReportMetrics(metrics, []),
      traces: noopTracer,
      requeueSignal: new AbortController().signal,
      gate: { run: async (_, work) => work() },
      lane: "quick",
    });
    for (const reportType of ["CREW", "CREW", "PROXY"]) {
      const { id } = await worker.start({ reportType, format: "csv" });
      await task({ reportId: id }, {} as JobHelpers);
    }
    expect(lines.map((line) => JSON.parse(line)).map(({ level, because }) => [level, because])).toEqual([
      ["warn", "TYPE_UNKNOWN"],
      ["warn", "VERSION_UNKNOWN"],
    ]);
    // The gauge is missing if the database answers late.
    const body = await waitFor(
      async () => {
        const rendered = await metrics.render();
        return rendered.body.includes("reports_awaiting_worker{") && rendered.body;
      },
      { what: "the number of requeued reports" },
    );
    expect(body).toContain('reports_handed_back_total{type="CREW",cause="TYPE_UNKNOWN"} 2');
    expect(body).not.toContain("report_attempts_total{");
    expect(body).toContain('reports_awaiting_worker{type="CREW",cause="TYPE_UNKNOWN"} 2');
    expect(body).toContain('report_type_unusable{type="INVOICE",reason="VIEW_MISSING"} 1');
  });
});

it("a report of an earlier version runs with the current definition", async () => {
  const worker = await startWorker({
    reportTypes: [{ ...proxy, version: proxy.version + 1 }],
    startableTypes: [proxy],
  });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
  expect((await worker.run(id)).kind).toBe("succeeded");
});

it("a report whose type is unusable waits until it is usable, or fails after 6 h", async () => {
  let reason: string | null = "column-missing";
  const worker = await startWorker({
    startableTypes: [{ ...proxy, version: proxy.version + 1 }],
    reportTypes: [{ ...proxy, version: proxy.version + 1 }],
    wrapDeps: (deps) => ({ ...deps, availability: { refusalOf: () => reason, isUnreachable: () => false } }),
  });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
  expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because: "TYPE_UNUSABLE" });
  await worker.sql`update reports set first_handed_back_at = now() - interval '6 h' where requested_by = 'basic:alice'`;
  const { id: second } = await worker.start({ reportType: "PROXY", format: "csv" });
  await worker.run(second);
  expect(await worker.run(id)).toMatchObject({
    kind: "failed",
    report: { error: { code: "DEPENDENCY_UNAVAILABLE", retryable: true } },
  });
  reason = null;
  expect((await worker.run(second)).kind).toBe("succeeded");
  expect(await worker.find(second)).toMatchObject({ attempt: 1, failures: 0 });
});

it("a report that only the renderer does not know is requeued too", async () => {
  const worker = await startWorker({
    wrapRender: () => async () => {
      throw new ReportNotServedError("COLUMN_UNKNOWN", "The renderer lacks it.");
    },
  });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
  expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because: "COLUMN_UNKNOWN" });
  expect(await worker.run(id)).toMatchObject({ kind: "handed-back" });
  expect(await worker.find(id)).toMatchObject({ status: "QUEUED", attempt: 2, failures: 0 });
  expect((await worker.events(id)).slice(-2)).toEqual([
    ["QUEUED", "RUNNING", null],
    ["RUNNING", "QUEUED", "COLUMN_UNKNOWN"],
  ]);
  const [job] = await worker.jobs();
  expect(job!.delay).toBeGreaterThanOrEqual(24);
  await worker.sql`update reports set first_handed_back_at = now() - interval '6 h' where requested_by = 'basic:alice'`;
  expect(await worker.run(id)).toMatchObject({ kind: "failed", report: { error: { code: "UNKNOWN_REPORT_TYPE" } } });
});

it("a report whose host fails is requeued without a counted failure, up to six hours", async () => {
  const worker = await startWorker({
    wrapDeps: (deps) => ({ ...deps, retryPace: { ...deps.retryPace, random: () => 0.5 } }),
    wrapRender: () => async () => {
      throw new HostFailureError("spool", "EIO");
    },
  });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
  const delays = [];
  for (let time = 1; time <= 5; time++) {
    expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because: "WORKER_IMPAIRED" });
    const [job] = await worker.jobs();
    delays.push(job!.delay);
  }
  expect(delays).toEqual([1, 3, 6, 12, 12]);
  expect(await worker.find(id)).toMatchObject({ status: "QUEUED", failures: 0 });
  await worker.sql`update reports set first_handed_back_at = now() - interval '6 h' where requested_by = 'basic:alice'`;
  expect(await worker.run(id)).toMatchObject({
    kind: "failed",
    report: { failures: 0, error: { code: "DEPENDENCY_UNAVAILABLE", retryable: true } },
  });
});

it("a worker whose host is broken refuses a report before it claims it", async () => {
  const host = { check: async () => undefined, refusal: () => "The scratch disk is broken.", spoolBytes: () => 1 };
  const worker = await startWorker({ wrapDeps: (deps) => ({ ...deps, host }) });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
  expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because: "WORKER_IMPAIRED" });
  expect(await worker.find(id)).toMatchObject({ status: "QUEUED", attempt: 0, failures: 0 });
});

describe("a report that needs a larger spool than this worker has", () => {
  const larger = {
    workerId: "other",
    host: "h",
    pid: 1,
    version: "1",
    lanes: ["quick"],
    servedTypes: { PROXY: 9 },
    webhookKeys: [],
  };
  const open = async () =>
    startWorker({
      wrapDeps: (deps) => ({ ...deps, host: { ...deps.host, spoolBytes: () => 1_000 } }),
      wrapRender: () => async () => {
        throw new PermanentReportError("SPOOL_LIMIT_EXCEEDED", "too large");
      },
    });

  it("a report that needs a larger spool waits for another worker, at least 15 minutes", async () => {
    const worker = await open();
    await worker.registry.heartbeat({ ...larger, spoolBytes: 1_001 }, []);
    const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
    for (let time = 1; time <= 3; time++)
      expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because: "SPOOL_TOO_SMALL" });
    expect(await worker.find(id)).toMatchObject({ status: "QUEUED", attempt: 1, failures: 0 });
    await worker.registry.remove("other");
    // The report waits although no worker has a larger spool now, because one may be restarting.
    expect(await worker.run(id)).toMatchObject({ kind: "handed-back", because: "SPOOL_TOO_SMALL" });
    await worker.sql`update reports set first_handed_back_at = now() - interval '15 min' where requested_by = 'basic:alice'`;
    expect(await worker.run(id)).toMatchObject({ kind: "failed", report: { error: { code: "SPOOL_LIMIT_EXCEEDED" } } });
  });

  it.each([
    ["has a spool of the same size", { spoolBytes: 1_000 }, ""],
    ["does not report its spool size", {}, ""],
    ["serves another lane", { spoolBytes: 2_000, lanes: ["bulk"] }, ""],
    ["serves other types", { spoolBytes: 2_000, servedTypes: {} }, ""],
    ["stops", { spoolBytes: 2_000 }, "stopping_at = now()"],
    ["is dead", { spoolBytes: 2_000 }, "beat_at = now() - interval '30 s'"],
  ])("a report that needs a larger spool fails if the only other worker %s", async (_, change, more) => {
    const worker = await open();
    await worker.registry.heartbeat({ ...larger, ...change }, []);
    if (more !== "") await worker.sql.unsafe(`update worker_heartbeats set ${more}`);
    const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
    expect(await worker.run(id)).toMatchObject({ kind: "failed", report: { error: { code: "SPOOL_LIMIT_EXCEEDED" } } });
  });

  it("a report that needs a larger spool fails after six hours if none runs it", async () => {
    const worker = await open();
    await worker.registry.heartbeat({ ...larger, spoolBytes: 1_001 }, []);
    const { id } = await worker.start({ reportType: "PROXY", format: "csv" });
    await worker.run(id);
    await worker.sql`update reports set first_handed_back_at = now() - interval '6 h' where requested_by = 'basic:alice'`;
    expect(await worker.run(id)).toMatchObject({ kind: "failed", report: { error: { code: "SPOOL_LIMIT_EXCEEDED" } } });
  });
});
