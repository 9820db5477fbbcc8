import { expect, test } from "vitest";
import { startWorkerUnderTest, type WorkerUnderTest } from "../test/worker-under-test.ts";

const report = { reportType: "PROXY", format: "csv" };
const requiredAuthority = "REPORT_PROXY";

async function addUser({ sql }: WorkerUnderTest, name: string, authorities: readonly string[]): Promise<void> {
  await sql`insert into users (name, password_hash, authorities) values (${name}, 'unused', ${[...authorities]})`;
}

test("a report whose requester still has the authority runs", async () => {
  await using worker = await startWorkerUnderTest();
  await addUser(worker, "alice", ["OTHER", requiredAuthority]);
  const { id } = await worker.start(report, { principalId: "basic:alice", requiredAuthority });
  expect(await worker.run(id)).toMatchObject({ kind: "succeeded" });
});

test.each<[string, (worker: WorkerUnderTest) => Promise<unknown>]>([
  ["has lost the authority", async ({ sql }) => sql`update users set authorities = '{REPORT_PROXY_DOMAIN}'`],
  ["is disabled", async ({ sql }) => sql`update users set disabled_at = now()`],
  ["is deleted", async ({ sql }) => sql`delete from users`],
])("a report whose requester %s while it waits fails with AUTHORITY_REVOKED", async (_, revoke) => {
  await using worker = await startWorkerUnderTest();
  await addUser(worker, "alice", [requiredAuthority]);
  const { id } = await worker.start(report, { principalId: "basic:alice", requiredAuthority });
  await revoke(worker);
  expect(await worker.run(id)).toMatchObject({ kind: "failed" });
  expect(await worker.find(id)).toMatchObject({
    status: "FAILED",
    failures: 0,
    error: { code: "AUTHORITY_REVOKED", retryable: false },
  });
  expect(await worker.leftovers()).toEqual([]);
});

test("a bearer token's authorities count as they were when the report was started", async () => {
  await using worker = await startWorkerUnderTest();
  const { id } = await worker.start(report, { principalId: "https://issuer.example|alice", requiredAuthority });
  expect(await worker.run(id)).toMatchObject({ kind: "succeeded" });
});
