import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createSharedFolderFlush } from "./shared-flush.ts";

function heldFlushes() {
  const begun: { readonly path: string; readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const flush = createSharedFolderFlush(async (path, onBegin) => {
    onBegin();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    begun.push({ path, end: resolve, fail: reject });
    return promise;
  });
  return { begun, flush };
}

test("calls during a flush to disk share the next flush, and wait for that one", async () => {
  const { begun, flush } = heldFlushes();
  const ended: string[] = [];
  const first = flush("a").then(() => ended.push("first"));
  await setImmediate();
  const others = ["second", "third"].map(async (name) => flush("a").then(() => ended.push(name)));
  const elsewhere = flush("b");
  await setImmediate();
  expect(begun.map(({ path }) => path)).toEqual(["a", "b"]);
  begun[0]!.end();
  begun[1]!.end();
  await Promise.all([first, elsewhere]);
  await setImmediate();
  expect(ended).toEqual(["first"]);
  expect(begun.map(({ path }) => path)).toEqual(["a", "b", "a"]);
  begun[2]!.end();
  await Promise.all(others);
  expect(begun).toHaveLength(3);
});

test("a failed flush to disk rejects only the calls that share it; the next one runs", async () => {
  const { begun, flush } = heldFlushes();
  const shared = [flush("a"), flush("a")];
  await setImmediate();
  const next = flush("a");
  begun[0]!.fail(new Error("EIO"));
  expect(await Promise.allSettled(shared)).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
  await setImmediate();
  begun[1]!.end();
  await next;
});
