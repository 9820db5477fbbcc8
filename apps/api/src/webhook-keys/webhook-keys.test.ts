import { randomBytes, randomUUID } from "node:crypto";
import { createSealedSecretStore } from "@reports/db";
import { createSealer, keyFingerprintOf } from "@reports/runtime";
import { afterEach, afterAll, beforeAll, expect, test } from "vitest";
import { startApiUnderTest, type ApiUnderTest } from "../test/api-under-test.ts";
import { testWebhookKey } from "../test/config-under-test.ts";
import { createSecretResealer } from "./reseal-secrets.ts";

let api: ApiUnderTest;
beforeAll(async () => {
  // The database contains no other webhooks, because the metric counts the secrets of all of them.
  api = await startApiUnderTest({ otherOwners: false });
});
afterEach(async () => {
  await api.sql`delete from worker_heartbeats`;
  await api.sql`delete from webhooks`;
});
afterAll(async () => api[Symbol.asyncDispose]());

const own = Buffer.from(testWebhookKey, "base64");
const hook = { url: "https://receiver.example/hook", events: ["report.cancelled"] };

/** Inserts the heartbeat of a running worker that has these keys. Null stands for an older worker that does not report its keys. */
async function addHeartbeat(keys: readonly Buffer[] | null) {
  await api.sql`
    insert into worker_heartbeats (worker_id, host, pid, version, lanes, pool_ids, webhook_keys)
    values (${randomUUID()}, 'h', 1, '1', '{quick}', '{}', ${keys?.map(keyFingerprintOf) ?? null})`;
}

async function metric(name: string): Promise<string | undefined> {
  const { body } = await api.metrics.render();
  return new RegExp(`^${name} (\\S+)$`, "m").exec(body)?.[1];
}

test.each([
  ["no worker runs", [], 201],
  ["a running worker has its key", [[randomBytes(32)], [randomBytes(32), own]], 201],
  ["a running worker is too old to name its keys", [[randomBytes(32)], null], 201],
  ["running workers have other keys", [[randomBytes(32)], []], 503],
] as const)("if %s, creating and rotating a webhook secret answers %3$s", async (_, workers, status) => {
  const agent = await api.as(["WEBHOOKS_WRITE"], `caller-${randomUUID()}`);
  const { body } = await agent.post("/v1/webhooks").send(hook).expect(201);
  for (const keys of workers) await addHeartbeat(keys);
  const made = await agent.post("/v1/webhooks").send(hook);
  const rotated = await agent.post(`/v1/webhooks/${body.id}/secrets`).send({});
  expect([made.status, rotated.status]).toEqual([status, status]);
  const refused = [made, rotated].filter((response) => response.status === 503);
  expect(refused.map((response) => response.body.code)).toEqual(refused.map(() => "webhook-key-not-held"));
  expect(await api.sql`select revision from webhooks where id = ${body.id}`).toMatchObject([
    { revision: status === 201 ? "2" : "1" },
  ]);
});

test("reports_webhook_key_unheld is 1 while no running worker has the key", async () => {
  await addHeartbeat([randomBytes(32)]);
  await using other = await startApiUnderTest({ databaseUrl: api.databaseUrl });
  expect((await other.metrics.render()).body).toMatch(/^reports_webhook_key_unheld 1$/m);
  expect(await metric("reports_webhook_secrets_under_other_keys")).toBe("0");
});

test("webhook secrets are re-encrypted once all workers have the same first key", async () => {
  const agent = await api.as(["WEBHOOKS_WRITE"], `caller-${randomUUID()}`);
  const { body } = await agent.post("/v1/webhooks").send(hook).expect(201);
  await agent.post("/v1/webhooks").send(hook).expect(201);
  const secrets = [body.secret as string];
  for (let count = 0; count < 2; count++)
    secrets.unshift((await agent.post(`/v1/webhooks/${body.id}/secrets`).send({}).expect(201)).body.secret as string);
  const next = randomBytes(32);
  const sealed = createSealedSecretStore(api.database);
  const resealSecrets = createSecretResealer({
    secrets: sealed,
    sealer: createSealer([next, own]),
    keys: [keyFingerprintOf(next), keyFingerprintOf(own)],
    logger: api.logger,
  });
  const stored = async () => await sealed.listUnder([keyFingerprintOf(next)], { afterId: null, limit: 10 });
  expect(await resealSecrets()).toBe(0);
  await addHeartbeat([next, own]);
  await addHeartbeat([own, next]);
  expect(await resealSecrets()).toBe(0);
  expect(await sealed.countNotUnder(keyFingerprintOf(next))).toBe(2);
  await api.sql`delete from worker_heartbeats where webhook_keys[1] = ${keyFingerprintOf(own)}`;
  const before = await api.sql`select id, revision, updated_at from webhooks order by id`;
  expect(await resealSecrets()).toBe(2);
  expect(await resealSecrets()).toBe(0);
  expect(await sealed.countNotUnder(keyFingerprintOf(next))).toBe(0);
  expect(await api.sql`select id, revision, updated_at from webhooks order by id`).toEqual(before);
  const opened = (await stored())
    .find(({ id }) => id === body.id)!
    .secrets.map((text) => createSealer([next]).open(text, body.id as string));
  expect(opened).toEqual(secrets);
});

test("a damaged webhook secret is logged once and does not count as re-encrypted", async () => {
  const agent = await api.as(["WEBHOOKS_WRITE"], `caller-${randomUUID()}`);
  const { body } = await agent.post("/v1/webhooks").send(hook).expect(201);
  await api.sql`update webhooks set secret = ${`${keyFingerprintOf(own)}.damaged`} where id = ${body.id}`;
  const next = randomBytes(32);
  await addHeartbeat([next, own]);
  const resealSecrets = createSecretResealer({
    secrets: createSealedSecretStore(api.database),
    sealer: createSealer([next, own]),
    keys: [keyFingerprintOf(next), keyFingerprintOf(own)],
    logger: api.logger,
  });
  api.lines.length = 0;
  for (let pass = 0; pass < 3; pass++) expect(await resealSecrets()).toBe(0);
  expect(api.lines.map(({ level, webhookId }) => [level, webhookId])).toEqual([["warn", body.id]]);
});

test("re-encryption does not overwrite a secret that was rotated meanwhile", async () => {
  const agent = await api.as(["WEBHOOKS_WRITE"], `caller-${randomUUID()}`);
  const { body } = await agent.post("/v1/webhooks").send(hook).expect(201);
  const sealed = createSealedSecretStore(api.database);
  const read = async () => (await sealed.listUnder([keyFingerprintOf(own)], { afterId: null, limit: 1 }))[0]!.secrets;
  const before = await read();
  await agent.post(`/v1/webhooks/${body.id}/secrets`).send({}).expect(201);
  await sealed.replace(body.id as string, new Map([[before[0]!, "new.sealed"]]));
  const after = await read();
  expect([after.length, after[1]]).toEqual([2, "new.sealed"]);
});
