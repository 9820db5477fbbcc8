import { randomUUID } from "node:crypto";
import { unrestrictedClaimTerms } from "@reports/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
type Agent = Awaited<ReturnType<ApiUnderTest["as"]>>;
let alice: Agent;
let bob: Agent;
let admin: Agent;

beforeAll(async () => {
  api = await startApiUnderTest();
  alice = await api.as(builtInReportAuthorities, "alice");
  bob = await api.as(builtInReportAuthorities, "bob");
  admin = await api.as([...builtInReportAuthorities, "REPORTS_ADMIN"], "root");
});
afterAll(async () => api[Symbol.asyncDispose]());

async function start(fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await alice
    .post("/v1/reports")
    .send({ reportType: "PROXY", format: "csv", ...fields })
    .expect(202);
  return body.id as string;
}

async function eventsOf(id: string) {
  const events = await api.reports.listEvents(id);
  return events.map(({ from, to }) => [from, to]);
}

describe("PATCH /v1/reports/{id}", () => {
  test("a PATCH cancels a queued report and returns the whole record", async () => {
    const id = await start();
    const { status, body, headers } = await alice.patch(`/v1/reports/${id}`).send({ status: "CANCELLED" });
    expect([status, body.status, body.error]).toEqual([201, "CANCELLED", null]);
    expect(body.finishedAt).not.toBeNull();
    expect((await alice.get(`/v1/reports/${id}`)).headers["etag"]).toBe(headers["etag"]);
    expect(await eventsOf(id)).toEqual([
      [null, "QUEUED"],
      ["QUEUED", "CANCELLED"],
    ]);
  });

  test("a PATCH cancels a running report, whose worker then cannot write to it", async () => {
    const id = await start();
    const claim = await api.reports.claim(id, { workerId: "w", leaseMs: 60_000, ...unrestrictedClaimTerms });
    expect(claim.kind).toBe("claimed");
    expect((await alice.patch(`/v1/reports/${id}`).send({ status: "CANCELLED" })).status).toBe(201);
    expect(await api.reports.heartbeat(id, 1, { leaseMs: 60_000 })).toBe(false);
  });

  test("a PATCH that cancels a finished report gets a 422", async () => {
    const id = await start();
    await api.succeed(id, "name\n");
    const { status, body } = await alice.patch(`/v1/reports/${id}`).send({ status: "CANCELLED" });
    expect(status).toBe(422);
    expect(body.errors).toEqual([expect.objectContaining({ pointer: "/status", code: "not_open" })]);
  });

  test("a PATCH changes the title of a report, also while it cancels the report", async () => {
    const id = await start();
    const renamed = await alice
      .patch(`/v1/reports/${id}`)
      .type("application/merge-patch+json")
      .send('{"title":"Über alles"}');
    expect([renamed.status, renamed.body.title, renamed.body.status]).toEqual([201, "Über alles", "QUEUED"]);
    const both = await alice.patch(`/v1/reports/${id}`).send({ title: "Done", status: "CANCELLED" });
    expect([both.status, both.body.title, both.body.status]).toEqual([201, "Done", "CANCELLED"]);
  });

  test("a PATCH with invalid fields gets a 422 that lists them all, and changes nothing", async () => {
    const id = await start();
    const { status, body } = await alice
      .patch(`/v1/reports/${id}`)
      .send({ title: "", status: "SUCCEEDED", format: "pdf", "a/b": 1 });
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/format",
      "/a~1b",
      "/title",
      "/status",
    ]);
    expect((await alice.get(`/v1/reports/${id}`)).body).toMatchObject({ title: "Proxy inventory", status: "QUEUED" });
  });

  test("a PATCH may repeat read-only fields of a report, but not change them", async () => {
    const id = await start({ title: "Mine", searchParam: { health: ["DOWN", "UP"], kind: "REVERSE" } });
    const { body: read } = await alice.get(`/v1/reports/${id}`).expect(200);
    await api.reports.claim(id, { workerId: "w", leaseMs: 60_000, ...unrestrictedClaimTerms });
    const { body: running, headers } = await alice.get(`/v1/reports/${id}`).expect(200);
    const { status: _, ...others } = read;
    const written = await alice.patch(`/v1/reports/${id}`).send(others).expect(201);
    expect([written.headers["etag"], written.body]).toEqual([headers["etag"], running]);
    const other = { ...others, searchParam: {}, requestedBy: "basic:bob", nme: 1 };
    const { body } = await alice.patch(`/v1/reports/${id}`).send(other).expect(422);
    expect(body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code])).toEqual([
      ["/searchParam", "read_only"],
      ["/requestedBy", "read_only"],
      ["/nme", "unknown_field"],
    ]);
  });

  test("a PATCH with a null title restores the title of the report type", async () => {
    const id = await start({ title: "Mine" });
    const { body } = await alice.patch(`/v1/reports/${id}`).send({ title: null }).expect(201);
    expect(body.title).toBe("Proxy inventory");
  });

  test("a PATCH with an outdated If-Match gets a 412", async () => {
    const id = await start();
    const { headers } = await alice.get(`/v1/reports/${id}`);
    const patch = async () => alice.patch(`/v1/reports/${id}`).set("If-Match", headers["etag"]!).send({ title: "T" });
    expect([(await patch()).status, (await patch()).status]).toEqual([201, 412]);
  });
});

describe("DELETE /v1/reports/{id}", () => {
  test("DELETE removes a report and its file, can be repeated, and makes reads a 410", async () => {
    const id = await start();
    const report = await api.succeed(id, "name\n");
    expect(await api.store.stat(report.file!.storageKey)).not.toBeNull();
    expect((await alice.delete(`/v1/reports/${id}`)).status).toBe(204);
    expect((await alice.delete(`/v1/reports/${id}`)).status).toBe(204);
    expect(await api.store.stat(report.file!.storageKey)).toBeNull();
    for (const path of [
      `/v1/reports/${id}`,
      `/v1/reports/${id}/files`,
      `/v1/report/download?reportType=PROXY&id=${id}`,
    ])
      expect((await alice.get(path)).status).toBe(410);
    expect((await eventsOf(id)).at(-1)).toEqual(["SUCCEEDED", "DELETED"]);
    expect((await alice.get("/v1/reports?limit=200")).body.map((item: { id: string }) => item.id)).not.toContain(id);
  });

  test("DELETE of an unfinished report also cancels it", async () => {
    const id = await start();
    expect((await alice.delete(`/v1/reports/${id}`)).status).toBe(204);
    expect(await eventsOf(id)).toEqual([
      [null, "QUEUED"],
      ["QUEUED", "CANCELLED"],
      ["CANCELLED", "DELETED"],
    ]);
    expect((await api.reports.claim(id, { workerId: "w", leaseMs: 1_000, ...unrestrictedClaimTerms })).kind).toBe(
      "closed",
    );
  });

  test("DELETE of a report answers 204 even while the file store is unavailable", async () => {
    await using broken = await startApiUnderTest({
      databaseUrl: api.databaseUrl,
      wrapFiles: (files) => ({ ...files, remove: async () => Promise.reject(new Error("away")) }),
    });
    const agent = await broken.as(builtInReportAuthorities);
    const { body } = await agent.post("/v1/reports").send({ reportType: "PROXY" });
    await broken.succeed(body.id, "name\n");
    expect((await agent.delete(`/v1/reports/${body.id}`)).status).toBe(204);
    expect(broken.lines.some(({ msg }) => msg === "file of a deleted report could not be removed")).toBe(true);
  });
});

test("only the requester and holders of REPORTS_ADMIN may change or delete a report", async () => {
  const id = await start();
  expect((await bob.patch(`/v1/reports/${id}`).send({ title: "B" })).status).toBe(403);
  expect((await bob.delete(`/v1/reports/${id}`)).status).toBe(403);
  expect((await bob.get(`/v1/reports/${id}`)).status).toBe(200);
  expect((await admin.patch(`/v1/reports/${id}`).send({ title: "A" })).status).toBe(201);
  expect((await admin.delete(`/v1/reports/${id}`)).status).toBe(204);
});

test("without the report type's authority, reports get the same 404 as unknown IDs", async () => {
  const stranger = await api.as(["REPORT_PROXY_DOMAIN", "REPORTS_ADMIN"], "alice");
  const [active, deleted] = [await start(), await start()];
  await alice.delete(`/v1/reports/${deleted}`).expect(204);
  for (const method of ["get", "patch", "delete"] as const) {
    const answers = [];
    for (const id of [active, deleted, randomUUID(), "nonsense"]) {
      const request = stranger[method](`/v1/reports/${id}`);
      const { status, body } = await (method === "patch" ? request.send({ title: "x" }) : request);
      answers.push({ ...body, status, requestId: "", instance: "" });
    }
    expect(answers[0].status).toBe(404);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  }
});

test("an invalid request gets the same error for a hidden and a missing report", async () => {
  const stranger = await api.as(["REPORT_PROXY_DOMAIN"]);
  const active = await start();
  for (const id of [active, randomUUID(), "nonsense"]) {
    const path = `/v1/reports/${id}`;
    const answers = [
      await stranger.get(`${path}?x=1`),
      await stranger.get(path).set("Accept", "text/html"),
      await stranger.patch(path).send('{"title":').type("application/json"),
      await stranger.patch(path).send({ title: "" }).set("If-Match", "abc"),
      await stranger.delete(path).set("If-Match", "abc"),
      await stranger.patch(path).send({ title: "" }),
    ];
    expect([id, ...answers.map(({ status }) => status)]).toEqual([id, 400, 406, 400, 400, 400, 404]);
  }
});

test("a report has no file before it has succeeded, and one file afterwards", async () => {
  const id = await start();
  expect((await alice.get(`/v1/reports/${id}/files`)).body).toEqual([]);
  await api.succeed(id, "name\n");
  const { body } = await alice.get(`/v1/reports/${id}/files`);
  expect(body).toMatchObject([{ ...(await alice.get(`/v1/reports/${id}`)).body.file, status: "SUCCEEDED" }]);
  expect((await alice.get(`/v1/reports/${id}/files/${body[0].id}`)).text).toBe("name\n");
  expect((await alice.get(`/v1/reports/${id}/files/${randomUUID()}`)).status).toBe(404);
});

test("the list of reports filters by type, status, time and requester on every page", async () => {
  await using fresh = await startApiUnderTest();
  const [one, two] = [await fresh.as(builtInReportAuthorities, "one"), await fresh.as(builtInReportAuthorities, "two")];
  for (const reportType of ["PROXY", "PROXY_DOMAIN", "PROXY"])
    await one.post("/v1/reports").send({ reportType }).expect(202);
  const last = await two.post("/v1/reports").send({ reportType: "PROXY" }).expect(202);
  await two.patch(`/v1/reports/${last.body.id}`).send({ status: "CANCELLED" }).expect(201);
  const count = async (agent: Agent, query: string) =>
    (await agent.get(`/v1/reports?count=exact&${query}`)).headers["x-total-count"];
  const lately = `createdFrom=${new Date(Date.now() - 1_800_000).toISOString()}`;
  expect(await count(one, "requestedBy=me")).toBe("3");
  expect(await count(two, "requestedBy=me")).toBe("1");
  expect(await count(one, `requestedBy=${encodeURIComponent(last.body.requestedBy)}`)).toBe("1");
  expect(await count(one, `${lately}&reportType=PROXY&status=QUEUED`)).toBe("2");
  expect(await count(one, `${lately}&status=CANCELLED&status=FAILED`)).toBe("1");
  expect(await count(one, `createdFrom=${new Date(Date.now() + 60_000).toISOString()}`)).toBe("0");
  const first = await one.get("/v1/reports?limit=2&requestedBy=me&sort=createdAt");
  const next = /<([^>]+)>; rel="next"/.exec(first.headers["link"]!)![1]!;
  expect(next).not.toContain("requestedBy");
  const second = await one.get(next);
  expect([...first.body, ...second.body].map(({ reportType }) => reportType)).toEqual([
    "PROXY",
    "PROXY_DOMAIN",
    "PROXY",
  ]);
  // The cursor contains the ID of the first caller. If another caller adds `requestedBy=me`, that means another ID and contradicts the cursor.
  expect((await one.get(`${next}&requestedBy=me`)).body).toEqual(second.body);
  expect((await two.get(next)).body).toEqual(second.body);
  expect((await two.get(`${next}&requestedBy=me`)).status).toBe(400);
});

test("a search finds titles of reports that the caller may see, and no others", async () => {
  await using fresh = await startApiUnderTest();
  const [all, domains] = [
    await fresh.as(builtInReportAuthorities, "all"),
    await fresh.as(["REPORT_PROXY_DOMAIN"], "domains"),
  ];
  const start = async (reportType: string, title: string): Promise<string> =>
    (await all.post("/v1/reports").send({ reportType, title }).expect(202)).body.id;
  const [proxies, ofDomains] = [
    await start("PROXY", "Übersicht 100%_x"),
    await start("PROXY_DOMAIN", "U\u0308bersICHT 100%_X"),
  ];
  await start("PROXY_DOMAIN", "Übersicht 1000_x");
  const find = async (agent: Agent, q: string) => {
    const { body, headers } = await agent.get(`/v1/reports?count=exact&q=${encodeURIComponent(q)}`).expect(200);
    return [(body as { id: string }[]).map(({ id }) => id), headers["x-total-count"]];
  };
  // The search text spells `Ü` in another Unicode form than the title. `%` and `_` match only themselves.
  for (const q of ["ÜberSICHT 100%_", "U\u0308bersicht 100%"]) {
    expect(await find(all, q)).toEqual([[ofDomains, proxies], "2"]);
    expect(await find(domains, q)).toEqual([[ofDomains], "1"]);
  }
  expect(await find(domains, "nowhere")).toEqual([[], "0"]);
  await all.patch(`/v1/reports/${proxies}`).send({ title: "Renamed" }).expect(201);
  expect(await find(all, "RENAMED")).toEqual([[proxies], "1"]);
  expect(await find(domains, "RENAMED")).toEqual([[], "0"]);
});
