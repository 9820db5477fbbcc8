import { otherOwnerPrincipals } from "@reports/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

type Agent = Awaited<ReturnType<ApiUnderTest["as"]>>;

const name = "Ann Example";
const reports = { reportType: "PROXY", format: "csv" };
const schedule = { name: "Daily", reportType: "PROXY", cron: "0 6 * * *", options: { format: "csv" } };
let api: ApiUnderTest;
let ann: Agent;

beforeAll(async () => {
  api = await startApiUnderTest();
  ann = await api.as([...builtInReportAuthorities, "WEBHOOKS_WRITE"], "5f7c8ec7", name);
});
afterAll(async () => api[Symbol.asyncDispose]());
beforeEach(async () => {
  await api.removeRows();
  api.lines.length = 0;
});

const storedNames = async () =>
  (
    await api.sql<
      { requester_name: string | null }[]
    >`select requester_name from reports where requested_by <> all (${[...otherOwnerPrincipals]}) order by id`
  ).map(({ requester_name }) => requester_name);

test("a start stores the display name of the token, and none for a local user", async () => {
  await api.addUser("carol", "a-long-password", builtInReportAuthorities);
  await ann.get("/v1/report").query(reports).expect(202);
  await ann.post("/v1/reports").send(reports).expect(202);
  await (await api.as(builtInReportAuthorities)).post("/v1/reports").send(reports).expect(202);
  await api.anonymous().post("/v1/reports").auth("carol", "a-long-password").send(reports).expect(202);
  expect(await storedNames()).toEqual([name, name, null, null]);
});

test("reports of a schedule have its owner's name, even if another caller runs it", async () => {
  const path = `/v1/report-schedules/${(await ann.post("/v1/report-schedules").send(schedule).expect(201)).body.id}`;
  const admin = await api.as([...builtInReportAuthorities, "REPORTS_ADMIN"], "root", "Ruth Admin");
  await admin.post(`${path}/fires`).send({}).expect(201);
  await admin
    .put(path)
    .send({ ...schedule, name: "Every day" })
    .expect(201);
  await admin.post(`${path}/fires`).send({}).expect(201);
  const married = await api.as(builtInReportAuthorities, "5f7c8ec7", "Ann Married");
  await married.patch(path).send({ status: "PAUSED" }).expect(201);
  await married.post(`${path}/fires`).send({}).expect(201);
  expect(await storedNames()).toEqual([name, name, "Ann Married"]);
});

test("a caller is identified by the principal ID, never by the display name", async () => {
  const { body: first } = await ann.get("/v1/report").query(reports).expect(202);
  const married = await api.as(builtInReportAuthorities, "5f7c8ec7", "Ann Married");
  const again = await married.get("/v1/report").query(reports).expect(202);
  expect(again.body).toMatchObject({ id: first.id, reused: true });
  const namesake = await api.as(builtInReportAuthorities, "0a1b2c3d", name);
  const other = await namesake.get("/v1/report").query(reports).expect(202);
  expect(other.body).toMatchObject({ reused: false, requestedBy: "https://issuer.example|0a1b2c3d" });
  const own = await namesake.get("/v1/reports").query({ requestedBy: "me" }).expect(200);
  expect(own.body).toMatchObject([{ id: other.body.id }]);
  await ann.get("/v1/reports").query({ requestedBy: name }).expect(400);
  await namesake.patch(`/v1/reports/${first.id}`).send({ status: "CANCELLED" }).expect(403);
});

test("the display name is in no response, event, delivery, stored response or log", async () => {
  const url = "https://receiver.example/hook";
  const answers = [
    await ann
      .post("/v1/webhooks")
      .send({ url, events: ["report.cancelled"] })
      .expect(201),
  ];
  const started = await ann.post("/v1/reports").set("Idempotency-Key", "once").send(reports).expect(202);
  const path = `/v1/reports/${started.body.id}`;
  answers.push(started, await ann.patch(path).send({ status: "CANCELLED" }).expect(201));
  answers.push(await ann.post("/v1/report-schedules").send(schedule).expect(201));
  for (const read of ["/v1/reports", path, `${path}/events`, "/v1/report-schedules", "/v1/callers"])
    answers.push(await ann.get(read).expect(200));
  api.audit.flush();
  const stored = await api.sql`
    select (select jsonb_agg(to_jsonb(each)) from report_events as each where report_id = ${started.body.id}) as events,
      (select jsonb_agg(to_jsonb(each)) from webhook_deliveries as each where report_id = ${started.body.id}) as deliveries,
      (select jsonb_agg(to_jsonb(each)) from idempotency_keys as each) as kept`;
  expect(stored).toMatchObject([{ events: [{}, {}], deliveries: [{}], kept: [{}] }]);
  expect(api.lines.length).toBeGreaterThan(answers.length);
  const output = JSON.stringify([answers.map(({ body, headers }) => [body, headers]), stored, api.lines]);
  expect(output).toContain("5f7c8ec7");
  expect(output).not.toContain(name);
});
