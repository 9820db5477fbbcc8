import { measureReachableBytes } from "@reports/testing";
import { expect, test } from "vitest";
import { startApiUnderTest } from "./test/api-under-test.ts";

async function startAndEndApi(): Promise<ReadonlyMap<string, WeakRef<object>>> {
  await using api = await startApiUnderTest();
  await (await api.as([])).get("/v1/callers").expect(200);
  const { metrics, listener, endpoints, reports, database, watches, logger } = api;
  const parts: Readonly<Record<string, object>> = { metrics, listener, endpoints, reports, database, watches, logger };
  return new Map(Object.entries(parts).map(([name, part]) => [name, new WeakRef(part)]));
}

test("the memory of an API is free after its end", async () => {
  const parts = await startAndEndApi();
  await expect
    .poll(async () => {
      await measureReachableBytes();
      return [...parts].flatMap(([name, part]) => (part.deref() === undefined ? [] : [name]));
    })
    .toEqual([]);
});
