import { otherOwnerPrincipals, waitFor } from "@reports/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
type Agent = Awaited<ReturnType<ApiUnderTest["as"]>>;
let alice: Agent;
let admin: Agent;
let bob: Agent;
const heldAuthorities = ["REPORT_PROXY", "REPORT_PROXY_DOMAIN"];
const path = "/v1/report-schedules";
const monthly = { name: "Monthly", reportType: "PROXY", cron: "30 2 1 * *", timezone: "Europe/Amsterdam" };

beforeAll(async () => {
  api = await startApiUnderTest({ limits: { starts: { perMinute: 1_000, unfinished: 0 } } });
  await api.addUser("walter", "wachtwoord", ["REPORT_PROXY"]);
  alice = await api.as(heldAuthorities, "alice");
  bob = await api.as(heldAuthorities, "bob");
  admin = await api.as([...heldAuthorities, "REPORTS_ADMIN"], "root");
});
afterAll(async () => api[Symbol.asyncDispose]());
beforeEach(async () => api.removeRows());

const create = async (body: object = {}, agent = alice) =>
  (
    await agent
      .post(path)
      .send({ ...monthly, ...body })
      .expect(201)
  ).body;
const pointers = async (body: object): Promise<string[]> => {
  const { body: problem } = await alice
    .post(path)
    .send({ ...monthly, ...body })
    .expect(422);
  return problem.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
};

describe("GET /v1/schedule-times", () => {
  const times = "/v1/schedule-times";
  const { cron, timezone } = monthly;

  test("/v1/schedule-times returns the times that a new schedule would have", async () => {
    const timing = { cron, timezone, startsAt: "2031-02-01T00:00:00Z", endsAt: "2031-05-31T00:00:00Z" };
    const { body, headers } = await alice.get(times).query(timing).expect(200);
    expect(body).toHaveLength(4);
    expect(body.map(({ at }: { at: string }) => at)).toEqual((await create(timing)).nextFires);
    expect(headers["cache-control"]).toBe("no-store");
  });

  test.each([
    [{}, "cron invalid_parameter"],
    [{ cron: "x" }, "cron invalid_value"],
    [{ cron, timezone: "Mars/Olympus" }, "timezone invalid_parameter"],
    [{ cron, startsAt: "tomorrow" }, "startsAt invalid_parameter"],
    [{ cron, endsAt: "2001-01-01T00:00:00Z" }, "endsAt never_fires"],
    [{ cron: "0 0 30 2 *" }, "cron never_fires"],
    [{ cron: "* * * * *" }, "cron too_often"],
    [{ cron, name: "Monthly" }, "name unknown_parameter"],
  ])("/v1/schedule-times answers 400 to the query %o", async (query, expected) => {
    const { body } = await alice.get(times).query(query).expect(400);
    expect(body.errors.map(({ parameter, code }: Record<string, string>) => `${parameter} ${code}`)).toEqual([
      expected,
    ]);
  });
});

describe("creation of a schedule", () => {
  test("POST creates a schedule with defaults, its next five times and its owner", async () => {
    const { body, headers } = await alice
      .post(path)
      .send({
        ...monthly,
        searchParam: { createdFrom: "thisMonth-P1M", health: "DOWN" },
        options: { format: "csv", columns: null },
      })
      .expect(201);
    expect(body).toMatchObject({
      ...monthly,
      searchParam: { createdFrom: "thisMonth-P1M", health: ["DOWN"] },
      options: { format: "csv" },
      startsAt: null,
      endsAt: null,
      status: "ACTIVE",
      pausedBecause: null,
      missed: "LATEST",
      missedWithinSeconds: 3_600,
      overlap: "SKIP",
      lastFire: null,
      owner: "https://issuer.example|alice",
    });
    expect(body.nextFires).toHaveLength(5);
    expect(body.nextFires[0]).toBe(body.nextFireAt);
    expect(headers).toMatchObject({ location: `${path}/${body.id}`, etag: '"1-0.13"' });
    expect((await alice.get(`${path}/${body.id}`).expect(200)).body).toEqual(body);
  });

  test("the run times of a schedule take daylight saving time into account", async () => {
    // The schedule starts far in the future, so that this change to daylight saving time always lies ahead.
    const body = await create({ cron: "30 2 * * *", startsAt: "2094-03-27T00:00:00Z" });
    expect(body.nextFires.slice(0, 3)).toEqual([
      "2094-03-27T01:30:00.000Z",
      "2094-03-28T01:00:00.000Z",
      "2094-03-29T00:30:00.000Z",
    ]);
  });

  test.each([
    [{ name: "" }, "/name invalid_value"],
    [{ cron: "61 * * * *" }, "/cron invalid_value"],
    [{ cron: "@daily" }, "/cron invalid_value"],
    [{ cron: "2026-01-01T00:00:00" }, "/cron invalid_value"],
    [{ cron: `${"0,".repeat(60)}0 * * * *` }, "/cron invalid_value"],
    [{ cron: "0 0 31 2 *" }, "/cron never_fires"],
    [{ cron: "*/14 * * * *" }, "/cron too_often"],
    [{ cron: "0,5 0 1 1 *" }, "/cron too_often"],
    // The runs are 70 minutes apart. Only in the night of the change to daylight saving time, two of them are closer.
    [{ cron: "0,50 1,3 * * *", timezone: "Europe/Amsterdam" }, "/cron too_often"],
    [{ cron: "*/14 * * * *", endsAt: "2999-01-01T00:00:00Z" }, "/cron too_often"],
    [{ endsAt: "2026-01-01T00:00:00Z" }, "/endsAt never_fires"],
    [{ startsAt: "2027-02-01T00:00:00Z", endsAt: "2027-01-01T00:00:00Z" }, "/startsAt empty_range"],
    [{ startsAt: "9999-12-31T23:59:59Z" }, "/startsAt never_fires"],
    [{ cron: "0 0 31 2 *", startsAt: "9999-12-31T23:59:59Z" }, "/cron never_fires"],
    [{ timezone: "Mars/Olympus" }, "/timezone invalid_value"],
    [{ missed: "ALL" }, "/missed invalid_value"],
    [{ missedWithinSeconds: -1 }, "/missedWithinSeconds invalid_value"],
    [{ overlap: null }, "/overlap invalid_value"],
    [{ status: "PAUSED" }, "/status invalid_value"],
    [{ searchParam: { helth: "DOWN" } }, "/searchParam/helth unknown_filter"],
    [{ searchParam: { createdFrom: "yesterday" } }, "/searchParam/createdFrom invalid_filter"],
    [{ options: { format: "docx" } }, "/options/format invalid_option"],
    [{ options: { reportType: "PROXY_DOMAIN" } }, "/options/reportType unknown_field"],
    [{ options: { nonsense: 1 } }, "/options/nonsense unknown_parameter"],
    [{ owner: "basic:walter" }, "/owner read_only"],
    [{ crom: "* * * * *" }, "/crom unknown_field"],
  ])("the API answers 422 to a schedule with %j", async (body, expected) => {
    expect(await pointers(body)).toContain(expected);
  });

  test("the 422 of a schedule lists all invalid fields, filters and options together", async () => {
    const wrong = {
      name: "",
      cron: "61 * * * *",
      timezone: "Mars/Olympus",
      status: "PAUSED",
      searchParam: { helth: "DOWN", kind: ["REVERS", "FORWARD", "X"] },
      options: { format: "docx", columns: ["zz", "name", "yy"], reportType: "PROXY" },
      nonsense: 1,
    };
    const all = [
      "/name invalid_value",
      "/timezone invalid_value",
      "/nonsense unknown_field",
      "/options/reportType unknown_field",
      "/options/format invalid_option",
      "/options/columns/0 invalid_option",
      "/options/columns/2 invalid_option",
      "/searchParam/helth unknown_filter",
      "/searchParam/kind/0 invalid_filter",
      "/searchParam/kind/2 invalid_filter",
      "/status invalid_value",
      "/cron invalid_value",
    ];
    expect(await pointers(wrong)).toEqual(all);
    const { id } = await create();
    const { status: _, ...patch } = wrong;
    const { body } = await alice.patch(`${path}/${id}`).send(patch).expect(422);
    const found = body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    expect(found).toEqual(all.filter((each) => !each.startsWith("/status")));
    expect(await pointers({ name: "", cron: "*/14 * * * *" })).toEqual(["/name invalid_value", "/cron too_often"]);
  });

  test.each([
    [{ options: [] }, "options must be an object of options."],
    [{ searchParam: [] }, "searchParam must be an object of filters, or text."],
  ])("the 422 to a schedule with %j names the expected JSON type", async (body, message) => {
    const { body: problem } = await alice
      .post(path)
      .send({ ...monthly, ...body })
      .expect(422);
    expect(problem.errors).toMatchObject([{ message }]);
  });

  test("a schedule needs the type's authority, and a principal has at most 50 schedules", async () => {
    const other = await api.as(["REPORT_PROXY_DOMAIN"], "carol");
    await other.post(path).send(monthly).expect(403);
    await Promise.all(Array.from({ length: 55 }, async () => alice.post(path).send(monthly)));
    const { body } = await alice.post(path).send(monthly).expect(422);
    expect(body.code).toBe("too-many-schedules");
    expect(
      await api.sql`select count(*)::int from report_schedules where owner <> all (${[...otherOwnerPrincipals]})`,
    ).toEqual([{ count: 50 }]);
    await create({}, bob);
  });
});

describe("access to schedules", () => {
  test("only the owner and administrators can access a schedule, others get a 404", async () => {
    const { id } = await create();
    const unknown = "018f0000-0000-7000-8000-00000000dead";
    const without = (body: object) => ({ ...body, requestId: "", instance: "" });
    for (const ask of [
      (at: string) => bob.get(at),
      (at: string) => bob.put(at).send(monthly),
      (at: string) => bob.patch(at).send({ status: "PAUSED" }),
      (at: string) => bob.delete(at),
      (at: string) => bob.get(`${at}/fires`),
      (at: string) => bob.post(`${at}/fires`).send({}),
    ]) {
      const [theirs, none] = [await ask(`${path}/${id}`), await ask(`${path}/${unknown}`)];
      expect(theirs.status).toBe(404);
      expect(without(theirs.body)).toEqual(without(none.body));
    }
    await admin.get(`${path}/${id}`).expect(200);
    await admin.patch(`${path}/${id}`).send({ name: "Theirs" }).expect(201);
    const names = async (agent: Agent, query = "") =>
      (await agent.get(`${path}?${query}`).expect(200)).body.map(({ name }: { name: string }) => name);
    expect([
      await names(alice),
      await names(bob),
      await names(admin, "limit=1"),
      await names(admin, "owner=me"),
    ]).toEqual([["Theirs"], [], ["Theirs"], []]);
    expect(await names(alice, "status=PAUSED")).toEqual([]);
    expect(await names(alice, "q=thei&createdFrom=today-P1D")).toEqual(["Theirs"]);
  });
});

describe("changes of a schedule", () => {
  test("PATCH merges and PUT replaces fields of a schedule; read-only fields may be sent", async () => {
    const first = await create({
      searchParam: { health: "DOWN", kind: "REVERSE" },
      options: { format: "csv", title: "One" },
    });
    const patched = await alice
      .patch(`${path}/${first.id}`)
      .send({ searchParam: { kind: null }, options: { title: "Two" }, missed: "SKIP" })
      .expect(201);
    expect(patched.body).toMatchObject({
      searchParam: { health: ["DOWN"] },
      options: { format: "csv", title: "Two" },
      missed: "SKIP",
      nextFireAt: first.nextFireAt,
    });
    expect(patched.headers["etag"]).toBe('"2-0.13"');
    const same = await alice.put(`${path}/${first.id}`).send(patched.body).expect(201);
    expect({ ...same.body, updatedAt: "" }).toEqual({ ...patched.body, updatedAt: "" });
    const replaced = await alice
      .put(`${path}/${first.id}`)
      .send({ ...monthly, cron: "0 3 1 * *" })
      .expect(201);
    expect(replaced.body).toMatchObject({ searchParam: {}, options: {}, missed: "LATEST", cron: "0 3 1 * *" });
    expect(replaced.body.nextFireAt).not.toBe(first.nextFireAt);
    const moved = await alice
      .put(`${path}/${first.id}`)
      .send({ ...monthly, reportType: "PROXY_DOMAIN" })
      .expect(422);
    expect(moved.body.errors[0]).toMatchObject({ pointer: "/reportType", code: "read_only" });
  });

  test("a PUT that changes no field of a schedule only confirms the owner", async () => {
    const first = await create({
      searchParam: { software: "NGINX", kind: "REVERSE", q: "a" },
      options: { timezone: "UTC", title: "One", columns: ["name", "kind"] },
    });
    const times = async () =>
      (
        await api.sql`select confirmed_at > now() - interval '1 day' as confirmed, failures_from from report_schedules where id = ${first.id}`
      )[0]!;
    await api.sql`update report_schedules set confirmed_at = now() - interval '2 days' where id = ${first.id}`;
    const before = await times();
    const { body, headers } = await alice.put(`${path}/${first.id}`).send(first).expect(201);
    expect([headers["etag"], body]).toEqual(['"1-0.13"', first]);
    expect(await times()).toEqual({ ...before, confirmed: true });
    expect(before["confirmed"]).toBe(false);
  });

  test("a schedule's entity tag of an older release is valid for If-Match only", async () => {
    const { id } = await create();
    const { headers } = await alice.get(`${path}/${id}`).set("If-None-Match", '"1-0"').expect(200);
    expect(headers["etag"]).toBe('"1-0.13"');
    await alice.patch(`${path}/${id}`).set("If-Match", '"1-0"').send({ status: "PAUSED" }).expect(201);
    await alice.patch(`${path}/${id}`).set("If-Match", '"1-0"').send({ status: "ACTIVE" }).expect(412);
  });

  test("a schedule that its report type does not accept cannot be resumed until changed", async () => {
    const { id, unfitBecause } = await create();
    expect(unfitBecause).toBeNull();
    await api.sql`update report_schedules set search_param = '{"unknown": ["x"]}' where id = ${id}`;
    const { headers, body } = await alice.get(`${path}/${id}`).set("If-None-Match", '"1-0.13"').expect(200);
    expect(headers["etag"]).toBe('"1-0.14"');
    expect(body.unfitBecause).toEqual({
      code: "INVALID_PARAMETERS",
      detail: expect.stringContaining("unknown") as string,
    });
    await alice.patch(`${path}/${id}`).send({ status: "PAUSED" }).expect(201);
    await alice.patch(`${path}/${id}`).send({ status: "ACTIVE" }).expect(422);
    const changed = { searchParam: { unknown: null }, status: "ACTIVE" };
    const fixed = await alice.patch(`${path}/${id}`).send(changed).expect(201);
    expect(fixed.body).toMatchObject({ status: "ACTIVE", unfitBecause: null });
  });

  test("null in a schedule's PATCH resets a field to its default, including the status", async () => {
    const { id } = await create({ missed: "SKIP", missedWithinSeconds: 60, overlap: "ALLOW" });
    await alice.patch(`${path}/${id}`).send({ status: "PAUSED" }).expect(201);
    const nulls = { missed: null, missedWithinSeconds: null, overlap: null, timezone: null };
    const patched = await alice.patch(`${path}/${id}`).send(nulls).expect(201);
    const defaults = { missed: "LATEST", missedWithinSeconds: 3_600, overlap: "SKIP", timezone: "UTC" };
    expect(patched.body).toMatchObject({ ...defaults, status: "PAUSED" });
    const resumed = await alice.patch(`${path}/${id}`).send({ status: null }).expect(201);
    expect(resumed.body).toMatchObject({ ...defaults, status: "ACTIVE" });
    expect(resumed.body.nextFires).toHaveLength(5);
    for (const name of ["name", "cron", "reportType"])
      await alice
        .patch(`${path}/${id}`)
        .send({ [name]: null })
        .expect(422);
  });

  test("a schedule can be paused, resumed and deleted, also with If-Match", async () => {
    const { id } = await create();
    const paused = await alice.patch(`${path}/${id}`).send({ status: "PAUSED" }).expect(201);
    expect(paused.body).toMatchObject({
      status: "PAUSED",
      pausedBecause: { code: "REQUESTED" },
      nextFireAt: null,
      nextFires: [],
    });
    await alice.patch(`${path}/${id}`).set("If-Match", '"1-0"').send({ status: "ACTIVE" }).expect(412);
    const resumed = await alice
      .patch(`${path}/${id}`)
      .set("If-Match", paused.headers["etag"]!)
      .send({ status: "ACTIVE" });
    expect(resumed.body).toMatchObject({ status: "ACTIVE" });
    expect(resumed.body.nextFires).toHaveLength(5);
    await alice.get(`${path}/${id}`).set("If-None-Match", resumed.headers["etag"]!).expect(304);
    await alice.delete(`${path}/${id}`).expect(204);
    await alice.delete(`${path}/${id}`).expect(204);
    await alice.get(`${path}/${id}`).expect(410);
    await alice.post(`${path}/${id}/fires`).send({}).expect(410);
    await bob.get(`${path}/${id}`).expect(404);
    const verbs = api.lines.filter(({ audit }) => audit === true).map(({ action }) => action);
    for (const verb of ["create", "pause", "resume", "delete"]) expect(verbs).toContain(`schedule.${verb}`);
  });
});

describe("manual runs", () => {
  test("a manual run starts a report of the owner and counts towards the caller's limit", async () => {
    const { id } = await create({ searchParam: { createdFrom: "today" } });
    await alice.patch(`${path}/${id}`).send({ status: "PAUSED" }).expect(201);
    const { body, headers } = await admin.post(`${path}/${id}/fires`).send({}).expect(201);
    expect(body).toMatchObject({ scheduleId: id, outcome: "STARTED", because: null, count: 1 });
    expect(headers["location"]).toBe(`${path}/${id}/fires/${body.id}`);
    const other = await create();
    await alice.get(`${path}/${other.id}/fires/${body.id}`).expect(404);
    expect((await alice.get(headers["location"]!).expect(200)).body).toEqual(body);
    expect((await alice.get(`${path}/${id}/fires`).expect(200)).body).toEqual([body]);
    const report = await alice.get(`/v1/reports/${body.reportId}`).expect(200);
    expect(report.body).toMatchObject({ scheduleId: id, requestedBy: "https://issuer.example|alice" });
    expect(report.body.searchParamGiven).toEqual({ createdFrom: "today" });
    const events = await alice.get(`/v1/reports/${body.reportId}/events`).expect(200);
    expect(events.body).toMatchObject([{ from: null, to: "QUEUED", actor: "https://issuer.example|root" }]);
    const audited = api.lines.filter(({ audit, action }) => audit === true && action === "schedule.run");
    expect(audited.at(-1)).toMatchObject({ principal: "https://issuer.example|root", recordId: id });
    expect(await api.sql`select key from rate_windows where key like 'starts:%'`).toEqual([
      { key: "starts:https://issuer.example|root" },
    ]);
    const listed = await alice.get(`/v1/reports?scheduleId=${id}`).expect(200);
    expect(listed.body.map(({ id: each }: { id: string }) => each)).toEqual([body.reportId]);
    expect((await alice.get(`${path}/${id}`)).body.lastFire).toEqual(body);
  });

  test("a run contains the report's ID only for callers who may see the report", async () => {
    const { id } = await create();
    const knowing = await api.as(["REPORT_PROXY", "REPORTS_ADMIN"], "root");
    const ignorant = await api.as(["REPORTS_ADMIN"], "root");
    const run = async (caller: typeof alice, key: string) =>
      (await caller.post(`${path}/${id}/fires`).set("Idempotency-Key", key).send({}).expect(201)).body;
    const [first, second] = [await run(knowing, "knowing"), await run(ignorant, "ignorant")];
    expect([typeof first.reportId, second.reportId]).toEqual(["string", null]);
    expect(await run(ignorant, "knowing")).toEqual({ ...first, reportId: null });
    expect(await run(knowing, "ignorant")).toEqual({ ...second, reportId: expect.any(String) });
    const [hidden, shown] = [await ignorant.get(`${path}/${id}/fires`), await knowing.get(`${path}/${id}/fires`)];
    expect(hidden.body).toEqual(shown.body.map((fire: object) => ({ ...fire, reportId: null })));
    expect((await ignorant.get(`${path}/${id}`)).body.lastFire.reportId).toBeNull();
  });

  test("a manual run with a repeated Idempotency-Key starts no second report", async () => {
    const [one, two] = [await create(), await create()];
    const run = async (id: string) => alice.post(`${path}/${id}/fires`).set("Idempotency-Key", "run").send({});
    const [first, again] = [await run(one.id), await run(one.id)];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers).toMatchObject({ "idempotency-replayed": "true", location: first.headers["location"] });
    expect((await run(two.id)).body).toMatchObject({ status: 422, code: "idempotency-key-reused" });
    expect(await api.countRows()).toMatchObject({ reports: 1 });
  });

  test("two manual runs in the same millisecond start two reports", async () => {
    const { id } = await create();
    // A trigger inserts a run with the same time in the first attempt only. The sequence counts attempts, because Postgres does not roll sequences
    // back.
    await api.sql.unsafe(`
      create sequence tries;
      create function insert_concurrent_run() returns trigger language plpgsql as $$ begin
        if nextval('tries') = 1 then
          insert into report_schedule_fires (id, schedule_id, scheduled_for, outcome, report_id)
          values (gen_random_uuid(), new.schedule_id, new.created_at, 'STARTED', gen_random_uuid());
        end if;
        return new;
      end $$;
      create trigger insert_concurrent_run before insert on reports for each row execute function insert_concurrent_run()`);
    const { body } = await admin.post(`${path}/${id}/fires`).send({}).expect(201);
    expect(await api.sql`select last_value::int as tries from tries`).toEqual([{ tries: 2 }]);
    await api.sql.unsafe(
      "drop trigger insert_concurrent_run on reports; drop function insert_concurrent_run; drop sequence tries",
    );
    expect((await alice.get(`${path}/${id}/fires`).expect(200)).body).toEqual([body]);
    expect(await api.countRows()).toMatchObject({ reports: 1 });
  });

  test("a manual run needs an unended schedule, an empty body and the owner's authority", async () => {
    const { id } = await create();
    await alice.post(`${path}/${id}/fires`).send({ now: true }).expect(422);
    await (await api.as([], "alice")).post(`${path}/${id}/fires`).send({}).expect(403);
    await api.sql`update report_schedules set status = 'ENDED', next_fire_at = null where id = ${id}`;
    const { body } = await alice.post(`${path}/${id}/fires`).send({}).expect(422);
    expect(body.code).toBe("schedule-ended");
    await api.sql`update report_schedules set owner = 'basic:walter', status = 'PAUSED' where id = ${id}`;
    await admin.post(`${path}/${id}/fires`).send({}).expect(201);
    await api.sql`update users set authorities = '{}' where name = 'walter'`;
    await admin.post(`${path}/${id}/fires`).send({}).expect(403);
  });

  test("an administrator can run a schedule only if its owner was seen within 90 days", async () => {
    const { id } = await create();
    const seen = async (days: number) =>
      api.sql`update report_schedules set confirmed_at = now() - make_interval(days => ${days}) where id = ${id}`;
    await seen(89);
    await admin.post(`${path}/${id}/fires`).send({}).expect(201);
    await seen(91);
    const { body } = await admin.post(`${path}/${id}/fires`).send({}).expect(403);
    expect(body).toMatchObject({ code: "authority-missing", detail: expect.stringContaining("has not been seen") });
    // The owner can still run it, because the token of this request contains the authority. It does not matter when the owner was last seen.
    await alice.post(`${path}/${id}/fires`).send({}).expect(201);
  });
});

test("any request of an owner with the authority confirms the owner's schedules", async () => {
  const { id } = await create({}, await api.as(heldAuthorities, "dora"));
  await api.sql`update report_schedules set confirmed_at = now() - interval '80 days' where id = ${id}`;
  await (await api.as(["REGISTRY_READ"], "dora")).get("/v1/proxies").expect(200);
  await (await api.as(["REPORT_PROXY"], "dora")).get("/v1/reports").expect(200);
  const isConfirmed = async () =>
    (await api.sql`select from report_schedules where id = ${id} and confirmed_at > now() - interval '1 day'`)
      .length === 1;
  expect(await waitFor(isConfirmed, { what: "the owner to be confirmed" })).toBe(true);
});
