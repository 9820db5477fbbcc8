import { randomBytes } from "node:crypto";
import { createDatabase, createSealedSecrets } from "@reports/db";
import { createGateway, verifyWebhook } from "@reports/client";
import { fingerprintOf } from "@reports/runtime";
import { cloneDemoDatabase, startStand, startWebhookReceiver, waitFor } from "@reports/testing";
import { expect, test } from "vitest";

const keysOf = (...keys: readonly Buffer[]) => ({
  WEBHOOK_KEY: keys.map((key) => key.toString("base64")).join(","),
});

test("while WEBHOOK_KEY is replaced in three steps, every event is delivered", async () => {
  await using receiver = await startWebhookReceiver();
  const [old, next] = [randomBytes(32), randomBytes(32)];
  await using clone = await cloneDemoDatabase();
  await using stand = await startStand({
    database: clone,
    store: "folder",
    apis: 1,
    workers: 1,
    environment: (url) => ({
      PUBLIC_URL: url,
      WEBHOOK_ALLOW: receiver.origin,
      WORKER_CONCURRENCY: "1",
      ...keysOf(old),
    }),
  });
  const [api] = stand.apis;
  const { webhooks } = createGateway({ baseUrl: stand.origin, token: async () => stand.token() });
  const hooks: { readonly id: string; readonly secret: string }[] = [];
  const subscribe = async () =>
    hooks.push(await webhooks.create({ url: `${receiver.origin}/hook`, events: ["report.failed"] }));
  /** Sends a test event to every webhook. Expects that its receiver can verify it and that no webhook is paused. */
  const deliver = async (): Promise<void> => {
    for (const { id, secret } of hooks) {
      const { id: deliveryId, eventId } = await webhooks.test(id);
      const isDelivered = async () => (await webhooks.delivery(id, deliveryId)).status === "DELIVERED";
      await waitFor(isDelivered, { what: "the delivery", timeoutMs: 60_000 });
      const { body, headers } = receiver.received.find((each) => each.headers["webhook-id"] === eventId)!;
      expect((await verifyWebhook({ body, headers }, { secret })).type).toBe("webhook.test");
      expect(await webhooks.get(id)).toMatchObject({ status: "ACTIVE", pausedBecause: null });
    }
  };
  let [worker] = stand.workers;
  /** Rolls new keys out: starts a new worker before the old one ends, then restarts the API. */
  const rollOut = async (...keys: readonly Buffer[]): Promise<void> => {
    const before = worker!;
    worker = await stand.addWorker({ environment: keysOf(...keys) });
    await deliver();
    await before.stop();
    await deliver();
    await api!.restart(keysOf(...keys));
    await subscribe();
    await deliver();
  };
  await subscribe();
  await deliver();

  await rollOut(old, next);
  await rollOut(next, old);
  const database = createDatabase({ url: stand.databaseUrl, max: 1 });
  try {
    const secrets = createSealedSecrets(database);
    const isEmpty = async () => /^reports_webhook_secrets_under_other_keys 0$/m.test(await metricsOf(stand.origin));
    await waitFor(isEmpty, { what: "all secrets to be sealed under the new key", timeoutMs: 120_000 });
    expect(await secrets.countNotUnder(fingerprintOf(next))).toBe(0);
  } finally {
    await database.close();
  }
  await rollOut(next);
  expect(hooks).toHaveLength(4);
}, 600_000);

async function metricsOf(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}
