import { defineReportTypes } from "@reports/core/report-type";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

const { reportTypes } = defineReportTypes([
  {
    authority: "REPORT_STAY",
    definition: {
      type: "STAY",
      version: 1,
      title: "Stays",
      columns: [{ key: "ward", title: "Ward", kind: "text" }],
      filters: [
        {
          name: "ward",
          operator: "in",
          value: "text",
          maxLength: 9,
          columns: ["ward"],
          valuesFrom: { view: "wards", column: "code", title: "name" },
          description: "Wards.",
        },
        { name: "note", operator: "in", value: "text", columns: ["ward"], description: "Notes." },
      ],
      rows: { kind: "view", view: "stays", id: "ward", columns: { ward: { column: "ward", type: "text" } } },
    },
  },
]);
const path = "/v1/report-types/STAY/filters/ward/values";
let api: ApiUnderTest;

async function setWards(rows: string): Promise<void> {
  await api.sql.unsafe(`create or replace view wards as
    select code::text, name::text from (values ${rows}) as given (code, name)`);
}

async function startInstance(): Promise<ApiUnderTest> {
  return startApiUnderTest({ reportTypes, databaseUrl: api.databaseUrl });
}

beforeAll(async () => {
  api = await startApiUnderTest({ reportTypes });
  await api.sql.unsafe("create view stays as select 'W1' as ward");
  await setWards(`('W2', null), ('W1', 'Intensive'), ('W1', 'Cardiology'),
    (null, 'none'), ('', 'empty'), ('MUCH-TOO-LONG', 'long')`);
});
afterAll(async () => api[Symbol.asyncDispose]());

test("with the type's authority, a caller can list the allowed values of a filter", async () => {
  const holder = await api.as(["REPORT_STAY"]);
  const { body, headers } = await holder.get(path).expect(200);
  expect(body).toEqual([
    { value: "W1", title: "Cardiology" },
    { value: "W2", title: "W2" },
  ]);
  await holder.get(path).set("If-None-Match", headers["etag"]!).expect(304);
  expect((await holder.get("/v1/report-types/STAY")).body.filterValues).toEqual(["ward"]);
  await (await api.as([])).get(path).expect(403);
  for (const name of ["note", "constructor", "ward%2F"]) {
    const { body: problem } = await holder.get(path.replace("ward", name)).expect(404);
    expect(problem.code).toBe("filter-values-not-found");
  }
});

test("a start with an unknown value of a filter gets a 422, unless it is a repeat", async () => {
  const holder = await api.as(["REPORT_STAY"]);
  const start = { reportType: "STAY", format: "csv", searchParam: { ward: ["W1", "W9"] } };
  const refused = await holder.post("/v1/reports").send(start).expect(422);
  expect(refused.body.errors).toMatchObject([{ code: "unknown_value", pointer: "/searchParam/ward" }]);
  expect(refused.body.errors[0].message).toContain('ward has no value "W9". Did you mean "W1" (Cardiology)?');
  await holder.get("/v1/report?reportType=STAY&searchParam[ward]=W2").expect(202);
  const once = async () =>
    holder
      .post("/v1/reports")
      .set("Idempotency-Key", "k1")
      .send({ ...start, searchParam: { ward: "W2" } });
  expect((await once()).status).toBe(202);
  const another = await startInstance();
  await setWards("('W1', null)");
  const later = await another.as(["REPORT_STAY"]);
  await later
    .post("/v1/reports")
    .send({ ...start, searchParam: { ward: "W2" } })
    .expect(422);
  const repeated = await later
    .post("/v1/reports")
    .set("Idempotency-Key", "k1")
    .send({ ...start, searchParam: { ward: "W2" } });
  expect([repeated.status, repeated.headers["idempotency-replayed"]]).toEqual([202, "true"]);
  await another[Symbol.asyncDispose]();
});

test("starts, previews and estimates refuse unknown filter values and list known ones", async () => {
  await setWards("('W1', 'Cardiology'), ('W2', null)");
  await using own = await startInstance();
  const holder = await own.as(["REPORT_STAY"]);
  for (const query of [
    "/v1/report?reportType=STAY&",
    "/v1/report-types/STAY/rows?",
    "/v1/report-types/STAY/estimates?",
  ]) {
    const { body } = await holder.get(`${query}searchParam[ward]=cardiology`).expect(400);
    expect([query, body.code, body.errors]).toMatchObject([
      query,
      "invalid-parameters",
      [{ code: "unknown_value", parameter: "searchParam[ward]" }],
    ]);
    expect(body.errors[0].message).toBe(
      'ward has no value "cardiology". Did you mean "W1" (Cardiology)? Allowed: "W1" (Cardiology), "W2".',
    );
  }
  await holder.get("/v1/report-types/STAY/rows?searchParam[ward]=W2").expect(200);
  await holder.get("/v1/report-types/STAY/estimates?searchParam[ward]=W2").expect(200);
});

test("a schedule refuses new unknown filter values, but keeps those that it has", async () => {
  const schedule = { name: "Wards", reportType: "STAY", cron: "0 6 1 1 *" };
  const withWards = (...ward: string[]) => ({ ...schedule, searchParam: { ward } });
  await setWards("('W1', null), ('W2', null)");
  await using first = await startInstance();
  const owner = await first.as(["REPORT_STAY"]);
  const refused = await owner.post("/v1/report-schedules").send(withWards("W1", "W9")).expect(422);
  expect(refused.body.code).toBe("invalid-record");
  expect(refused.body.errors).toMatchObject([{ code: "unknown_value", pointer: "/searchParam/ward" }]);
  const { body: created } = await owner.post("/v1/report-schedules").send(withWards("W1", "W2")).expect(201);

  await setWards("('W1', null)");
  await using later = await startInstance();
  const same = `/v1/report-schedules/${created.id}`;
  const agent = await later.as(["REPORT_STAY"]);
  await agent
    .patch(same)
    .send({ searchParam: { ward: ["W1", "W9"] } })
    .expect(422);
  await agent.put(same).send(withWards("W9")).expect(422);
  await agent
    .patch(same)
    .set("If-Match", '"7-0"')
    .send({ searchParam: { ward: "W9" } })
    .expect(412);
  await agent
    .put(same)
    .send({ ...withWards("W2"), name: "One ward" })
    .expect(201);
  await agent.post(`${same}/fires`).send({}).expect(201);
});

test("an administrator without the type's authority learns no values of its filters", async () => {
  const alice = await api.as(["REPORT_STAY"]);
  const schedule = { name: "Wards", reportType: "STAY", cron: "0 6 1 1 *" };
  const { body: created } = await alice.post("/v1/report-schedules").send(schedule).expect(201);
  const administrator = await api.as(["REPORTS_ADMIN"], "root");
  const change = administrator.patch(`/v1/report-schedules/${created.id}`).send({ searchParam: { ward: "W9" } });
  const { body: changed } = await change.expect(201);
  expect(changed.searchParam).toEqual({ ward: ["W9"] });
});
