import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtInReportTypes, type Render, type Report } from "@reports/core/report";
import { FencedOutError } from "@reports/core/base";
import { afterAll, describe, expect, it } from "vitest";
import { mountSmallDisk } from "@reports/testing";
import { startWorkerUnderTest, type WorkerUnderTest } from "../test/worker-under-test.ts";

async function keepRows(worker: WorkerUnderTest): Promise<Report> {
  const { id } = await worker.start({
    reportType: "PROXY_DOMAIN",
    format: "csv",
    columns: ["hostname"],
    keepRows: true,
  });
  expect(await worker.run(id)).toMatchObject({ kind: "succeeded" });
  return worker.find(id);
}

const findFile = async (worker: WorkerUnderTest, report: Report, { id }: Report): Promise<Report> =>
  (await worker.reports.findFile(report.id, id))!;
const stored = async (worker: WorkerUnderTest): Promise<readonly string[]> =>
  (await worker.leftovers())
    .filter((key) => key.startsWith("reports/"))
    .toSorted((one, other) => one.localeCompare(other));
const listed = async (worker: WorkerUnderTest): Promise<readonly string[]> => {
  const rows = await worker.sql<{ key: string }[]>`select storage_key as key from file_removals`;
  return rows.map(({ key }) => key).toSorted((one, other) => one.localeCompare(other));
};

it("an additional format is made from the row snapshot and expires with its report", async () => {
  await using worker = await startWorkerUnderTest({ demoData: true });
  const report = await keepRows(worker);
  await worker.sql`delete from domains`;
  const asked = await worker.addFile(report, { format: "json", columns: ["hostname", "severity"] });
  expect(await worker.run(asked.id)).toMatchObject({ kind: "succeeded" });
  const file = await findFile(worker, report, asked);
  expect(file).toMatchObject({ status: "SUCCEEDED", requestedBy: "basic:bob", rowCount: 200, dataSha256: null });
  expect([file.expiresAt, file.dataAsOf]).toEqual([report.expiresAt, report.dataAsOf]);
  expect(file.file).toMatchObject({
    id: file.id,
    columns: ["hostname", "severity"],
    fileName: report.file!.fileName.replace(/csv$/, "json"),
  });
  const { report: facts } = JSON.parse((await worker.readFile(file)).toString()) as { report: Record<string, string> };
  expect(facts).toMatchObject({ requestedBy: "basic:alice", createdAt: report.createdAt.toISOString() });
  expect(await worker.leftovers()).toHaveLength(3);
});

it("the renderer gets the requester's name for a report and an additional format", async () => {
  const drawn: (string | null)[][] = [];
  const wrapRender =
    (render: Render): Render =>
    async (request, context) => {
      drawn.push([request.requestedBy, request.requesterName]);
      return render(request, context);
    };
  await using worker = await startWorkerUnderTest({ demoData: true, wrapRender });
  const ann = { principalId: "https://issuer.example|5f7c8ec7", principalName: "Ann Example" };
  const { id } = await worker.start({ reportType: "PROXY", format: "csv", keepRows: true }, ann);
  await worker.run(id);
  const file = await worker.addFile(await worker.find(id), { format: "json" });
  await worker.run(file.id);
  expect(drawn).toEqual([
    [ann.principalId, ann.principalName],
    [ann.principalId, ann.principalName],
  ]);
  expect(await worker.sql`select id from reports where requester_name is not null`).toEqual([{ id }]);
});

it("a report deleted while an additional format runs leaves no file of either", async () => {
  let onRendered = async (): Promise<void> => undefined;
  const wrapRender =
    (render: Render): Render =>
    async (request, context) => {
      const result = await render(request, context);
      await onRendered();
      return result;
    };
  await using worker = await startWorkerUnderTest({ demoData: true, wrapRender, limits: { heartbeatMs: 60_000 } });
  const report = await keepRows(worker);
  const { id } = await worker.addFile(report, { format: "xlsx" });
  onRendered = async () => void (await worker.reports.remove(report.id, "basic:alice"));
  await expect(worker.run(id)).rejects.toBeInstanceOf(FencedOutError);
  // Retention removes the files that the deleted record named. The attempt has already removed those that it stored.
  const due = await listed(worker);
  expect(await stored(worker)).toEqual(due);
  expect((await worker.leftovers()).length).toBe(due.length);
});

it("an additional format whose report expires meanwhile is cancelled and has no file", async () => {
  let onRendered = async (): Promise<void> => undefined;
  const wrapRender =
    (render: Render): Render =>
    async (request, context) => {
      const result = await render(request, context);
      await onRendered();
      return result;
    };
  await using worker = await startWorkerUnderTest({ demoData: true, wrapRender, limits: { heartbeatMs: 60_000 } });
  const report = await keepRows(worker);
  const asked = await worker.addFile(report, { format: "ndjson" });
  onRendered = async () => {
    await worker.sql`update reports set expires_at = now() - interval '1 s' where ${report.id} in (id, file_of)`;
    await worker.retention.expire(10);
  };
  await expect(worker.run(asked.id)).rejects.toBeInstanceOf(FencedOutError);
  expect(await findFile(worker, report, asked)).toMatchObject({ status: "CANCELLED", file: null });
  expect((await worker.find(report.id)).status).toBe("EXPIRED");
  const due = await listed(worker);
  expect(due).toHaveLength(2);
  expect(await stored(worker)).toEqual(due);
});

it.each([
  ["lost", async (worker: WorkerUnderTest, key: string) => worker.files.remove(key)],
  ["replaced", async (worker: WorkerUnderTest, key: string) => worker.overwrite(key, "something else")],
])("an additional format whose row snapshot was %s fails with ROWS_LOST", async (_, harm) => {
  await using worker = await startWorkerUnderTest({ demoData: true });
  const report = await keepRows(worker);
  const asked = await worker.addFile(report, { format: "csv" });
  const { storageKey } = (await worker.reports.findKeptRows(report.id))!;
  await harm(worker, storageKey);
  expect(await worker.run(asked.id)).toMatchObject({ kind: "failed" });
  expect((await findFile(worker, report, asked)).error).toMatchObject({ code: "ROWS_LOST", retryable: false });
});

it("an additional format whose row snapshot is gone fails before it renders", async () => {
  await using worker = await startWorkerUnderTest({ demoData: true });
  const report = await keepRows(worker);
  const asked = await worker.addFile(report, { format: "csv" });
  await worker.sql`update reports set status = 'CANCELLED', file_id = null, file_name = null, file_extension = null, file_content_type = null,
    file_size_bytes = null, file_sha256 = null, file_columns = null, file_storage_key = null where holds_rows`;
  await worker.run(asked.id);
  expect((await findFile(worker, report, asked)).error).toMatchObject({ code: "ROWS_LOST" });
});

it("an attempt that can't store its file removes the row snapshot that it stored", async () => {
  let puts = 0;
  await using worker = await startWorkerUnderTest({
    demoData: true,
    wrapDeps: (deps) => ({
      ...deps,
      files: {
        ...deps.files,
        put: async (file) => {
          puts += 1;
          if (puts === 2) throw new Error("not this one");
          return deps.files.put(file);
        },
      },
    }),
  });
  const { id } = await worker.start({ reportType: "PROXY", format: "csv", keepRows: true });
  expect(await worker.run(id)).toMatchObject({ kind: "requeued" });
  expect(await worker.leftovers()).toEqual([]);
  expect(await worker.run(id)).toMatchObject({ kind: "succeeded" });
  expect(await worker.leftovers()).toHaveLength(2);
});

it("after the loss of its worker, another attempt makes the additional format", async () => {
  await using worker = await startWorkerUnderTest({ demoData: true });
  const report = await keepRows(worker);
  const asked = await worker.addFile(report, { format: "pdf" });
  const terms = { workerId: "dead", leaseMs: -1, refusalOf: () => null, delayOf: () => null };
  expect(await worker.reports.claim(asked.id, terms)).toMatchObject({ kind: "claimed" });
  expect(await worker.run(asked.id)).toMatchObject({ kind: "succeeded" });
  expect(await findFile(worker, report, asked)).toMatchObject({ attempt: 2, status: "SUCCEEDED" });
});

describe("additional formats on a small disk", () => {
  const kibibyte = 1024;
  const mounted = mountSmallDisk(64 * kibibyte);
  const tiny = mountSmallDisk(4 * kibibyte);
  afterAll(() => {
    mounted?.unmount();
    tiny?.unmount();
  });

  async function startOn(disk: string) {
    let usesNormalSpool = true;
    const worker = await startWorkerUnderTest({
      demoData: true,
      wrapDeps: (deps) => ({
        ...deps,
        spoolPathOf: (id, attempt) =>
          usesNormalSpool ? deps.spoolPathOf(id, attempt) : join(disk, `${id}-${attempt}`),
      }),
    });
    const report = await keepRows(worker);
    usesNormalSpool = false;
    return { worker, report };
  }

  it.skipIf(mounted === null)(
    "an additional format that is larger than the disk fails and leaves no file",
    async () => {
      const { worker, report } = await startOn(mounted!.path);
      await using _ = worker;
      const before = await worker.leftovers();
      const { columns } = builtInReportTypes.find(({ type }) => type === "PROXY_DOMAIN")!;
      const file = await worker.addFile(report, { format: "json", columns: columns.map(({ key }) => key) });
      expect(await worker.run(file.id)).toMatchObject({ kind: "failed" });
      const { error } = await findFile(worker, report, file);
      expect(error).toMatchObject({ code: "SPOOL_LIMIT_EXCEEDED", retryable: false });
      expect(error?.detail).toMatch(/larger than the whole disk of the scratch folder/);
      expect([await readdir(mounted!.path), await worker.leftovers()]).toEqual([[], before]);
    },
  );

  it.skipIf(mounted === null)("an additional format waits while other files fill the disk", async () => {
    const { worker, report } = await startOn(mounted!.path);
    await using _ = worker;
    const other = join(mounted!.path, "another");
    await writeFile(other, Buffer.alloc(60 * kibibyte));
    const file = await worker.addFile(report, { format: "csv" });
    expect(await worker.run(file.id)).toMatchObject({ kind: "handed-back", because: "WORKER_IMPAIRED" });
    expect(await readdir(mounted!.path)).toEqual(["another"]);
    await rm(other);
    expect(await worker.run(file.id)).toMatchObject({ kind: "succeeded" });
    expect(await readdir(mounted!.path)).toEqual([]);
  });

  it.skipIf(tiny === null)("an additional format fails if its row snapshot is larger than the disk", async () => {
    const { worker, report } = await startOn(tiny!.path);
    await using _ = worker;
    const file = await worker.addFile(report, { format: "csv" });
    expect(await worker.run(file.id)).toMatchObject({ kind: "failed" });
    const { error } = await findFile(worker, report, file);
    expect(error).toMatchObject({ code: "SPOOL_LIMIT_EXCEEDED", retryable: false });
    expect(await readdir(tiny!.path)).toEqual([]);
  });
});
