import { expect, test } from "vitest";
import { openStores } from "./starts-of-callers.fixture.ts";

test("a start that rejects at its deadline is not written later", async () => {
  await using opened = await openStores({ deadlineMs: 10_000 });
  await opened.start("alice");
  await opened.sql.begin(async (tx) => {
    await tx`update rate_windows set expires_at = expires_at where key = 'starts:alice'`;
    const settled = await Promise.allSettled(["alice", "bob"].map(async (caller) => opened.start(caller)));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });
  await expect(opened.start("alice")).resolves.toMatchObject({ reused: false });
  expect((await opened.readBatches()).flat().toSorted()).toEqual(["alice", "alice", "bob"]);
});
