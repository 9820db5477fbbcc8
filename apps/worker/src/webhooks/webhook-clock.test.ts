import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { webhookLimits } from "@reports/core/webhook";
import { createDatabase, createWebhookStore } from "@reports/db";
import { createSealer, newId } from "@reports/runtime";
import { isAvailableOrThrowInCi, isFullTestRun, waitFor } from "@reports/testing";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, test } from "vitest";
import { startWorkerProcesses } from "../test/worker-process.ts";

const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
const hasFaketime = isAvailableOrThrowInCi("libfaketime (apt-get install faketime)", existsSync(library));

test.skipIf(!hasFaketime).each(isFullTestRun ? ["+12m", "-12m"] : ["+12m"])(
  "with a clock that is off by %s, a worker signs with the true time",
  async (offset) => {
    await using processes = await startWorkerProcesses();
    const { sql } = processes;
    const verified: unknown[] = [];
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    await using receiver = createServer((request, response) => {
      void text(request)
        .then((body) => new Verifier(secret).verify(body, request.headers as Record<string, string>))
        .then(
          (event) => verified.push(event),
          (error: unknown) => verified.push(error),
        )
        // The receiver's clock is right, so this date is 20 seconds away.
        .then(() => response.writeHead(503, { "Retry-After": new Date(Date.now() + 20_000).toUTCString() }).end());
    });
    await once(receiver.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const key = randomBytes(32);
    const database = createDatabase({ url: processes.url, max: 1 });
    const [store, id, eventId] = [createWebhookStore(database), newId(), newId()];
    await store.create(
      {
        id,
        owner: "issuer|alice",
        url,
        events: ["report.succeeded"],
        reportTypes: null,
        of: "OWN",
        ownerAuthorities: ["WEBHOOKS_WRITE"],
        secret: createSealer([key]).seal(secret, id),
      },
      webhookLimits,
    );
    await store.addTest(id, { id: newId(), eventId });
    await database.close();
    const worker = await processes.worker({
      LD_PRELOAD: library,
      FAKETIME: offset,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      WEBHOOK_KEY: key.toString("base64"),
      WEBHOOK_ALLOW: new URL(url).origin,
      PUBLIC_URL: "https://reports.example.com",
    });
    expect(Math.abs(clockOf(worker.log()) - Date.now())).toBeGreaterThan(300_000);
    const read = async () => sql`
      select tries, next_try_at < clock_timestamp() + interval '60 seconds' as "isSoon" from webhook_deliveries`;
    await waitFor(async () => (await read())[0]!["tries"] > 0, { what: "an attempt to be recorded" });
    expect(verified[0]).toMatchObject({ type: "webhook.test" });
    expect(await read()).toMatchObject([{ isSoon: true }]);
  },
  180_000,
);

function clockOf(log: string): number {
  const times = [...log.matchAll(/"time":"?([^",]+)/g)].map(([, time]) => time!);
  const last = times.at(-1)!;
  return /^\d+$/.test(last) ? Number(last) : Date.parse(last);
}
