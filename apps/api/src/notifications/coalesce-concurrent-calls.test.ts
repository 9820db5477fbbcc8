import { expect, test } from "vitest";
import { coalesceConcurrentCalls } from "./coalesce-concurrent-calls.ts";

function createCalls() {
  const calls: PromiseWithResolvers<string>[] = [];
  const ask = coalesceConcurrentCalls(async () => {
    const call = Promise.withResolvers<string>();
    calls.push(call);
    return call.promise;
  });
  return { calls, ask };
}

test("requests that arrive during a call of coalesceConcurrentCalls share the next call", async () => {
  const { calls, ask } = createCalls();
  const first = ask();
  const others = [ask(), ask(), ask()];
  expect(calls).toHaveLength(1);
  calls[0]!.resolve("old");
  expect(await first).toBe("old");
  await new Promise(setImmediate);
  expect(calls).toHaveLength(2);
  const later = ask();
  calls[1]!.resolve("new");
  expect(await Promise.all(others)).toEqual(["new", "new", "new"]);
  await new Promise(setImmediate);
  expect(calls).toHaveLength(3);
  calls[2]!.resolve("newer");
  expect(await later).toBe("newer");
});

test("requests that arrive during a failing call of coalesceConcurrentCalls fail with it", async () => {
  const { calls, ask } = createCalls();
  const requested = [ask(), ask(), ask()];
  calls[0]!.reject(new Error("away"));
  const outcomes = await Promise.allSettled(requested);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(calls).toHaveLength(1);
  const again = ask();
  expect(calls).toHaveLength(2);
  calls[1]!.resolve("back");
  expect(await again).toBe("back");
});
