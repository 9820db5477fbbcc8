import { waitForBlockedSession } from "@reports/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../../test/api-under-test.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(async () => api[Symbol.asyncDispose]());

const heldAuthorities = ["WEBHOOKS_WRITE", "REPORT_PROXY"];
const hook = { url: "https://receiver.example/hook", events: ["report.cancelled"] };
let callers = 0;
/** Returns a client of a new caller each time, because a caller can have at most 20 webhooks. */
const caller = async (authorities: readonly string[] = heldAuthorities) => api.as(authorities, `caller-${++callers}`);

test("a webhook is created, changed and deleted, and its secret is returned only once", async () => {
  const alice = await caller();
  const made = await alice.post("/v1/webhooks").send(hook).expect(201);
  const { secret, ...webhook } = made.body;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(webhook).toMatchObject({ ...hook, reportTypes: null, of: "OWN", status: "ACTIVE", pausedBecause: null });
  const path = `/v1/webhooks/${webhook.id}`;
  expect(made.headers).toMatchObject({ location: path, etag: '"w1-3"', "cache-control": "no-store" });
  expect((await alice.get(path).expect(200)).body).toEqual(webhook);
  expect((await alice.get("/v1/webhooks?count=exact").expect(200)).body).toEqual([webhook]);
  const paused = await alice.patch(path).set("If-Match", '"w1"').send({ status: "PAUSED" }).expect(201);
  const requested = { code: "REQUESTED", detail: "A caller has paused it." };
  expect(paused.body).toMatchObject({ status: "PAUSED", pausedBecause: requested });
  expect((await alice.get("/v1/webhooks?status=ACTIVE").expect(200)).body).toEqual([]);
  await alice.patch(path).set("If-Match", '"w1"').send({ status: "ACTIVE" }).expect(412);
  const changed = await alice
    .patch(path)
    .send({ status: "ACTIVE", reportTypes: ["PROXY"], events: ["report.expired"] });
  expect(changed.body).toMatchObject({ pausedBecause: null, reportTypes: ["PROXY"], events: ["report.expired"] });
  expect((await alice.patch(path).send({ reportTypes: null }).expect(201)).body.reportTypes).toBeNull();
  const rotated = await alice.post(`${path}/secrets`).send({}).expect(201);
  expect(rotated.body.secret).not.toBe(secret);
  expect(Date.parse(rotated.body.previousSecretEndsAt) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  const stored = JSON.stringify(await api.sql`select * from webhooks where id = ${webhook.id}`);
  for (const each of [secret, rotated.body.secret]) {
    expect(stored).not.toContain(each.slice(6));
    expect(JSON.stringify(api.lines)).not.toContain(each.slice(6));
  }
  await alice.delete(path).expect(204);
  await alice.delete(path).expect(204);
  await alice.get(path).expect(410);
  const verbs = api.lines.filter(({ audit, recordId }) => audit === true && recordId === webhook.id);
  expect(verbs.map(({ action, outcome }) => `${String(action)} ${String(outcome)}`)).toEqual([
    "webhook.create done",
    "webhook.patch done",
    "webhook.patch done",
    "webhook.patch done",
    "webhook.rotate done",
    "webhook.delete done",
    "webhook.delete done",
  ]);
});

test("the fifth rotation of a webhook's secret within a day gets a 429", async () => {
  const alice = await caller();
  const made = await alice.post("/v1/webhooks").send(hook).expect(201);
  const path = `/v1/webhooks/${made.body.id}/secrets`;
  const ends: string[] = [];
  for (let count = 1; count <= 4; count++)
    ends.push((await alice.post(path).send({}).expect(201)).body.previousSecretEndsAt as string);
  expect(new Set(ends).size).toBe(4);
  const before = await api.sql`select secret, revision from webhooks where id = ${made.body.id}`;
  const refused = await alice.post(path).send({}).expect(429);
  expect(refused.body).toMatchObject({ code: "too-many-secrets" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(23 * 3_600);
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(24 * 3_600);
  expect(await api.sql`select secret, revision from webhooks where id = ${made.body.id}`).toEqual(before);
  await api.sql`
    update webhooks set earlier_secrets = jsonb_set(earlier_secrets, '{-1,endsAt}', to_jsonb(now() - interval '1 second'))
    where id = ${made.body.id}`;
  await alice.post(path).send({}).expect(201);
  await alice.post(path).send({}).expect(429);
});

test("20 concurrent PATCH requests succeed, but only one of 20 with the same If-Match", async () => {
  const alice = await caller();
  const made = await alice.post("/v1/webhooks").send(hook).expect(201);
  const path = `/v1/webhooks/${made.body.id}`;
  // Each PATCH sets another URL, because a PATCH without a change does not increment the revision.
  const patch = async (name: string, headers: Readonly<Record<string, string>>) =>
    Promise.all(
      Array.from({ length: 20 }, async (_, number) =>
        alice
          .patch(path)
          .set(headers)
          .send({ url: `${hook.url}/${name}/${number}` })
          .then(({ status }) => status),
      ),
    );
  expect(new Set(await patch("any", {}))).toEqual(new Set([201]));
  const { headers } = await alice.get(path).expect(200);
  expect(headers).toMatchObject({ etag: '"w21-3"' });
  const conditional = await patch("one", { "If-Match": '"w21"' });
  expect(conditional.filter((status) => status === 201)).toHaveLength(1);
  expect(conditional.filter((status) => status === 412)).toHaveLength(19);
});

test("a DELETE that waits for a concurrent change checks If-Match after the change", async () => {
  const alice = await caller();
  const { id } = (await alice.post("/v1/webhooks").send(hook).expect(201)).body;
  const path = `/v1/webhooks/${id}`;
  const { etag = "" } = (await alice.get(path).expect(200)).headers;
  const deleted = await api.sql.begin(async (tx) => {
    await tx`update webhooks set url = url || '/2', revision = revision + 1 where id = ${id}`;
    const answer = alice
      .delete(path)
      .set("If-Match", etag)
      .then(({ status }) => status);
    await waitForBlockedSession(tx);
    return { answer };
  });
  expect(await deleted.answer).toBe(412);
  await alice.get(path).expect(200);
  await alice.delete(path).expect(204);
});

test("a webhook's entity tag of an older release is valid for If-Match only", async () => {
  const alice = await caller();
  const { id } = (await alice.post("/v1/webhooks").send(hook).expect(201)).body;
  const path = `/v1/webhooks/${id}`;
  const { headers } = await alice.get(path).set("If-None-Match", '"w1"').expect(200);
  expect(headers["etag"]).toBe('"w1-3"');
  await alice.patch(path).set("If-Match", '"w1"').send({ status: "PAUSED" }).expect(201);
  await alice.patch(path).set("If-Match", '"w1"').send({ status: "ACTIVE" }).expect(412);
});

test("GET and PATCH of a webhook evaluate If-Match and If-None-Match", async () => {
  const alice = await caller();
  const { id } = (await alice.post("/v1/webhooks").send(hook).expect(201)).body;
  const path = `/v1/webhooks/${id}`;
  const { headers, text } = await alice.get(path).set("If-None-Match", '"w1-3"').expect(304);
  expect([headers["etag"], text]).toEqual(['"w1-3"', ""]);
  await alice.get(path).set("If-None-Match", '"w2"').set("If-Match", '"w1"').expect(200);
  const failure = (header: string, message: string) => ({
    detail: message,
    errors: [{ header, code: "precondition_failed", message }],
  });
  expect((await alice.get(path).set("If-Match", '"w2"').expect(412)).body).toMatchObject(
    failure("If-Match", "If-Match names no current version. Read it again, then decide."),
  );
  expect((await alice.patch(path).set("If-None-Match", "*").send({ status: "PAUSED" }).expect(412)).body).toMatchObject(
    failure("If-None-Match", "If-None-Match names the current version, so that nothing was written."),
  );
});

test("null in a webhook's PATCH resets a field to its default, including the status", async () => {
  const alice = await caller([...heldAuthorities, "REPORTS_ADMIN"]);
  const given = { ...hook, of: "ALL", reportTypes: ["PROXY"] };
  const path = `/v1/webhooks/${(await alice.post("/v1/webhooks").send(given).expect(201)).body.id}`;
  await alice.patch(path).send({ status: "PAUSED" }).expect(201);
  const { body } = await alice.patch(path).send({ of: null, reportTypes: null }).expect(201);
  expect(body).toMatchObject({ of: "OWN", reportTypes: null, status: "PAUSED" });
  expect((await alice.patch(path).send({ status: null }).expect(201)).body).toMatchObject({
    status: "ACTIVE",
    pausedBecause: null,
  });
  for (const name of ["url", "events"])
    await alice
      .patch(path)
      .send({ [name]: null })
      .expect(422);
});

test("if 10,000 deliveries of a webhook wait, no finished one can be delivered again", async () => {
  const alice = await caller();
  const { id } = (await alice.post("/v1/webhooks").send(hook).expect(201)).body;
  const path = `/v1/webhooks/${id}/deliveries`;
  const ended = (await alice.post(path).send({ type: "webhook.test" }).expect(202)).body;
  await api.sql`update webhook_deliveries set status = 'FAILED', next_try_at = null where id = ${ended.id}`;
  await api.sql`
    insert into webhook_deliveries (id, webhook_id, event_id, type, data, next_try_at)
    select new_id(), ${id}, new_id(), 'webhook.test', '{}', now() from generate_series(1, 10000)`;
  const waiting = (await alice.get(`${path}?status=PENDING&limit=1`).expect(200)).body[0];
  for (const body of [{ type: "webhook.test" }, { eventId: ended.eventId }]) {
    const { body: problem } = await alice.post(path).send(body).expect(422);
    expect(problem.errors).toEqual([{ pointer: "", code: "too_many", message: expect.stringContaining("10,000") }]);
  }
  await alice.post(path).send({ eventId: waiting.eventId }).expect(202);
  await api.sql`update webhook_deliveries set status = 'FAILED', next_try_at = null where event_id = ${waiting.eventId}`;
  await alice.post(path).send({ eventId: ended.eventId }).expect(202);
  await alice.post(path).send({ type: "webhook.test" }).expect(422);
  expect((await api.sql`select count(*)::int from webhook_deliveries where webhook_id = ${id}`)[0]).toEqual({
    count: 10_001,
  });
  await alice.delete(`/v1/webhooks/${id}`).expect(204);
});

test("an event becomes a delivery, which can be listed, read and delivered again", async () => {
  const alice = await caller();
  const { id } = (await alice.post("/v1/webhooks").send(hook).expect(201)).body;
  const report = (await alice.post("/v1/reports").send({ reportType: "PROXY", format: "csv" }).expect(202)).body;
  const cancelled = await alice.patch(`/v1/reports/${report.id}`).send({ status: "CANCELLED" }).expect(201);
  const path = `/v1/webhooks/${id}/deliveries`;
  const { body: deliveries } = await alice.get(path).expect(200);
  expect(deliveries).toMatchObject([{ type: "report.cancelled", reportId: report.id, status: "PENDING", tries: 0 }]);
  expect(deliveries).toMatchObject([{ reportTitle: report.title }]);
  expect((await alice.get(`${path}/${deliveries[0].id}`).expect(200)).body).toEqual(deliveries[0]);
  const other = await alice.post("/v1/webhooks").send(hook).expect(201);
  await alice.get(`/v1/webhooks/${other.body.id}/deliveries/${deliveries[0].id}`).expect(404);
  await alice.delete(`/v1/webhooks/${other.body.id}`).expect(204);
  const [row] = await api.sql`select data from webhook_deliveries where id = ${deliveries[0].id}`;
  expect(row!["data"]).toMatchObject({ id: report.id, revision: cancelled.body.revision, status: "CANCELLED" });
  await api.sql`update webhook_deliveries set status = 'FAILED', tries = 8, next_try_at = null, ended_at = now() where webhook_id = ${id}`;
  expect((await alice.get(`${path}?status=PENDING`).expect(200)).body).toEqual([]);
  const again = await alice.post(path).send({ eventId: deliveries[0].eventId }).expect(202);
  expect(again.body).toMatchObject({ id: deliveries[0].id, status: "PENDING", tries: 0, endedAt: null });
  const tested = await alice.post(path).send({ type: "webhook.test" }).expect(202);
  expect(tested.body).toMatchObject({ type: "webhook.test", reportId: null, reportTitle: null, status: "PENDING" });
  expect(tested.body.eventId).not.toBe(deliveries[0].eventId);
  const first = await alice.get(`${path}?limit=1`).expect(200);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers["link"]!)![1]!;
  expect((await alice.get(next).expect(200)).body).toEqual([again.body]);
  for (const body of [{}, { eventId: "x" }, { eventId: id }, { type: "x" }, { type: "webhook.test", x: 1 }, []])
    await alice.post(path).send(body).expect(422);
});

test.each([
  [{}, ["/url", "/events"]],
  [{ ...hook, url: "http://receiver.example/" }, ["/url"]],
  [{ ...hook, url: "https://127.1/" }, ["/url"]],
  [{ ...hook, url: "https://[::ffff:10.0.0.1]/" }, ["/url"]],
  [{ ...hook, url: "https://169.254.169.254/latest" }, ["/url"]],
  [{ ...hook, url: "https://u:p@receiver.example/" }, ["/url"]],
  [{ ...hook, url: "https://@receiver.example/" }, ["/url"]],
  [{ ...hook, url: "https://receiver.example../" }, ["/url"]],
  [{ ...hook, url: "https://receiver.example/#" }, ["/url"]],
  [{ ...hook, url: `https://receiver.example/${"ä".repeat(400)}` }, ["/url"]],
  [{ ...hook, url: "https://receiver.example:8443/" }, ["/url"]],
  [{ ...hook, url: "https://receiver.example/\u0000" }, ["/url"]],
  [{ ...hook, url: " https://receiver.example/a\tb" }, ["/url"]],
  [{ ...hook, url: 1, events: [], of: "MINE" }, ["/url", "/events", "/of"]],
  [{ ...hook, events: ["report.failed", "report.failed"] }, ["/events"]],
  [{ ...hook, events: ["webhook.test"] }, ["/events/0"]],
  [{ ...hook, reportTypes: ["PROXY", "NONE"] }, ["/reportTypes/1"]],
  [
    { url: "https://10.0.0.1/", events: ["none"], of: "MINE", reportTypes: ["PROXY", "NONE"], x: 1 },
    ["/events/0", "/of", "/x", "/url", "/reportTypes/1"],
  ],
  [{ ...hook, secret: "mine", status: "PAUSED" }, ["/status", "/secret"]],
])("the API answers 422 to a webhook with %j and names %j", async (body, pointers) => {
  const alice = await caller();
  const { body: problem } = await alice.post("/v1/webhooks").send(body).expect(422);
  expect(problem.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  expect((await alice.get("/v1/webhooks").expect(200)).body).toEqual([]);
});

test("only administrators can use `of: ALL`, and others' webhooks are hidden", async () => {
  const alice = await caller();
  const { body } = await alice.post("/v1/webhooks").send(hook).expect(201);
  expect(
    (
      await alice
        .post("/v1/webhooks")
        .send({ ...hook, of: "ALL" })
        .expect(403)
    ).body.code,
  ).toBe("authority-missing");
  await alice.patch(`/v1/webhooks/${body.id}`).send({ of: "ALL" }).expect(403);
  const bob = await caller();
  const unknown = await bob.get("/v1/webhooks/019a0000-0000-7000-8000-000000000000").expect(404);
  const hidden = await bob.get(`/v1/webhooks/${body.id}`).expect(404);
  expect({ ...hidden.body, instance: "", requestId: "" }).toEqual({ ...unknown.body, instance: "", requestId: "" });
  await bob.delete(`/v1/webhooks/${body.id}`).expect(404);
  expect((await bob.get("/v1/webhooks").expect(200)).body).toEqual([]);
  const admin = await caller([...heldAuthorities, "REPORTS_ADMIN"]);
  expect((await admin.get(`/v1/webhooks/${body.id}`).expect(200)).body.owner).toMatch(/caller-\d+$/);
  await admin
    .post("/v1/webhooks")
    .send({ ...hook, of: "ALL" })
    .expect(201);
});

test("a caller sees no deliveries about reports that it may not see", async () => {
  const all = [...heldAuthorities, "REPORTS_ADMIN"];
  const subject = `caller-${++callers}`;
  const admin = await api.as(all, subject);
  const { id } = (
    await admin
      .post("/v1/webhooks")
      .send({ ...hook, of: "ALL" })
      .expect(201)
  ).body;
  const cancel = async (reportType: string, authority: string, as = `caller-${++callers}`) => {
    const requester = await api.as([authority], as);
    const report = (await requester.post("/v1/reports").send({ reportType, format: "csv" }).expect(202)).body;
    await requester.patch(`/v1/reports/${report.id}`).send({ status: "CANCELLED" }).expect(201);
    return report.id as string;
  };
  const ofOwner = await cancel("PROXY", "REPORT_PROXY", subject);
  const ofOther = await cancel("PROXY", "REPORT_PROXY");
  const ofOtherType = await cancel("PROXY_DOMAIN", "REPORT_PROXY_DOMAIN");
  const ids = [ofOwner, ofOther, ofOtherType];
  const path = `/v1/webhooks/${id}/deliveries`;
  const rows = await api.sql`select id, report_id, event_id from webhook_deliveries where webhook_id = ${id}`;
  const everyType = [...all, "REPORT_PROXY_DOMAIN"];
  await using reserved = await startApiUnderTest({ databaseUrl: api.databaseUrl, reportVisibility: "requester" });
  for (const [at, who, authorities, known] of [
    [api, subject, everyType, ids],
    [api, subject, all, [ofOwner, ofOther]],
    [api, "another administrator", all, [ofOwner, ofOther]],
    [api, subject, heldAuthorities, [ofOwner, ofOther]],
    [api, subject, ["WEBHOOKS_WRITE", "REPORTS_ADMIN"], []],
    [api, subject, ["WEBHOOKS_WRITE"], []],
    [reserved, subject, all, [ofOwner, ofOther]],
    [reserved, subject, heldAuthorities, [ofOwner]],
  ] as const) {
    const caller = await at.as(authorities, who);
    const { body, headers } = await caller.get(`${path}?count=exact`).expect(200);
    const listed = (body as { reportId: string }[]).map(({ reportId }) => reportId).toSorted();
    expect([listed, Number(headers["x-total-count"])]).toEqual([[...known].toSorted(), known.length]);
    for (const row of rows) {
      const isKnown = new Set<string>(known).has(row["report_id"] as string);
      await caller.get(`${path}/${row["id"]}`).expect(isKnown ? 200 : 404);
      const again = await caller.post(path).send({ eventId: row["event_id"] });
      expect([who, authorities, again.status]).toEqual([who, authorities, isKnown ? 202 : 422]);
    }
  }
  await admin.delete(`/v1/webhooks/${id}`).expect(204);
});

test("only administrators see deliveries about schedules of others", async () => {
  const subject = `caller-${++callers}`;
  const admin = await api.as([...heldAuthorities, "REPORTS_ADMIN"], subject);
  const events = ["schedule.paused"];
  const { id } = (
    await admin
      .post("/v1/webhooks")
      .send({ ...hook, events, of: "ALL" })
      .expect(201)
  ).body;
  const path = `/v1/webhooks/${id}/deliveries`;
  const pause = async (owner: string) => {
    const schedule = { name: "Yearly", reportType: "PROXY", cron: "0 0 1 1 *" };
    const made = await (await api.as(heldAuthorities, owner)).post("/v1/report-schedules").send(schedule).expect(201);
    const data = api.sql.json({ scheduleId: made.body.id, because: "KEEPS_FAILING" });
    await api.sql`select queue_webhook_deliveries('schedule.paused', ${owner}, 'PROXY', null::uuid, ${data})`;
  };
  await pause(subject);
  await pause(`caller-${++callers}`);
  await admin.post(path).send({ type: "webhook.test" }).expect(202);
  const typesFor = async (authorities: readonly string[]) => {
    const { body } = await (await api.as(authorities, subject)).get(path).expect(200);
    return (body as { type: string }[]).map(({ type }) => type);
  };
  expect(await typesFor([...heldAuthorities, "REPORTS_ADMIN"])).toEqual(["webhook.test", ...events, ...events]);
  expect(await typesFor(heldAuthorities)).toEqual(["webhook.test", ...events]);
  await admin.delete(`/v1/webhooks/${id}`).expect(204);
});

test.each([
  ["https://example.com\\@127.0.0.1/", "https://example.com/@127.0.0.1/"],
  ["HTTPS:\\\\Receiver.EXAMPLE.:443\\hook", "https://receiver.example/hook"],
  ["https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"],
])("a webhook's URL %s is stored and returned as %s", async (typed, url) => {
  const alice = await caller();
  const made = await alice
    .post("/v1/webhooks")
    .send({ ...hook, url: typed })
    .expect(201);
  const path = `/v1/webhooks/${made.body.id}`;
  const stored = async () => (await api.sql`select url from webhooks where id = ${made.body.id}`)[0]!["url"];
  expect([made.body.url, await stored()]).toEqual([url, url]);
  const { headers } = await alice.patch(path).send({ url: typed }).expect(201);
  expect(headers["etag"]).toBe('"w1-3"');
  await alice.patch(path).send({ url: hook.url }).expect(201);
  expect((await alice.patch(path).send({ url: typed }).expect(201)).body.url).toBe(url);
  expect(await stored()).toBe(url);
});

test("a webhook's URL that an older release stored is returned in its normal spelling", async () => {
  const alice = await caller();
  const { id } = (await alice.post("/v1/webhooks").send(hook).expect(201)).body;
  const typed = "https://example.com\\@10.0.0.1/";
  await api.sql`update webhooks set url = ${typed} where id = ${id}`;
  const { body } = await alice.get(`/v1/webhooks/${id}`).expect(200);
  expect(body.url).toBe("https://example.com/@10.0.0.1/");
  const { headers } = await alice.patch(`/v1/webhooks/${id}`).send(body).expect(201);
  expect(headers["etag"]).toBe('"w1-3"');
});

test("a caller has at most 20 webhooks", async () => {
  const alice = await caller();
  const all = await Promise.all(Array.from({ length: 22 }, async () => alice.post("/v1/webhooks").send(hook)));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(20);
  expect(all.find(({ status }) => status === 422)!.body.code).toBe("too-many-webhooks");
});

test("a webhook stores the authorities of its owner's token, but none of a local user", async () => {
  const alice = await caller();
  const { body } = await alice.post("/v1/webhooks").send(hook).expect(201);
  const stored = async (id: string) =>
    (await api.sql`select owner_authorities from webhooks where id = ${id}`)[0]!["owner_authorities"];
  expect(await stored(body.id)).toEqual([...heldAuthorities].toSorted());
  await api.addUser("carol", "a-long-password", heldAuthorities);
  const made = await api.anonymous().post("/v1/webhooks").auth("carol", "a-long-password").send(hook).expect(201);
  expect(await stored(made.body.id)).toEqual([]);
});

test("without WEBHOOK_KEY, the API has no webhook endpoints and does not document them", async () => {
  await using without = await startApiUnderTest({ webhooks: false, databaseUrl: api.databaseUrl });
  const alice = await without.as(heldAuthorities);
  expect((await alice.get("/v1/webhooks").expect(404)).body.code).toBe("path-not-found");
  const { body: document } = await without.anonymous().get("/openapi.json").expect(200);
  expect([JSON.stringify(document).includes("/v1/webhooks"), document.webhooks]).toEqual([false, undefined]);
  const { body: described } = await api.anonymous().get("/openapi.json").expect(200);
  expect(Object.keys(described.webhooks)).toEqual([
    "report.succeeded",
    "report.failed",
    "report.cancelled",
    "report.expired",
    "schedule.paused",
    "webhook.test",
  ]);
});

test.each(["GONE", "OWNER_NOT_SEEN"] as const)(
  "a webhook paused with %s can be sent back as it was read",
  async (code) => {
    const owner = await api.as(["WEBHOOKS_WRITE"], `owner of ${code}`);
    const { body: made } = await owner.post("/v1/webhooks").send(hook).expect(201);
    const path = `/v1/webhooks/${made.id}`;
    await api.sql`update webhooks set status = 'PAUSED', paused_because = ${code} where id = ${made.id as string}`;
    const { body: read } = await owner.get(path).expect(200);
    expect(read.pausedBecause).toEqual({ code, detail: expect.any(String) as string });
    for (const body of [read, { status: "PAUSED" }, { ...read, pausedBecause: null }])
      expect((await owner.patch(path).send(body).expect(201)).body).toEqual(read);
    const resumed = await owner
      .patch(path)
      .send({ ...read, status: "ACTIVE" })
      .expect(201);
    expect(resumed.body.pausedBecause).toBeNull();
  },
);
