import { createServer } from "node:http";
import { createDatabase } from "@reports/db";
import { expect, test } from "vitest";
import { composeReadinessChecks } from "./compose-readiness-checks.ts";
import { composeServerLifecycle } from "./compose-server-lifecycle.ts";
import { createTestApiConfig } from "./test/config-under-test.ts";

const config = {
  ...createTestApiConfig("postgres://unused", {}),
  host: "127.0.0.1",
  port: 0,
  shutdownDelaySeconds: 600,
};

test("at a stop, the API serves requests until SHUTDOWN_DELAY_SECONDS are over", async () => {
  const server = createServer((_, response) => response.end("served"));
  let [origin, isStopping] = ["", false];
  const { probes, http } = composeServerLifecycle({ server, probeServer: undefined }, config, {
    onReady: ({ port }) => void (origin = `http://127.0.0.1:${port}`),
    onStop: () => void (isStopping = true),
  });
  await probes.start();
  await http.start();
  // The abort of this signal ends the delay, so that the test does not wait for it.
  const over = new AbortController();
  const stopped = http.stop(over.signal);
  try {
    const response = await fetch(origin);
    expect([await response.text(), response.headers.get("connection")]).toEqual(["served", "close"]);
    expect([isStopping, server.listening]).toEqual([false, true]);
  } finally {
    over.abort();
    await stopped;
  }
  expect([isStopping, server.listening]).toEqual([true, false]);
});

test("the readiness check `running` fails as soon as the API begins to stop", async () => {
  const database = createDatabase({ url: "postgres://unused" });
  const stopping = new AbortController();
  const lifecycle = { signal: stopping.signal };
  const { running } = composeReadinessChecks(config, database, { lifecycle, hasStarted: () => true });
  const { signal } = new AbortController();
  await running!(signal);
  stopping.abort();
  await expect(running!(signal)).rejects.toThrow("aborted");
  await database.close();
});
