import { createHash } from "node:crypto";
import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let count = 0;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

async function ready(given: object = {}) {
  const name = `caller-${++count}`;
  const caller = await api.as(builtInReportAuthorities, name);
  const start = { reportType: "PROXY", format: "csv", keepRows: true, ...given };
  const { body } = await caller.post("/v1/reports").send(start).expect(202);
  const id = body.id as string;
  const report = await api.succeed(id, "name\n");
  return { id, caller, name, report, files: `/v1/reports/${id}/files` };
}

const another = async () => api.as(builtInReportAuthorities, `another-${++count}`);

test("anyone who may download a report can start and download an additional format", async () => {
  const { files, id, report, name } = await ready({ columns: ["name"], timezone: "Europe/Berlin" });
  const other = await another();
  const asked = await other
    .post(files)
    .send({ format: "json", columns: ["name", "health"] })
    .expect(202);
  expect(asked.body).toMatchObject({
    reportId: id,
    status: "QUEUED",
    attempt: 0,
    format: "json",
    options: { columns: ["name", "health"], timezone: "Europe/Berlin", compression: "none", keepRows: false },
    requestedBy: `https://issuer.example|another-${count}`,
    expiresAt: report.expiresAt!.toISOString(),
    fileName: null,
    sha256: null,
    error: null,
    links: { self: `${files}/${asked.body.id}` },
  });
  expect(asked.headers).toMatchObject({ location: asked.body.links.self, "cache-control": "no-store" });
  expect(Number(asked.headers["retry-after"])).toBeGreaterThan(0);
  const pending = await other.get(asked.body.links.self).expect(202);
  expect(pending.body).toEqual(asked.body);
  const { file } = await api.succeed(asked.body.id as string, "[1]\n", "csv");
  const bytes = await other.get(`${files}/${file!.id}`).expect(200);
  expect(bytes.text).toBe("[1]\n");
  expect([bytes, pending].map(({ headers }) => headers["vary"])).toEqual([
    expect.stringContaining("Prefer"),
    expect.stringContaining("Prefer"),
  ]);
  const { body: listed } = await other.get(files).expect(200);
  expect(listed).toMatchObject([
    {
      id: report.file!.id,
      reportId: id,
      status: "SUCCEEDED",
      format: "csv",
      requestedBy: `https://issuer.example|${name}`,
    },
    { reportId: id, status: "SUCCEEDED", size: 4, sha256: createHash("sha256").update("[1]\n").digest("hex") },
  ]);
  const { body: record } = await other.get(`/v1/reports/${id}`).expect(200);
  expect([record.file.id, record.dataSha256]).toEqual([report.file!.id, "d".repeat(64)]);
  expect((await other.get("/v1/report/download").query({ reportType: "PROXY", id })).text).toBe("name\n");
});

test.each([
  ["pdf", undefined, "csv", 22],
  ["csv", undefined, "pdf", 10],
  ["csv", undefined, "json", 22],
  ["pdf", ["name", "health"], "csv", 2],
  ["csv", ["name", "health"], "pdf", 2],
])(
  "for a %s report with columns %j, an additional %s file has %i default columns",
  async (format, columns, rendition, count) => {
    const { files, caller } = await ready({ format, columns });
    for (const left of [{}, { columns: null }]) {
      const { body } = await caller
        .post(files)
        .send({ format: rendition, ...left })
        .expect(202);
      expect(body.options.columns).toHaveLength(count);
    }
  },
);

test("a null option of an additional format means the value of the report", async () => {
  const { files, caller } = await ready({ timezone: "Europe/Berlin", locale: "de" });
  const { body } = await caller.post(files).send({ format: "json", timezone: null, locale: null }).expect(202);
  expect(body.options).toMatchObject({ timezone: "Europe/Berlin", locale: "de" });
});

test("with Prefer: wait, starting an additional format answers when it is finished", async () => {
  const { files, caller } = await ready();
  const asking = Promise.resolve(caller.post(files).set("Prefer", "wait=30").send({ format: "json" }));
  const id = await waitFor(
    async () =>
      (await caller.get(files)).body.find(({ format }: { format: string }) => format === "json")?.id as
        | string
        | undefined,
    { what: "the file to be queued" },
  );
  await api.succeed(id, "[1]\n");
  const answer = await asking;
  expect([answer.status, answer.body.id, answer.body.status, answer.body.size]).toEqual([202, id, "SUCCEEDED", 4]);
  expect(answer.headers).toMatchObject({ "preference-applied": "wait=30", location: answer.body.links.self });
  expect(answer.headers["retry-after"]).toBeUndefined();
  const pending = await caller.post(files).send({ format: "xlsx" }).expect(202);
  const downloading = Promise.resolve(caller.get(pending.body.links.self).set("Prefer", "wait=30"));
  await waitFor(async () => /^report_watches 1$/m.test((await api.metrics.render()).body), { what: "the API to wait" });
  await api.succeed(pending.body.id as string, "[2]\n", "csv");
  const download = await downloading;
  expect([download.status, download.text, download.headers["preference-applied"]]).toEqual([200, "[2]\n", "wait=30"]);
  const late = await caller.post(files).set("Prefer", "wait=0").send({ format: "ndjson" }).expect(202);
  expect(late.body.status).toBe("QUEUED");
  expect(Number(late.headers["retry-after"])).toBeGreaterThan(0);
});

test("a repeated start of an additional format with Prefer: wait returns its state", async () => {
  const { files, caller } = await ready();
  const ask = () =>
    caller.post(files).set({ "Idempotency-Key": "key-of-a-file", Prefer: "wait=0" }).send({ format: "json" });
  const first = await ask().expect(202);
  await api.succeed(first.body.id as string, "[1]\n");
  const again = await ask().expect(202);
  expect(again.body).toMatchObject({ id: first.body.id, status: "SUCCEEDED" });
  expect(again.headers["idempotency-replayed"]).toBe("true");
});

test("an additional format is not accessible as a report and is in no list", async () => {
  const { files, id, caller } = await ready();
  const { body: file } = await caller.post(files).send({ format: "csv" }).expect(202);
  for (const path of [`/v1/reports/${file.id}`, `/v1/reports/${file.id}/events`, `/v1/reports/${file.id}/files`])
    await caller.get(path).expect(404);
  await caller.patch(`/v1/reports/${file.id}`).send({ status: "CANCELLED" }).expect(404);
  await caller.delete(`/v1/reports/${file.id}`).expect(404);
  await caller.get("/v1/report/download").query({ reportType: "PROXY", id: file.id }).expect(404);
  const { body: page, headers } = await caller
    .get("/v1/reports")
    .query({ count: "exact", requestedBy: `https://issuer.example|caller-${count}` });
  expect(page.map((report: { id: string }) => report.id)).toEqual([id]);
  expect(headers["x-total-count"]).toBe("1");
  const stranger = await ready();
  await caller.get(`${stranger.files}/${file.id}`).expect(404);
  await caller.delete(`${stranger.files}/${file.id}`).expect(404);
});

test.each([
  [{}, ["/format"]],
  [{ format: "xyz" }, ["/format"]],
  [{ format: "csv", columns: ["nme"] }, ["/columns/0"]],
  [{ format: "csv", sort: ["name"] }, ["/sort"]],
  [{ format: "csv", title: "Another", keepRows: true, searchParam: {} }, ["/title", "/keepRows", "/searchParam"]],
  [{ format: "pdf", groupBy: "environment" }, ["/groupBy"]],
  [{ format: "xlsx", compression: "gzip" }, ["/compression"]],
  [{ format: "csv", timezone: "Mars/Base", locale: "??" }, ["/timezone", "/locale"]],
  [[], [""]],
])("the 422 of an additional format lists all invalid fields of %j", async (body, pointers) => {
  const { files, caller } = await ready();
  const answer = await caller.post(files).send(body);
  expect([answer.status, answer.body.errors?.map((issue: { pointer?: string }) => issue.pointer ?? "")]).toEqual([
    422,
    pointers,
  ]);
});

test.each([
  ["has no row snapshot", async () => ready({ keepRows: false }), 422, "rows-not-kept"],
  [
    "is not finished",
    async () => {
      const caller = await another();
      const { body } = await caller.post("/v1/reports").send({ reportType: "PROXY", keepRows: true }).expect(202);
      return { caller, files: `/v1/reports/${body.id}/files` };
    },
    422,
    "report-not-finished",
  ],
  [
    "has expired",
    async () => {
      const made = await ready();
      await api.expire(made.id);
      return made;
    },
    410,
    "rows-gone",
  ],
  [
    "was deleted",
    async () => {
      const made = await ready();
      await made.caller.delete(`/v1/reports/${made.id}`).expect(204);
      return made;
    },
    410,
    "report-deleted",
  ],
])("an additional format cannot be started for a report that %s", async (_, make, status, code) => {
  const { caller, files } = await make();
  const { body } = await caller.post(files).send({ format: "csv" }).expect(status);
  expect(body.code).toBe(code);
});

test("a report has at most 10 additional formats, and deleted ones don't count", async () => {
  const { files, caller } = await ready();
  const ids: string[] = [];
  for (let made = 0; made < 10; made++)
    ids.push((await caller.post(files).send({ format: "csv" }).expect(202)).body.id as string);
  const refused = await caller.post(files).send({ format: "csv" }).expect(422);
  expect(refused.body.code).toBe("too-many-files");
  await caller.delete(`${files}/${ids[4]}`).expect(204);
  await caller.post(files).send({ format: "csv" }).expect(202);
});

test("a repeated start of an additional format works even after the report has expired", async () => {
  const { files, id, caller } = await ready();
  const ask = async (body: object, to = files) => caller.post(to).set("Idempotency-Key", `key-${count}`).send(body);
  const first = await ask({ format: "csv" });
  expect(first.status).toBe(202);
  await api.expire(id);
  const again = await ask({ format: "csv" });
  expect([again.status, again.body, again.headers["idempotency-replayed"]]).toEqual([202, first.body, "true"]);
  expect((await ask({ format: "json" })).body.code).toBe("idempotency-key-reused");
  const { files: others } = await ready();
  expect(
    (
      await caller
        .post(others)
        .set("Idempotency-Key", `key-${count - 1}`)
        .send({ format: "csv" })
    ).body.code,
  ).toBe("idempotency-key-reused");
});

test("the response for an additional format depends on its status, not the report's", async () => {
  const { files, caller } = await ready();
  const ask = async () => (await caller.post(files).send({ format: "csv" }).expect(202)).body.id as string;
  const failed = await ask();
  await api.fail(failed);
  expect((await caller.get(`${files}/${failed}`).expect(404)).body).toMatchObject({
    code: "report-failed",
    detail: expect.stringMatching(/^The file failed \(INVALID_DATA\)/),
  });
  const done = await ask();
  await api.succeed(done, "x\n");
  await api.expire(done);
  expect((await caller.get(`${files}/${done}`).expect(410)).body.code).toBe("report-expired");
  const deleted = await ask();
  for (const _ of [1, 2]) await caller.delete(`${files}/${deleted}`).expect(204);
  expect((await caller.get(`${files}/${deleted}`).expect(410)).body.code).toBe("file-deleted");
  const cancelled = await ask();
  await api.reports.cancel(cancelled, "somebody");
  expect((await caller.get(`${files}/${cancelled}`).expect(404)).body.code).toBe("report-cancelled");
  const { body } = await caller.get(files).expect(200);
  expect(body.map(({ status }: { status: string }) => status)).toEqual(["SUCCEEDED", "FAILED", "EXPIRED", "CANCELLED"]);
});

test("only requesters and administrators can delete an additional format", async () => {
  const { files, caller, report } = await ready();
  const [asker, stranger, admin] = [
    await another(),
    await another(),
    await api.as([...builtInReportAuthorities, "REPORTS_ADMIN"]),
  ];
  const ask = async () => `${files}/${(await asker.post(files).send({ format: "csv" }).expect(202)).body.id}`;
  for (const allowed of [asker, caller, admin]) {
    const file = await ask();
    expect((await stranger.delete(file).expect(403)).body.code).toBe("not-the-requester");
    await allowed.delete(file).expect(204);
  }
  const own = await caller.delete(`${files}/${report.file!.id}`).expect(422);
  expect(own.body.code).toBe("file-of-the-report");
});

test("deleting a report deletes its additional formats and its row snapshot", async () => {
  const { files, id, caller } = await ready();
  const key = await api.rowSnapshotKey(id);
  const { body: file } = await caller.post(files).send({ format: "csv" }).expect(202);
  await caller.delete(`/v1/reports/${id}`).expect(204);
  await caller.get(`${files}/${file.id}`).expect(410);
  const rows = await api.sql`select storage_key as key from file_removals where storage_key = ${key}`;
  expect(rows).toHaveLength(1);
});

test("a link to an additional format works until that file is deleted", async () => {
  const { files, caller } = await ready();
  const { body: asked } = await caller.post(files).send({ format: "csv" }).expect(202);
  await caller.post(`${files}/${asked.id}/links`).send({}).expect(404);
  const { file } = await api.succeed(asked.id as string, "linked\n");
  const { body: link } = await caller.post(`${files}/${file!.id}/links`).send({}).expect(201);
  expect(
    (
      await api
        .anonymous()
        .get(link.url as string)
        .expect(200)
    ).text,
  ).toBe("linked\n");
  await caller.delete(`${files}/${file!.id}`).expect(204);
  await api
    .anonymous()
    .get(link.url as string)
    .expect(404);
});

test("audit lines of additional formats have the ID of the report", async () => {
  const { files, id, caller, name } = await ready();
  const { body: file } = await caller.post(files).send({ format: "csv" }).expect(202);
  await caller.delete(`${files}/${file.id}`).expect(204);
  const lines = api.lines.filter(({ audit, recordId }) => audit === true && recordId === id);
  expect(lines.map(({ action, principal }) => [action, principal])).toEqual([
    ["report.start", `https://issuer.example|${name}`],
    ["report.add-file", `https://issuer.example|${name}`],
    ["report.delete-file", `https://issuer.example|${name}`],
  ]);
});

test("with REPORT_VISIBILITY=requester, other callers get 404 for files of a report", async () => {
  const { files, caller } = await ready();
  await using reserved = await startApiUnderTest({
    reportVisibility: "requester",
    databaseUrl: api.databaseUrl,
    store: api.store,
  });
  const { body: file } = await caller.post(files).send({ format: "csv" }).expect(202);
  const stranger = await reserved.as(builtInReportAuthorities, "stranger");
  const answers = [
    await stranger.post(files).send({ format: "csv" }),
    await stranger.get(files),
    await stranger.get(`${files}/${file.id}`),
    await stranger.delete(`${files}/${file.id}`),
  ];
  expect(answers.map(({ body }) => body.code)).toEqual(Array.from({ length: 4 }, () => "report-not-found"));
});
