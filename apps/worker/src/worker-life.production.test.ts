import { test } from "vitest";
import { endsWithoutHeartbeat, endsWithoutPostgres, isTakenOver } from "./test/worker-deaths.ts";

test.concurrent("a worker whose Postgres does not answer for 15 s ends itself", async () => {
  await endsWithoutPostgres("production");
}, 180_000);

test.concurrent("a worker whose heartbeat alone is not recorded for 15 s ends itself", async () => {
  await endsWithoutHeartbeat("production");
}, 180_000);

test.concurrent("another worker takes over the report of a worker that has been dead for 25 s", async () => {
  await isTakenOver("production");
}, 240_000);
