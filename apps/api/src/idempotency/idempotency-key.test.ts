import { parseIdempotencyKey } from "@reports/core/report";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { builtInReportAuthorities, startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";

let api: ApiUnderTest;
let secondApi: ApiUnderTest;

beforeAll(async () => {
  api = await startApiUnderTest();
  secondApi = await startApiUnderTest({ databaseUrl: api.databaseUrl });
});
afterAll(async () => {
  await secondApi[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});
beforeEach(async () => api.removeRows());

type Payload = Readonly<Record<string, string | boolean | Readonly<Record<string, unknown>>>>;
type Start = (payload: Payload, key: string, at?: ApiUnderTest, subject?: string) => Promise<Answer>;
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const startByGet: Start = async (payload, key, at = api, subject = "alice") => {
  const agent = await at.as(builtInReportAuthorities, subject);
  return agent.get("/v1/report").query(payload).set("Idempotency-Key", key);
};
const startByPost: Start = async (payload, key, at = api, subject = "alice") => {
  const agent = await at.as(builtInReportAuthorities, subject);
  return agent.post("/v1/reports").set("Idempotency-Key", key).send(payload);
};

const payload = { reportType: "PROXY", format: "csv", searchParam: "edge" };

describe.each([
  ["GET /v1/report", startByGet, { csvBom: "true", searchParam: '{"q":"edge"}' }],
  ["POST /v1/reports", startByPost, { csvBom: true, searchParam: { q: ["edge"] } }],
] as const)("Idempotency-Key on %s", (_, start, respelled) => {
  test("a start repeated with its key gets the first response and makes no other report", async () => {
    const first = await start(payload, "key-1");
    expect(first.status).toBe(202);
    expect(first.headers).not.toHaveProperty("idempotency-replayed");
    await api.succeed(String(first.body["id"]), "a");
    const second = await start(payload, "key-1");
    expect(second.status).toBe(202);
    expect(second.headers["idempotency-replayed"]).toBe("true");
    expect(second.text).toBe(first.text);
    for (const name of ["location", "link", "retry-after", "cache-control", "content-type"])
      expect(second.headers[name]).toBe(first.headers[name]);
    expect(await api.countRows()).toMatchObject({ reports: 1 });
  });

  test("simultaneous starts with one key at two instances create one report", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (__, index) => start(payload, "key-2", index % 2 === 0 ? api : secondApi)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === "true")).toHaveLength(7);
    expect(await api.countRows()).toEqual({ reports: 1, jobs: 1 });
  });

  test("an equal start with another key makes a second report", async () => {
    const answers = [await start(payload, "a"), await start(payload, "b")];
    expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(2);
    expect(answers.map(({ body }) => body["reused"])).toEqual([false, false]);
  });

  test("a different start with the same Idempotency-Key gets 422 and makes no report", async () => {
    await start(payload, "key-3");
    const answer = await start({ ...payload, searchParam: "core" }, "key-3");
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: "idempotency-key-reused",
      errors: [{ header: "Idempotency-Key", code: "key_reused" }],
    });
    expect(await api.countRows()).toEqual({ reports: 1, jobs: 1 });
  });

  test("a start in another spelling with the same Idempotency-Key counts as a repeat", async () => {
    const first = await start(payload, "key-4");
    const second = await start({ ...payload, ...respelled }, '"key-4"');
    expect(second.text).toBe(first.text);
    expect(second.headers["idempotency-replayed"]).toBe("true");
  });

  test("two principals can use the same Idempotency-Key for different reports", async () => {
    const [alice, bob] = [await start(payload, "key-5"), await start(payload, "key-5", api, "bob")];
    expect(bob.status).toBe(202);
    expect(bob.body["id"]).not.toBe(alice.body["id"]);
    expect(bob.headers).not.toHaveProperty("idempotency-replayed");
  });

  test("after a refused start, its Idempotency-Key can be used again", async () => {
    const refused = await start({ ...payload, format: "docx" }, "key-6");
    expect(refused.status).toBe(start === startByGet ? 400 : 422);
    expect((await start(payload, "key-6")).status).toBe(202);
  });

  test("after a start that failed to commit, its Idempotency-Key can be used again", async () => {
    await api.sql`alter table report_events rename to report_events_away`;
    expect((await start(payload, "key-7")).status).toBe(500);
    await api.sql`alter table report_events_away rename to report_events`;
    const answer = await start(payload, "key-7");
    expect(answer.status).toBe(202);
    expect(answer.headers).not.toHaveProperty("idempotency-replayed");
  });

  test("after 24 hours, a start with the same Idempotency-Key makes a new report", async () => {
    const first = await start(payload, "key-8");
    await api.sql`update idempotency_keys set created_at = now() - interval '23 hours 59 minutes'`;
    expect((await start(payload, "key-8")).text).toBe(first.text);
    await api.sql`update idempotency_keys set created_at = now() - interval '24 hours'`;
    const later = await start({ ...payload, searchParam: "core" }, "key-8");
    expect(later.status).toBe(202);
    expect(later.body["id"]).not.toBe(first.body["id"]);
  });

  test("a repeated start gets the first response even if the report was deleted", async () => {
    const first = await start(payload, "key-9");
    await (await api.as(builtInReportAuthorities)).delete(`/v1/reports/${String(first.body["id"])}`).expect(204);
    expect((await start(payload, "key-9")).text).toBe(first.text);
  });

  test.each(["", "two words", "a,b", '"unfinished', '""', "é", "x".repeat(256)])(
    "the malformed Idempotency-Key %j gets a 400 that names the header",
    async (key) => {
      // HTTP sends headers as latin1, so each character of a key stands for one byte.
      const answer = await start(payload, key);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errors: [{ header: "Idempotency-Key", code: "malformed_header" }] });
      expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
    },
  );
});

test("an Idempotency-Key of the legacy start is unknown to POST /v1/reports", async () => {
  const [got, posted] = [await startByGet(payload, "shared"), await startByPost(payload, "shared")];
  expect(posted.status).toBe(202);
  expect(posted.body["id"]).not.toBe(got.body["id"]);
});

test("a repeated start gets 403 if the caller has lost the report type's authority", async () => {
  await startByGet(payload, "key-10");
  const agent = await api.as(["REPORT_PROXY_DOMAIN"]);
  expect((await agent.get("/v1/report").query(payload).set("Idempotency-Key", "key-10")).status).toBe(403);
});

test("HEAD /v1/report stores no key, and refuses a malformed key as GET does", async () => {
  const agent = await api.as(builtInReportAuthorities);
  expect((await agent.head("/v1/report").query(payload).set("Idempotency-Key", "key-11")).status).toBe(202);
  expect((await agent.head("/v1/report").query(payload).set("Idempotency-Key", "a b")).status).toBe(400);
  expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
  expect((await startByGet(payload, "key-11")).headers).not.toHaveProperty("idempotency-replayed");
});

test("a repeated start counts towards no limit, and still works at the limit", async () => {
  await using limited = await startApiUnderTest({
    databaseUrl: api.databaseUrl,
    limits: { starts: { perMinute: 1, unfinished: 5 } },
  });
  const start = async (key: string) => startByGet(payload, key, limited, "carol");
  const first = await start("key-13");
  expect((await start("key-14")).status).toBe(429);
  expect((await start("key-13")).text).toBe(first.text);
  expect((await start("key-14")).status).toBe(429);
});

test("a legacy start without a key never returns a report that was started with a key", async () => {
  const keyed = await startByGet(payload, "key-12");
  const agent = await api.as(builtInReportAuthorities);
  const plain = await agent.get("/v1/report").query(payload);
  expect((plain.body as { id: string }).id).not.toBe(keyed.body["id"]);
});

test.each([
  ["8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"],
  ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', "8e03978e-40d5-43dd-bc93-6894a57f9324"],
  ['"with spaces, and {signs}!"', "with spaces, and {signs}!"],
  [undefined, null],
])("parseIdempotencyKey parses the header %s as the key %s", (header, key) => {
  expect(parseIdempotencyKey(header)).toBe(key);
});
