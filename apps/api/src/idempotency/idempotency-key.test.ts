import { parseIdempotencyKey } from "@reports/core/report";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reportAuthorities, startApiUnderTest } from "../test/api-under-test.ts";
import type { ApiUnderTest } from "../test/api-under-test.ts";

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
  const agent = await at.as(reportAuthorities, subject);
  return agent.get("/v1/report").query(payload).set("Idempotency-Key", key);
};
const startByPost: Start = async (payload, key, at = api, subject = "alice") => {
  const agent = await at.as(reportAuthorities, subject);
  return agent.post("/v1/reports").set("Idempotency-Key", key).send(payload);
};

const payload = { reportType: "PROXY", format: "csv", searchParam: "edge" };

describe.each([
  ["GET /v1/report", startByGet, { csvBom: "true", searchParam: '{"q":"edge"}' }],
  ["POST /v1/reports", startByPost, { csvBom: true, searchParam: { q: ["edge"] } }],
] as const)("Idempotency-Key on %s", (_, start, respelled) => {
  test("a repeat gets the first answer, byte for byte, and says so; nothing more is started", async () => {
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

  test("twins at the same moment, at two instances, get one report between them", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (__, index) => start(payload, "key-2", index % 2 === 0 ? api : secondApi)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === "true")).toHaveLength(7);
    expect(await api.countRows()).toEqual({ reports: 1, jobs: 1 });
  });

  test("a key beats coalescing: another key starts another report, though the same is still open", async () => {
    const answers = [await start(payload, "a"), await start(payload, "b")];
    expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(2);
    expect(answers.map(({ body }) => body["reused"])).toEqual([false, false]);
  });

  test("another payload under the same key is a 422 that names the header, and starts nothing", async () => {
    await start(payload, "key-3");
    const answer = await start({ ...payload, searchParam: "core" }, "key-3");
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      code: "idempotency-key-reused",
      errors: [{ header: "Idempotency-Key", code: "key_reused" }],
    });
    expect(await api.countRows()).toEqual({ reports: 1, jobs: 1 });
  });

  test("another spelling of the same payload and key is the same", async () => {
    const first = await start(payload, "key-4");
    const second = await start({ ...payload, ...respelled }, '"key-4"');
    expect(second.text).toBe(first.text);
    expect(second.headers["idempotency-replayed"]).toBe("true");
  });

  test("keys of another principal are other keys", async () => {
    const [alice, bob] = [await start(payload, "key-5"), await start(payload, "key-5", api, "bob")];
    expect(bob.status).toBe(202);
    expect(bob.body["id"]).not.toBe(alice.body["id"]);
    expect(bob.headers).not.toHaveProperty("idempotency-replayed");
  });

  test("only a 202 is kept: after a refusal the same key starts with the right payload", async () => {
    const refused = await start({ ...payload, format: "docx" }, "key-6");
    expect(refused.status).toBe(start === startByGet ? 400 : 422);
    expect((await start(payload, "key-6")).status).toBe(202);
  });

  test("what could not be committed left no key behind", async () => {
    await api.sql`alter table report_events rename to report_events_away`;
    expect((await start(payload, "key-7")).status).toBe(500);
    await api.sql`alter table report_events_away rename to report_events`;
    const answer = await start(payload, "key-7");
    expect(answer.status).toBe(202);
    expect(answer.headers).not.toHaveProperty("idempotency-replayed");
  });

  test("after 24 hours the key is free again", async () => {
    const first = await start(payload, "key-8");
    await api.sql`update idempotency_keys set created_at = now() - interval '23 hours 59 minutes'`;
    expect((await start(payload, "key-8")).text).toBe(first.text);
    await api.sql`update idempotency_keys set created_at = now() - interval '24 hours'`;
    const later = await start({ ...payload, searchParam: "core" }, "key-8");
    expect(later.status).toBe(202);
    expect(later.body["id"]).not.toBe(first.body["id"]);
  });

  test("the first answer is given again even when its report was deleted", async () => {
    const first = await start(payload, "key-9");
    await (await api.as(reportAuthorities)).delete(`/v1/reports/${String(first.body["id"])}`).expect(204);
    expect((await start(payload, "key-9")).text).toBe(first.text);
  });

  test.each(["", "two words", "a,b", '"unfinished', '""', "é", "x".repeat(256)])(
    "the malformed key %j is a 400 that names the header",
    async (key) => {
      // Header text is latin1 on the wire.
      const answer = await start(payload, key);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ errors: [{ header: "Idempotency-Key", code: "malformed_header" }] });
      expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
    },
  );
});

test("the two starts do not share keys", async () => {
  const [got, posted] = [await startByGet(payload, "shared"), await startByPost(payload, "shared")];
  expect(posted.status).toBe(202);
  expect(posted.body["id"]).not.toBe(got.body["id"]);
});

test("without the authority a kept answer is not given: 403", async () => {
  await startByGet(payload, "key-10");
  const agent = await api.as(["REPORT_PROXY_DOMAIN"]);
  expect((await agent.get("/v1/report").query(payload).set("Idempotency-Key", "key-10")).status).toBe(403);
});

test("HEAD of the literal start keeps nothing, and refuses a malformed key as GET does", async () => {
  const agent = await api.as(reportAuthorities);
  expect((await agent.head("/v1/report").query(payload).set("Idempotency-Key", "key-11")).status).toBe(202);
  expect((await agent.head("/v1/report").query(payload).set("Idempotency-Key", "a b")).status).toBe(400);
  expect(await api.countRows()).toEqual({ reports: 0, jobs: 0 });
  expect((await startByGet(payload, "key-11")).headers).not.toHaveProperty("idempotency-replayed");
});

test("a repeat counts against no limit, and is answered when nothing more may be started", async () => {
  await using limited = await startApiUnderTest({
    databaseUrl: api.databaseUrl,
    limits: { starts: { perMinute: 1, unfinished: 5 } },
  });
  const start = async (key: string) => startByGet(payload, key, limited, "carol");
  const first = await start("key-13");
  expect((await start("key-14")).status).toBe(429);
  expect((await start("key-13")).text).toBe(first.text);
  // The refused one left no key behind.
  expect((await start("key-14")).status).toBe(429);
});

test("a start without a key does not fall in with one that had a key", async () => {
  const keyed = await startByGet(payload, "key-12");
  const agent = await api.as(reportAuthorities);
  const plain = await agent.get("/v1/report").query(payload);
  expect((plain.body as { id: string }).id).not.toBe(keyed.body["id"]);
});

test.each([
  ["8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"],
  ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', "8e03978e-40d5-43dd-bc93-6894a57f9324"],
  ['"with spaces, and {signs}!"', "with spaces, and {signs}!"],
  [undefined, null],
])("the header %s is the key %s", (header, key) => {
  expect(parseIdempotencyKey(header)).toBe(key);
});
