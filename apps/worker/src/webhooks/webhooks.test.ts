import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { newestFirstSort } from "@reports/core/record";
import { unlimitedStarts } from "@reports/core/report";
import { webhookLimits, type Webhook } from "@reports/core/webhook";
import {
  createDatabase,
  createDueScheduleStore,
  createReportStore,
  createWebhookLists,
  createWebhookStore,
  migrateDatabase,
  type Database,
} from "@reports/db";
import {
  createLogger,
  createMetrics,
  createSealer,
  keyFingerprintOf,
  newId,
  parseAllowlist,
  type Allowlist,
} from "@reports/runtime";
import {
  createTestDatabases,
  isAvailableOrThrowInCi,
  isFullTestRun,
  makeNewReport,
  administratorDeliveryFilter,
  waitFor,
} from "@reports/testing";
import postgres from "postgres";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readWorkerConfig } from "../config.ts";
import { composeWebhooks } from "./compose-webhooks.ts";

// A worker pauses the webhooks of all owners whose key no worker has. So this database gets no records of other owners, which other test databases
// have.
const { cloneDatabase } = createTestDatabases({
  migrate: (databaseUrl) => migrateDatabase({ databaseUrl }),
  otherOwners: false,
});
const logger = createLogger({ name: "test", level: "silent" });
const key = randomBytes(32);

let clone: Awaited<ReturnType<typeof cloneDatabase>>;
let database: Database;
let sql: ReturnType<typeof postgres>;
const closing: (() => unknown)[] = [];
const ranges: Allowlist["ranges"][number][] = [];
const allow = (entry: string) => void ranges.push(...parseAllowlist([entry], () => expect.unreachable(entry)).ranges);
beforeAll(async () => {
  clone = await cloneDatabase();
  database = createDatabase({ url: clone.url });
  sql = postgres(clone.url, { max: 1, onnotice: () => undefined });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await sql`update webhooks set deleted_at = now() where deleted_at is null`;
});
afterAll(async () => {
  await database.close();
  await sql.end();
  await clone[Symbol.asyncDispose]();
});

interface Received {
  readonly body: string;
  readonly headers: Record<string, string>;
}

async function openReceiver(
  answer: (response: ServerResponse, number: number, request: IncomingMessage) => unknown = (response) =>
    response.writeHead(204).end(),
) {
  const received: Received[] = [];
  let open = 0;
  let most = 0;
  const server = createServer((request, response) => {
    most = Math.max(most, ++open);
    response.on("close", () => open--);
    void text(request)
      .then((body) => {
        received.push({ body, headers: request.headers as Record<string, string> });
        return answer(response, received.length, request);
      })
      .catch(() => undefined);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?x=1`;
  allow(new URL(url).origin);
  return { url, received, most: () => most, close: () => server.close() };
}

async function startSender(
  changes: {
    readonly keys?: readonly Buffer[];
    readonly timeoutMs?: number;
    readonly everyMs?: number;
    readonly noteEveryMs?: number;
    readonly connectTimeoutMs?: number;
    readonly nameServer?: string;
  } = {},
) {
  // The long default timeouts keep attempts from timing out on a busy machine.
  const { keys = [key], timeoutMs = 60_000, everyMs = 20, noteEveryMs = 60_000, connectTimeoutMs = 60_000 } = changes;
  const config = {
    ...readWorkerConfig({
      DATABASE_URL: clone.url,
      STORAGE_DIR: "/unused",
      PUBLIC_URL: "https://reports.example.com",
      PUBLIC_BASE_PATH: "/gateway",
      WEBHOOK_KEY: keys.map((each) => each.toString("base64")).join(","),
      ...(changes.nameServer === undefined ? {} : { WEBHOOK_DNS_SERVERS: changes.nameServer }),
    }),
    webhookAllow: { hosts: [], ranges },
  };
  const metrics = createMetrics();
  const loop = (await composeWebhooks(config, {
    database,
    metrics,
    logger,
    times: { everyMs, timeoutMs, noteEveryMs, connectTimeoutMs },
  }))!;
  loop.start();
  closing.push(async () => loop.stop());
  return { loop, metrics };
}

async function subscribe(
  url: string,
  {
    owner = `issuer|${randomUUID()}`,
    key: sealing = key,
    ...changes
  }: Partial<Webhook> & { readonly key?: Buffer } = {},
) {
  const id = newId();
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const store = createWebhookStore(database);
  const ownerAuthorities = ["WEBHOOKS_WRITE"];
  await store.create(
    {
      id,
      owner,
      url,
      events: ["report.cancelled"],
      reportTypes: null,
      of: "OWN",
      ownerAuthorities,
      secret: createSealer([sealing]).seal(secret, id),
      ...changes,
    },
    webhookLimits,
  );
  const reports = createReportStore(database);
  return {
    id,
    owner,
    secret,
    store,
    happen: async () => {
      const { report } = await reports.createQueued(makeNewReport({ requestedBy: owner }), unlimitedStarts);
      await reports.cancel(report.id, owner);
      return report.id;
    },
    deliveries: async () =>
      (
        await createWebhookLists({ read: async (work) => database.query(work) }).deliveries(
          {
            filters: {},
            sort: newestFirstSort,
            limit: 200,
            after: null,
            count: false,
            webhookId: id,
            visible: administratorDeliveryFilter,
          },
          new AbortController().signal,
        )
      ).items,
    find: async () => store.find(id),
  };
}

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const verify = (secret: string, { body, headers }: Received) => new Verifier(secret).verify(body, headers);
const tick = { what: "the delivery" };

test("the worker sends an event once, signed, below 2 KB, without report content", async () => {
  const receiver = await openReceiver();
  const hook = await subscribe(receiver.url);
  await startSender();
  const report = await hook.happen();
  await waitFor(async () => (await hook.deliveries())[0]?.status === "DELIVERED", tick);
  const [delivery] = await hook.deliveries();
  expect(delivery).toMatchObject({ tries: 1, lastStatus: 204, lastErrorCode: null, nextTryAt: null });
  expect(receiver.received).toHaveLength(1);
  const [sent] = receiver.received as [Received];
  expect(verify(hook.secret, sent)).toEqual({
    type: "report.cancelled",
    timestamp: delivery!.createdAt.toISOString(),
    data: {
      id: report,
      reportType: "PROXY",
      status: "CANCELLED",
      revision: 2,
      scheduleId: null,
      requestId: null,
      links: { self: `https://reports.example.com/gateway/v1/reports/${report}`, download: null },
    },
  });
  expect(sent.headers).toMatchObject({ "webhook-id": delivery!.eventId, "content-type": "application/json" });
  expect(Buffer.byteLength(sent.body)).toBeLessThan(2_000);
  expect(() => verify(`whsec_${randomBytes(32).toString("base64")}`, sent)).toThrow();
  expect(() => verify(hook.secret, { ...sent, body: sent.body.replace("CANCELLED", "SUCCEEDED") })).toThrow();
});

test("the worker sends a signed schedule.paused event with the cause and a link", async () => {
  const receiver = await openReceiver();
  const hook = await subscribe(receiver.url, { events: ["schedule.paused"] });
  await startSender();
  const id = newId();
  await sql`
    insert into report_schedules (id, owner, name, report_type, definition_version, search_param, options, cron, timezone,
      missed, missed_within_seconds, overlap, status, tz_version, next_fire_at, counted_from)
    values (${id}, ${hook.owner}, 'Daily', 'PROXY', 1, '{}', '{}', '0 6 * * *', 'UTC',
      'LATEST', 60, 'SKIP', 'ACTIVE', '2026a', now() - interval '1 day', now() - interval '2 days')`;
  expect(await createDueScheduleStore(database).pauseUnserved(id, 0)).toBe(true);
  await waitFor(async () => (await hook.deliveries())[0]?.status === "DELIVERED", tick);
  const [delivery] = await hook.deliveries();
  expect(delivery).toMatchObject({ type: "schedule.paused", reportId: null, tries: 1, lastStatus: 204 });
  expect(receiver.received).toHaveLength(1);
  expect(verify(hook.secret, receiver.received[0]!)).toEqual({
    type: "schedule.paused",
    timestamp: delivery!.createdAt.toISOString(),
    data: {
      scheduleId: id,
      because: "UNKNOWN_REPORT_TYPE",
      links: { self: `https://reports.example.com/gateway/v1/report-schedules/${id}` },
    },
  });
});

test("the worker sends one webhook's waiting deliveries four at a time without pauses", async () => {
  const held: ServerResponse[] = [];
  const receiver = await openReceiver((response, number) => {
    if (number > 4) return response.writeHead(204).end();
    held.push(response);
    return held.length < 4 ? undefined : held.map((each) => each.writeHead(204).end());
  });
  const hook = await subscribe(receiver.url);
  for (let count = 0; count < 20; count++) await hook.happen();
  await startSender({ everyMs: 5_000 });
  await waitFor(() => receiver.received.length === 20, tick);
  expect(receiver.most()).toBe(4);
});

test("the worker retries a failed delivery under the same ID and stores its error code", async () => {
  const trap = await openReceiver();
  const ways: readonly [string, number | null, (response: ServerResponse, request: IncomingMessage) => unknown][] = [
    ["BAD_STATUS", 500, (response) => response.writeHead(500).end("secret words of the receiver")],
    ["REDIRECTED", 302, (response) => response.writeHead(302, { Location: trap.url }).end()],
    ["TIMED_OUT", null, () => undefined],
    ["CONNECTION_FAILED", null, (_, request) => request.socket.resetAndDestroy()],
  ];
  for (const [code, status, fail] of ways) {
    const receiver = await openReceiver((response, number, request) =>
      number === 1 ? fail(response, request) : response.writeHead(200).end(),
    );
    const hook = await subscribe(receiver.url);
    // After this many failures, the worker repeats a delivery only after minutes. So the test sees the delivery between its attempts.
    await sql`update webhooks set failures_in_a_row = 6 where id = ${hook.id}`;
    // Only this receiver gets a short time, which must be long enough for the request to arrive.
    const failing = await startSender(code === "TIMED_OUT" ? { timeoutMs: isFullTestRun ? 10_000 : 2_000 } : {});
    await hook.happen();
    await waitFor(async () => (await hook.deliveries())[0]!.tries === 1, tick);
    await failing.loop.stop();
    const [delivery] = await hook.deliveries();
    expect(delivery).toMatchObject({ status: "PENDING", lastErrorCode: code, lastStatus: status });
    expect(JSON.stringify(delivery)).not.toContain("secret words");
    await sql`update webhooks set rests_until = null where id = ${hook.id}`;
    await hook.store.redeliver(hook.id, delivery!.eventId, administratorDeliveryFilter);
    const { loop } = await startSender();
    await waitFor(async () => (await hook.deliveries())[0]!.status === "DELIVERED", tick);
    await loop.stop();
    const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect(ids).toEqual([delivery!.eventId, delivery!.eventId]);
    for (const sent of receiver.received) verify(hook.secret, sent);
  }
  expect(trap.received).toEqual([]);
  await startSender();
  const nobody = await openReceiver();
  nobody.close();
  const hook = await subscribe(nobody.url);
  await hook.happen();
  await waitFor(async () => (await hook.deliveries())[0]!.lastErrorCode === "CONNECTION_FAILED", tick);
  const forbidden = await subscribe("http://127.0.0.2:9/");
  await forbidden.happen();
  await waitFor(async () => (await forbidden.deliveries())[0]!.lastErrorCode === "ADDRESS_FORBIDDEN", tick);
});

test("the worker sends nothing to an internal URL that WEBHOOK_ALLOW does not contain", async () => {
  const receiver = await openReceiver();
  // The name resolves to an allowed address, but for plain http, WEBHOOK_ALLOW must contain the name itself.
  const hook = await subscribe(receiver.url.replace("127.0.0.1", "localhost"));
  await startSender();
  await hook.happen();
  await waitFor(async () => (await hook.deliveries())[0]!.lastErrorCode === "ADDRESS_FORBIDDEN", tick);
  expect(receiver.received).toEqual([]);
});

const hasPythonVerifier = isAvailableOrThrowInCi(
  "standardwebhooks of Python (pip install standardwebhooks)",
  spawnSync("python3", ["-c", "import standardwebhooks"]).status === 0,
);
test.runIf(hasPythonVerifier)(
  "the Python library standardwebhooks verifies deliveries and refuses changed ones",
  async () => {
    const pythonArguments = ["-c", verifyInPython];
    const receiver = await openReceiver();
    const hook = await subscribe(receiver.url);
    await startSender();
    await hook.happen();
    await waitFor(() => receiver.received.length === 1, tick);
    const [{ body, headers }] = receiver.received as [Received];
    const verdicts = (text: string): string =>
      execFileSync("python3", pythonArguments, {
        input: JSON.stringify({ secret: hook.secret, body: text, headers }),
        encoding: "utf8",
      });
    expect(verdicts(body)).toBe("report.cancelled\n");
    expect(verdicts(body.replace("CANCELLED", "SUCCEEDED"))).toBe("refused\n");
  },
);

const verifyInPython = `
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
given = json.load(sys.stdin)
try:
    print(Webhook(given["secret"]).verify(given["body"], given["headers"])["type"])
except WebhookVerificationError:
    print("refused")
`;

test("only a response's status decides a delivery; endless bodies are cut off", async () => {
  const written: number[] = [];
  let open = 0;
  const receiver = await openReceiver((response) => {
    response.writeHead(200).flushHeaders();
    open++;
    const at = written.push(0) - 1;
    const timer = setInterval(() => response.write(Buffer.alloc(1_000)) && (written[at]! += 1_000), 100);
    response.on("close", () => (open--, clearInterval(timer)));
  });
  const hook = await subscribe(receiver.url);
  for (let count = 0; count < 40; count++) await hook.happen();
  await startSender();
  await waitFor(async () => (await hook.deliveries()).every(({ status }) => status === "DELIVERED"), tick);
  await waitFor(() => open === 0, { what: "the connections to be closed" });
  expect(receiver.most()).toBeLessThanOrEqual(8);
  // A connection stays open until its delivery is recorded, which can take long. So each response has the limit, and not their sum.
  expect(Math.max(...written)).toBeLessThan(10_000);
});

test("receivers that hang do not delay deliveries to other receivers", async () => {
  let answers = false;
  const held: ServerResponse[] = [];
  const slow = async () => openReceiver((response) => (answers ? response.writeHead(200).end() : held.push(response)));
  const dead = [await slow(), await slow(), await slow()];
  const hooks = await Promise.all(dead.map(async ({ url }) => subscribe(url)));
  for (const hook of hooks) for (let time = 0; time < 5; time++) await hook.happen();
  const receiver = await openReceiver();
  const active = await subscribe(receiver.url);
  for (let time = 0; time < 20; time++) await active.happen();
  await startSender();
  await waitFor(async () => (await active.deliveries()).every(({ status }) => status === "DELIVERED"), tick);
  // A hanging endpoint has at most four attempts in progress, so other endpoints keep their slots.
  for (const { received, most } of dead) expect([received.length <= 4, most() <= 4]).toEqual([true, true]);
  answers = true;
  for (const response of held) response.writeHead(200).end();
  await waitFor(async () => {
    const all = (await Promise.all(hooks.map(async (hook) => hook.deliveries()))).flat();
    return all.every(({ status }) => status === "DELIVERED");
  }, tick);
});

test("slow receivers of one owner do not delay another owner's deliveries", async () => {
  const held: ServerResponse[] = [];
  const slow = await openReceiver((response) => held.push(response));
  const owner = `issuer|${randomUUID()}`;
  const hooks = [];
  while (hooks.length < 20) hooks.push(await subscribe(slow.url, { owner }));
  await hooks[0]!.happen();
  await startSender({ timeoutMs: 120_000 });
  await waitFor(() => slow.received.length >= 2, tick);
  const receiver = await openReceiver();
  const other = await subscribe(receiver.url);
  await other.happen();
  await waitFor(async () => (await other.deliveries())[0]!.status === "DELIVERED", tick);
  for (const response of held) expect(response.writableEnded).toBe(false);
});

test("unresolved host names of one owner use one lookup at a time and no thread", async () => {
  const nameServer = createSocket("udp4");
  const askedNames = new Set<string>();
  nameServer.on("message", (query) => {
    for (const [name] of query.toString("latin1").matchAll(/silent-\d+/g)) askedNames.add(name);
  });
  await once(nameServer.bind(0, "127.0.0.1"), "listening");
  closing.push(() => nameServer.close());
  const owner = `issuer|${randomUUID()}`;
  for (let number = 0; number < 12; number++) await subscribe(`https://silent-${number}.example/`, { owner });
  const receiver = await openReceiver();
  const other = await subscribe(receiver.url);
  const hooks = await sql`select id from webhooks where owner = ${owner}`;
  for (const { id } of hooks)
    await createWebhookStore(database).addTest(id as string, { id: newId(), eventId: newId() });
  const { loop } = await startSender({
    timeoutMs: 120_000,
    connectTimeoutMs: 120_000,
    nameServer: `127.0.0.1:${nameServer.address().port}`,
  });
  await waitFor(() => askedNames.size > 0, tick);
  const running = (name: string) => process.getActiveResourcesInfo().filter((each) => each === name).length;
  for (let time = 0; time < 3; time++) {
    await other.happen();
    await waitFor(async () => {
      expect([askedNames.size, running("GetAddrInfoReqWrap")]).toEqual([1, 0]);
      return (await other.deliveries()).every(({ status }) => status === "DELIVERED");
    }, tick);
  }
  await loop.stop();
});

test("status 410 pauses the webhook, and 429 delays the next attempt by Retry-After", async () => {
  let status = 410;
  const receiver = await openReceiver((response) => response.writeHead(status, { "Retry-After": "1800" }).end());
  const hook = await subscribe(receiver.url);
  await startSender();
  await hook.happen();
  await waitFor(async () => (await hook.find())!.status === "PAUSED", tick);
  expect((await hook.find())!.pausedBecause).toBe("GONE");
  expect(await hook.deliveries()).toMatchObject([{ status: "FAILED", lastStatus: 410 }]);
  await hook.happen();
  status = 429;
  const change = async (next: Partial<Pick<Webhook, "status" | "pausedBecause">>) =>
    hook.store.change(hook.id, () => next, webhookLimits);
  await change({ status: "ACTIVE" });
  await waitFor(async () => (await hook.deliveries())[0]!.lastStatus === 429, tick);
  const [asked] = await hook.deliveries();
  expect(asked!.nextTryAt!.getTime() - Date.now()).toBeGreaterThan(1_700_000);
  status = 200;
  await change({ status: "PAUSED", pausedBecause: "REQUESTED" });
  // A resume resets the backoff at most once per minute. Null allows a reset now.
  await sql`update webhooks set begun_at = null where id = ${hook.id}`;
  await change({ status: "ACTIVE" });
  await hook.store.redeliver(hook.id, asked!.eventId, administratorDeliveryFilter);
  await waitFor(async () => (await hook.deliveries())[0]!.status === "DELIVERED", tick);
});

test("each old secret signs until the end of its own overlap after a rotation", async () => {
  const receiver = await openReceiver();
  const hook = await subscribe(receiver.url);
  const secrets = [hook.secret];
  // The overlap of the second secret is 1 ms, so it stops signing before the first secret, which is older.
  for (const overlapMs of [60_000, 1, 60_000, 60_000]) {
    secrets.push(newSecret());
    await hook.store.rotate(hook.id, createSealer([key]).seal(secrets.at(-1)!, hook.id), overlapMs);
  }
  await startSender();
  await hook.happen();
  await waitFor(() => receiver.received.length === 1, tick);
  const verifies = secrets.map((secret) => {
    try {
      return verify(secret, receiver.received[0]!) !== null;
    } catch {
      return false;
    }
  });
  expect(verifies).toEqual([true, false, true, true, true]);
});

test("after a rotation of secret and key, deliveries verify with both secrets", async () => {
  const receiver = await openReceiver();
  const hook = await subscribe(receiver.url);
  const [nextKey, nextSecret] = [randomBytes(32), newSecret()];
  await hook.store.rotate(hook.id, createSealer([nextKey, key]).seal(nextSecret, hook.id), 60_000);
  await startSender({ keys: [nextKey, key] });
  await hook.happen();
  await waitFor(() => receiver.received.length === 1, tick);
  for (const secret of [hook.secret, nextSecret])
    expect(verify(secret, receiver.received[0]!)).toMatchObject({ type: "report.cancelled" });
});

async function insertHeartbeat(...keys: readonly Buffer[]) {
  await sql`
    insert into worker_heartbeats (worker_id, host, pid, version, lanes, pool_ids, webhook_keys)
    values (${randomUUID()}, 'h', 1, '1', '{quick}', '{}', ${keys.map(keyFingerprintOf)})`;
}

test("a worker leaves webhooks whose key it lacks to workers that have the key", async () => {
  const receiver = await openReceiver();
  const owner = `issuer|${randomUUID()}`;
  const hook = await subscribe(receiver.url, { owner });
  const other = randomBytes(32);
  await hook.happen();
  const readable = await subscribe(receiver.url, { owner, key: other });
  await readable.happen();
  await startSender({ keys: [other] });
  await waitFor(async () => (await readable.deliveries())[0]!.status === "DELIVERED", tick);
  verify(readable.secret, receiver.received[0]!);
  expect(await hook.find()).toMatchObject({ status: "ACTIVE", revision: 1 });
  expect((await hook.deliveries())[0]).toMatchObject({ status: "PENDING", tries: 0 });
  await startSender();
  await waitFor(async () => (await hook.deliveries())[0]!.status === "DELIVERED", tick);
});

test("a webhook is paused if no running worker has had its key for an hour", async () => {
  const receiver = await openReceiver();
  const hook = await subscribe(receiver.url);
  const other = randomBytes(32);
  await insertHeartbeat(other);
  const { loop, metrics } = await startSender({ keys: [other], noteEveryMs: 20 });
  await hook.happen();
  const since = async () =>
    (await sql`select unreadable_since from webhooks where id = ${hook.id}`)[0]!["unreadable_since"] as Date | null;
  await waitFor(async () => (await since()) !== null, { what: "the missing key to be noted" });
  expect(await hook.find()).toMatchObject({ status: "ACTIVE", revision: 1 });
  // The gauge is missing if the database answers late.
  await expect.poll(async () => (await metrics.render()).body).toContain("reports_webhooks_unreadable 1");
  // While a worker with the webhook's key runs, `unreadable_since` is null. The hour begins again when that worker stops.
  await insertHeartbeat(key);
  await waitFor(async () => (await since()) === null, { what: "the key to be noted" });
  await sql`delete from worker_heartbeats where ${keyFingerprintOf(key)} = any (webhook_keys)`;
  await waitFor(async () => (await since()) !== null, { what: "the missing key to be noted again" });
  await sql`update webhooks set unreadable_since = now() - interval '61 minutes' where id = ${hook.id}`;
  await waitFor(async () => (await hook.find())!.status === "PAUSED", { what: "the pause" });
  expect(await hook.find()).toMatchObject({ pausedBecause: "SECRET_UNREADABLE", revision: 2 });
  expect((await hook.deliveries())[0]).toMatchObject({ status: "PENDING", tries: 0 });
  await loop.stop();
  await insertHeartbeat(key);
  await startSender({ noteEveryMs: 20 });
  await hook.store.change(hook.id, () => ({ status: "ACTIVE" }), webhookLimits);
  await waitFor(async () => (await hook.deliveries())[0]!.status === "DELIVERED", tick);
  verify(hook.secret, receiver.received[0]!);
  await sql`delete from worker_heartbeats`;
});

test("a webhook whose sealed secret is damaged is paused", async () => {
  const receiver = await openReceiver();
  const hook = await subscribe(receiver.url);
  await sql`update webhooks set secret = left(secret, 20) where id = ${hook.id}`;
  await startSender();
  await hook.happen();
  await waitFor(async () => (await hook.find())!.pausedBecause === "SECRET_UNREADABLE", tick);
  expect([receiver.received, (await hook.deliveries())[0]]).toMatchObject([[], { status: "PENDING", tries: 0 }]);
});

test("a webhook whose owner was not seen is paused until the owner resumes it", async () => {
  const receiver = await openReceiver();
  const hook = await subscribe(receiver.url);
  await sql`update webhooks set confirmed_at = now() - interval '91 days' where id = ${hook.id}`;
  await startSender();
  await hook.happen();
  await waitFor(async () => (await hook.find())!.pausedBecause === "OWNER_NOT_SEEN", tick);
  expect([receiver.received, (await hook.deliveries())[0]]).toMatchObject([[], { status: "PENDING", tries: 0 }]);
  const ownerAuthorities = ["WEBHOOKS_WRITE", "REPORT_PROXY"];
  await hook.store.change(hook.id, () => ({ status: "ACTIVE", ownerAuthorities }), webhookLimits);
  await waitFor(() => receiver.received.length === 1, tick);
});

test("the worker drops events that the owner may not see; its stop releases deliveries", async () => {
  const receiver = await openReceiver(() => undefined);
  const dropped = await subscribe(receiver.url);
  await sql`update webhooks set owner_authorities = '{}' where id = ${dropped.id}`;
  const { loop, metrics } = await startSender();
  await dropped.happen();
  await waitFor(async () => (await dropped.deliveries())[0]!.status === "DROPPED", tick);
  expect((await dropped.deliveries())[0]).toMatchObject({ lastErrorCode: "AUTHORITY_LOST", tries: 0 });
  const hook = await subscribe(receiver.url);
  await hook.happen();
  await waitFor(() => receiver.received.length === 1, tick);
  await loop.stop();
  expect((await hook.deliveries())[0]).toMatchObject({ status: "PENDING", tries: 0 });
  expect((await metrics.render()).body).toContain('reports_webhook_tries_total{result="released"} 1');
  const active = await openReceiver();
  await hook.store.change(hook.id, () => ({ url: active.url }), webhookLimits);
  await startSender();
  await waitFor(() => active.received.length === 1, tick);
});

test("a worker without WEBHOOK_KEY sends nothing, and with it requires PUBLIC_URL", async () => {
  const base = { DATABASE_URL: clone.url, STORAGE_DIR: "/unused" };
  const metrics = createMetrics();
  expect(await composeWebhooks(readWorkerConfig(base), { database, metrics, logger })).toBeNull();
  expect(() => readWorkerConfig({ ...base, WEBHOOK_KEY: key.toString("base64") })).toThrow(/PUBLIC_URL/);
  for (const wrong of ["short", key.toString("hex"), [key, key, key].map((each) => each.toString("base64")).join(",")])
    expect(() => readWorkerConfig({ ...base, WEBHOOK_KEY: wrong })).toThrow(/WEBHOOK_KEY/);
});

test.each([
  ["WEBHOOK_ALLOW", "hooks.internal,http://hooks.internal:8080/", "http://hooks.internal:8080/ (its port must be"],
  ["WEBHOOK_ALLOW", "10.1.0.0/16:8443,10.1.0.0/33", "10.1.0.0/33 (it is neither a host name"],
  ["WEBHOOK_DNS_SERVERS", "10.0.0.2,dns.internal", "must be addresses of name servers"],
  ["WEBHOOK_DNS_SERVERS", "[fd00::53]:70000", "must be addresses of name servers"],
  ["WEBHOOK_CONCURRENCY", "0", "must be a whole number from 1 to 256"],
  ["WEBHOOK_ENDPOINT_CONCURRENCY", "many", "must be a whole number from 1 to 64"],
])("a worker refuses to start with %s=%s and says why", (name, value, why) => {
  const base = { DATABASE_URL: clone.url, STORAGE_DIR: "/unused" };
  expect(() => readWorkerConfig({ ...base, [name]: value })).toThrow(why);
});

test("WEBHOOK_DNS_SERVERS accepts addresses of name servers with an optional port", () => {
  const servers = "10.0.0.2,10.0.0.3:5353,fd00::53,[fd00::53],[fd00::53]:5353";
  const base = { DATABASE_URL: clone.url, STORAGE_DIR: "/unused" };
  const config = readWorkerConfig({ ...base, WEBHOOK_DNS_SERVERS: servers });
  expect(config.webhookDnsServers).toEqual(servers.split(","));
  expect(() => new Resolver().setServers(servers.split(","))).not.toThrow();
});
