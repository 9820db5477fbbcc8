import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { CommitOutcomeUnknownError } from "@reports/core/base";
import { createTestDatabases, isFullTestRun, waitFor } from "@reports/testing";
import { sql } from "drizzle-orm";
import { expect, test, type TestContext } from "vitest";
import { createDatabase } from "./database.ts";
import { createWriteCheck } from "./write-probe.ts";

const { cloneDatabase } = createTestDatabases({ migrate: async () => undefined, template: "empty" });

async function openWay({ onTestFinished }: TestContext) {
  const clone = await cloneDatabase();
  const upstream = new URL(clone.url);
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const behind = connect(Number(upstream.port), upstream.hostname);
    client.pipe(behind).pipe(client);
    for (const socket of [client, behind]) {
      open.add(socket);
      socket.on("error", () => undefined);
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    proxy.close();
    await clone[Symbol.asyncDispose]();
  });
  const url = new URL(clone.url);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { url: url.href, silence: () => open.forEach((socket) => socket.unpipe().pause()) };
}

test.concurrent("a COMMIT on a connection without any answer does not block later transactions", async (context) => {
  const way = await openWay(context);
  const database = createDatabase({
    url: way.url,
    max: 2,
    deadlineMs: isFullTestRun ? 10_000 : 2_000,
    commitWaitMs: 100,
  });
  context.onTestFinished(() => database.close());
  // Opens the connection now, so that the deadline of the transaction does not include it.
  await database.query((queries) => queries.execute(sql`select 1`));
  const lost = database.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    way.silence();
  });
  await expect(lost).rejects.toBeInstanceOf(CommitOutcomeUnknownError);
  const next = database.transaction(async (tx) => [...(await tx.execute(sql`select 1 as one`))]);
  expect(await next).toEqual([{ one: 1 }]);
});

test.concurrent("the write probe uses another connection if its own no longer answers", async (context) => {
  const way = await openWay(context);
  const database = createDatabase({ url: way.url, max: 2, deadlineMs: 1_000 });
  context.onTestFinished(() => database.close());
  const probe = createWriteCheck(database, { everyMs: 0, retryMs: 0, maxWriteMs: 1_000, maxSilenceMs: 100 });
  const isWritable = () =>
    probe().then(
      () => true,
      () => false,
    );
  await expect.poll(isWritable).toBe(true);
  way.silence();
  await waitFor(async () => !(await isWritable()), { what: "the probe to fail" });
  await waitFor(isWritable, { what: "a write over another connection" });
});
