import { createLogger } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import { createAuditLog, type AuditEntry } from "./audit.ts";
import { testDomainBody, testProxyBody } from "../test/inventory-bodies.ts";

let api: ApiUnderTest;

beforeAll(async () => {
  api = await startApiUnderTest();
  await api.addUser("carol", "the right password", ["REPORT_PROXY"]);
});
afterAll(async () => api[Symbol.asyncDispose]());
beforeEach(() => {
  api.audit.flush();
  api.lines.length = 0;
});

const alice = "https://issuer.example|alice";
const audits = () => api.lines.filter(({ audit }) => audit === true);

const fields = [
  "action",
  "outcome",
  "status",
  "code",
  "principal",
  "recordType",
  "recordId",
  "reportType",
  "owner",
  "method",
  "route",
  "address",
  "requestId",
  "count",
];

test("every endpoint with a method other than GET has a unique audit action", () => {
  const unsafe = api.endpoints.filter(({ method }) => method !== "GET");
  expect(unsafe.length).toBeGreaterThan(8);
  expect(unsafe.filter(({ audit }) => audit === undefined).map(({ operationId }) => operationId)).toEqual([]);
  const names = unsafe.map(({ audit, path }) => `${audit!.recordType}.${audit!.verb} ${path.split("{")[0]}`);
  expect(names).toEqual([...new Set(names)]);
});

test("each write of the inventory is audited with caller, action, record and outcome", async () => {
  const agent = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
  const created = await agent
    .post("/v1/proxies")
    .send({ ...testProxyBody, description: "whisper" })
    .expect(201);
  const id = (created.body as { id: string }).id;
  await agent
    .put(`/v1/proxies/${id}`)
    .send({ ...testProxyBody, description: "whisper" })
    .expect(201);
  await agent.patch(`/v1/proxies/${id}`).send({ description: "whisper" }).expect(201);
  const child = await agent.post(`/v1/proxies/${id}/domains`).send(testDomainBody).expect(201);
  await agent.get("/v1/proxies?q=whisper").expect(200);
  await agent.patch(`/v1/proxies/${id}`).send({ port: -1 }).expect(422);
  await agent.delete(`/v1/proxies/${id}`).expect(204);
  const lines = audits();
  expect(lines.map(({ action, recordType, recordId }) => [action, recordType, recordId])).toEqual([
    ["proxy.create", "proxy", id],
    ["proxy.replace", "proxy", id],
    ["proxy.patch", "proxy", id],
    ["domain.create", "domain", (child.body as { id: string }).id],
    ["proxy.delete", "proxy", id],
  ]);
  for (const line of lines) {
    expect(line).toMatchObject({ outcome: "done", principal: alice, count: 1, msg: "audit" });
    expect(Object.keys(line)).toEqual(expect.arrayContaining(fields));
  }
  expect(lines[0]).toMatchObject({ requestId: created.headers["x-request-id"], status: 201, route: "/v1/proxies" });
  expect(JSON.stringify(api.lines)).not.toContain("whisper");
});

test("each write of a schedule is audited with its report type and owner", async () => {
  const agent = await api.as(["REPORT_PROXY"]);
  const administrator = await api.as(["REPORTS_ADMIN"], "administrator");
  const schedule = { name: "whisper", reportType: "PROXY", cron: "0 6 * * *" };
  const created = await agent.post("/v1/report-schedules").send(schedule).expect(201);
  const { id } = created.body as { id: string };
  const path = `/v1/report-schedules/${id}`;
  await agent
    .put(path)
    .send({ ...schedule, overlap: "ALLOW" })
    .expect(201);
  await agent.patch(path).send({ missed: "SKIP" }).expect(201);
  await administrator.patch(path).send({ status: "PAUSED" }).expect(201);
  await agent.patch(path).send({ status: "ACTIVE" }).expect(201);
  await agent.post(`${path}/fires`).send({}).expect(201);
  await agent.get(path).expect(200);
  await administrator.delete(path).expect(204);
  const lines = audits();
  expect(lines.map(({ action, principal }) => [action, principal])).toEqual([
    ["schedule.create", alice],
    ["schedule.replace", alice],
    ["schedule.patch", alice],
    ["schedule.pause", "https://issuer.example|administrator"],
    ["schedule.resume", alice],
    ["schedule.run", alice],
    ["schedule.delete", "https://issuer.example|administrator"],
  ]);
  const record = { recordType: "schedule", recordId: id, reportType: "PROXY", owner: alice, outcome: "done" };
  for (const line of lines) expect(line).toMatchObject(record);
  expect(JSON.stringify(api.lines)).not.toContain("whisper");
});

test("a start with Prefer: wait is audited once, before the wait", async () => {
  const agent = await api.as(["REPORT_PROXY"]);
  const starts = [
    agent.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }),
    agent.get("/v1/report").query({ reportType: "PROXY", format: "json" }),
  ];
  for (const start of starts) {
    api.lines.length = 0;
    const answer = Promise.resolve(start.set("Prefer", "wait=30"));
    await waitFor(async () => audits().length > 0, { what: "the audit line of a start whose caller waits" });
    const [line] = audits();
    expect(line).toMatchObject({
      action: "report.start",
      outcome: "done",
      status: 202,
      principal: alice,
      owner: alice,
    });
    await api.succeed(String(line!["recordId"]), "a");
    expect(await answer).toMatchObject({ status: 202, body: { id: line!["recordId"], status: "SUCCEEDED" } });
    expect(audits()).toHaveLength(1);
  }
});

test("a change of another principal's report is audited with the owner", async () => {
  const owner = await api.as(["REPORT_PROXY"]);
  const started = await owner.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  const id = (started.body as { id: string }).id;
  const admin = await api.as(["REPORT_PROXY", "REPORTS_ADMIN"], "bob");
  await admin.patch(`/v1/reports/${id}`).send({ title: "whisper" }).expect(201);
  await admin.patch(`/v1/reports/${id}`).send({ status: "CANCELLED" }).expect(201);
  await admin.delete(`/v1/reports/${id}`).expect(204);
  const record = { recordType: "report", recordId: id, reportType: "PROXY", owner: alice, outcome: "done" };
  const bob = { principal: "https://issuer.example|bob" };
  expect(audits()).toMatchObject([
    { ...record, action: "report.start", principal: alice },
    { ...record, ...bob, action: "report.change" },
    { ...record, ...bob, action: "report.cancel" },
    { ...record, ...bob, action: "report.delete" },
  ]);
  expect(JSON.stringify(api.lines)).not.toContain("whisper");
});

test("a refused request is audited, even a 404 that hides a report, but no unknown ID", async () => {
  const owner = await api.as(builtInReportAuthorities);
  const started = await owner.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202);
  const id = (started.body as { id: string }).id;
  api.lines.length = 0;
  const other = await api.as(["REPORT_PROXY_DOMAIN"], "eve");
  await other.get(`/v1/reports/${id}`).expect(404);
  await other.delete(`/v1/reports/${id}`).expect(404);
  await other.get(`/v1/report/download?reportType=PROXY_DOMAIN&id=${id}`).expect(404);
  await other.get(`/v1/report/download?reportType=PROXY_DOMAIN&id=${id}`).set("Prefer", "wait=5").expect(404);
  await (await api.as(builtInReportAuthorities, "eve")).delete(`/v1/reports/${id}`).expect(403);
  await api.anonymous().get(`/v1/reports/${id}`).expect(401);
  const hidden = { outcome: "refused", principal: "https://issuer.example|eve", recordType: "report", recordId: id };
  expect(audits()).toMatchObject([
    { ...hidden, action: "read", status: 404, code: "report-not-found" },
    { ...hidden, action: "report.delete", status: 404 },
    { ...hidden, action: "report.download", status: 404 },
    { ...hidden, action: "report.download", status: 404 },
    { ...hidden, action: "report.delete", status: 403, code: "not-the-requester" },
    { outcome: "refused", action: "read", status: 401, code: "credentials-missing", principal: null },
  ]);
  api.lines.length = 0;
  await owner.get("/v1/reports/018f0000-0000-7000-8000-000000000001").expect(404);
  // The query names another type than that of the report with this ID. The caller may see the report, so nothing is hidden from it.
  const ofAnotherType = `/v1/report/download?reportType=PROXY_DOMAIN&id=${id}`;
  await owner.get(ofAnotherType).expect(404);
  await owner.get(ofAnotherType).set("Prefer", "wait=5").expect(404);
  expect(audits()).toEqual([]);
});

test("each password check and each issued token is audited, without the password", async () => {
  const login = { action: "login", recordType: "user" };
  await api.anonymous().post("/v1/tokens").auth("carol", "the right password").expect(201);
  await api.anonymous().get("/v1/reports").auth("carol", "the right password").expect(200);
  expect(audits()).toMatchObject([
    { ...login, outcome: "done", recordId: "carol", principal: "basic:carol" },
    { action: "token.issue", outcome: "done", principal: "basic:carol", status: 201 },
  ]);
  api.lines.length = 0;
  await api.anonymous().get("/v1/reports").auth("carol", "the wrong password").expect(401);
  await api.anonymous().get("/v1/reports").auth("the right password", "x").expect(401);
  expect(audits()).toMatchObject([
    { ...login, outcome: "refused", recordId: "carol", principal: null, status: 401 },
    { ...login, outcome: "refused", recordId: null, principal: null, status: 401 },
  ]);
  expect(JSON.stringify(api.lines)).not.toMatch(/the (right|wrong) password/);
});

test("a write that fails with 500 is audited with the outcome unknown", async () => {
  const agent = await api.as(["REGISTRY_READ", "REGISTRY_WRITE"]);
  await api.sql`alter table proxies rename to proxies_away`;
  await agent.patch("/v1/proxies/018f0000-0000-7000-8000-000000000001").send({ port: 1 }).expect(500);
  await agent.get("/v1/proxies").expect(500);
  await api.sql`alter table proxies_away rename to proxies`;
  expect(audits()).toMatchObject([{ action: "proxy.patch", outcome: "unknown", status: 500, code: "internal-error" }]);
});

function createSeparateLog() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  return { lines, log: createAuditLog({ logger: createLogger({ name: "api", level: "info", destination }) }) };
}

const entry: AuditEntry = {
  action: "read",
  outcome: "refused",
  status: 403,
  code: "authority-missing",
  principal: alice,
  recordType: "report",
  recordId: "1",
  reportType: null,
  owner: null,
  method: "GET",
  route: "/v1/reports/{id}",
  address: "192.0.2.1",
  requestId: "r",
};

test("the audit log counts equal refusals after the fifth, but lists all other actions", () => {
  const { lines, log } = createSeparateLog();
  for (let n = 0; n < 100; n++) log.write(entry);
  for (let n = 0; n < 100; n++) log.write({ ...entry, outcome: "done" });
  log.write({ ...entry, principal: null });
  expect(lines).toHaveLength(5 + 100 + 1);
  log.flush();
  expect(lines.slice(106)).toMatchObject([
    { action: "read", code: "authority-missing", principal: alice, recordId: null, requestId: null, count: 95 },
  ]);
  log.flush();
  log.write(entry);
  expect(lines).toHaveLength(108);
  expect(lines.at(-1)).toMatchObject({ requestId: "r", count: 1 });
  log.flush();
});

test("the audit log has few lines about refusals of many callers, with the exact total", () => {
  const { lines, log } = createSeparateLog();
  for (let n = 0; n < 20_000; n++) log.write({ ...entry, principal: null, address: `2001:db8::${n.toString(16)}` });
  for (let n = 0; n < 20_000; n++)
    log.write({ ...entry, principal: null, address: `2001:db8::${(n % 400).toString(16)}` });
  log.flush();
  expect(lines.length).toBeLessThan(3_002);
  expect(lines.reduce((sum, { count }) => sum + Number(count), 0)).toBe(40_000);
  expect(lines.at(-1)).toMatchObject({ action: "any", outcome: "refused", principal: null, address: null });
});
