import { expect, test } from "vitest";
import { startApiUnderTest } from "../test/api-under-test.ts";
import { testDomainBody, testProxyBody } from "../test/inventory-bodies.ts";
import { createRestrictedTestLogin } from "../test/restricted-login.ts";

test("the database role of the API has all permissions that its endpoints need", async () => {
  const login = createRestrictedTestLogin();
  await using api = await startApiUnderTest({
    limits: { starts: { perMinute: 20, unfinished: 5 }, logins: { perAddress: 10, perAccount: 10 } },
    apiDatabaseUrl: login.apiDatabaseUrl,
  });
  await api.sql`insert into users (name, password_hash) values ('alice', 'no hash')`;
  const caller = await api.as(["REPORT_PROXY", "REGISTRY_READ", "REGISTRY_WRITE"]);

  const { body: created, status } = await caller.post("/v1/proxies").send(testProxyBody);
  expect(status).toBe(201);
  expect((await caller.patch(`/v1/proxies/${created.id}`).send({ region: "eu" })).status).toBe(201);
  expect((await caller.get("/v1/proxies?q=edge&count=exact")).headers["x-total-count"]).toBe("1");
  expect((await caller.post(`/v1/proxies/${created.id}/domains`).send(testDomainBody)).status).toBe(201);
  expect((await caller.delete(`/v1/proxies/${created.id}`)).status).toBe(204);

  const started = await caller
    .post("/v1/reports")
    .set("Idempotency-Key", '"once"')
    .send({ reportType: "PROXY", format: "csv" });
  expect(started.status).toBe(202);
  const id = started.body.id as string;
  expect((await caller.get(`/v1/report?reportType=PROXY`)).status).toBe(202);
  expect((await caller.patch(`/v1/reports/${id}`).send({ title: "Renamed" })).status).toBe(201);
  expect((await caller.get(`/v1/reports/${id}/events`)).status).toBe(200);
  expect((await caller.get("/v1/reports?requestedBy=me")).body).toHaveLength(2);
  expect((await caller.patch(`/v1/reports/${id}`).send({ status: "CANCELLED" })).status).toBe(201);
  expect((await caller.delete(`/v1/reports/${id}`)).status).toBe(204);
  const admin = await api.as(["REPORTS_ADMIN"]);
  expect((await admin.get("/v1/lanes")).body).toHaveLength(3);
  expect((await admin.get("/v1/workers")).body).toEqual([]);
  expect((await caller.get("/v1/report-types/PROXY/rows")).body).toEqual([]);
  expect((await caller.get("/v1/report-types/PROXY/estimates")).body[0]).toMatchObject({ rows: 0, rowsAre: "EXACT" });
  expect((await api.anonymous().get("/v1/report-types").auth("alice", "wrong")).status).toBe(401);
  expect((await api.anonymous().get("/health/ready")).status).toBe(200);
  const [{ attempts } = { attempts: 0 }] = await api.sql<{ attempts: number }[]>`
    select count(*)::int as attempts from rate_windows where key like 'login-%'`;
  expect(attempts).toBe(2);
  await login.remove(api.databaseUrl);
});
