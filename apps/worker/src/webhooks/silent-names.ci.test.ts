import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { webhookLimits } from "@reports/core/webhook";
import { createDatabase, createWebhookStore } from "@reports/db";
import { createSealer, newId } from "@reports/runtime";
import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { startWorkerProcesses } from "../test/worker-process.ts";

test("unresolved webhook hosts do not delay other owners or the worker's connections", async () => {
  await using processes = await startWorkerProcesses();
  const { sql } = processes;
  const asked = new Set<string>();
  const nameServer = createSocket("udp4").on("message", (question) =>
    asked.add(question.subarray(13).toString("latin1").slice(0, 9)),
  );
  await once(nameServer.bind(0, "127.0.0.1"), "listening");
  let received = 0;
  await using receiver = createServer((request, response) => {
    request.resume();
    received++;
    response.writeHead(204).end();
  });
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const key = randomBytes(32);
  await using database = Object.assign(createDatabase({ url: processes.url, max: 2, applicationName: "test" }), {
    [Symbol.asyncDispose]: async () => database.close(),
  });
  const store = createWebhookStore(database);
  const subscribe = async (owner: string, url: string) => {
    const id = newId();
    const secret = createSealer([key]).seal(`whsec_${randomBytes(32).toString("base64")}`, id);
    const own = { id, owner, url, secret, of: "OWN", reportTypes: null } as const;
    await store.create({ ...own, events: ["report.succeeded"], ownerAuthorities: ["WEBHOOKS_WRITE"] }, webhookLimits);
    return { happen: async () => store.addTest(id, { id: newId(), eventId: newId() }) };
  };
  for (let number = 10; number < 22; number++)
    await (await subscribe("issuer|silent", `https://silent-${number}.example/hook`)).happen();
  const other = await subscribe("issuer|other", `${origin}/hook`);
  const databaseUrl = new URL(processes.url);
  databaseUrl.hostname = "localhost";
  const worker = await processes.worker({
    DATABASE_URL: databaseUrl.href,
    WEBHOOK_KEY: key.toString("base64"),
    WEBHOOK_ALLOW: origin,
    WEBHOOK_DNS_SERVERS: `127.0.0.1:${nameServer.address().port}`,
    PUBLIC_URL: "https://reports.example.com",
  });
  await waitFor(() => asked.size >= 2, { what: "lookups of silent names" });
  await other.happen();
  await waitFor(() => received >= 1, { what: "the other owner's delivery" });
  const lost = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'test'`;
  expect(lost.length).toBeGreaterThan(2);
  await other.happen();
  await waitFor(() => received >= 2, { what: "a delivery after the connections were lost", timeoutMs: 60_000 });
  expect(worker.isRunning()).toBe(true);
  nameServer.close();
}, 180_000);
