import { measureReachableBytes } from "@reports/testing";
import { expect, test } from "vitest";
import { startApiUnderTest } from "./test/api-under-test.ts";

async function startAndEndApi(): Promise<readonly (readonly [string, WeakRef<object>])[]> {
  await using api = await startApiUnderTest();
  await (await api.as([])).get("/v1/callers").expect(200);
  // A refusal starts the timer of the audit log.
  await api.anonymous().get("/v1/callers").expect(401);
  return Object.entries<unknown>(api).flatMap(([name, part]) =>
    typeof part === "object" && part !== null ? [[name, new WeakRef(part)] as const] : [],
  );
}

test("the memory of an API is free after its end", async () => {
  const parts = await startAndEndApi();
  expect(parts.map(([name]) => name)).toEqual(expect.arrayContaining(["metrics", "database", "reports", "store"]));
  await expect
    .poll(async () => {
      await measureReachableBytes();
      return parts.flatMap(([name, part]) => (part.deref() === undefined ? [] : [name]));
    })
    .toEqual([]);
});
