import { createHash } from "node:crypto";
import { applyHostileSettings, cloneDemoDatabase, startStand, type Stand } from "@reports/testing";
import { expect, test } from "vitest";

async function call(stand: Stand, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${stand.token()}`, "content-type": "application/json", ...init.headers };
  const response = await fetch(`${stand.origin}/v1${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function tryAll(stand: Stand) {
  const body = JSON.stringify({ reportType: "PROXY_DOMAIN", format: "csv", timezone: "Asia/Kolkata" });
  let report = (await (
    await call(stand, "/reports", { method: "POST", body, headers: { prefer: "wait=30" } })
  ).json()) as { id: string; status: string };
  while (report.status === "QUEUED" || report.status === "RUNNING")
    report = (await (
      await call(stand, `/reports/${report.id}`, { headers: { prefer: "wait=30" } })
    ).json()) as typeof report;
  const file = Buffer.from(
    await (await call(stand, `/report/download?reportType=PROXY_DOMAIN&id=${report.id}`)).arrayBuffer(),
  );
  const items = (await (await call(stand, "/reports?sort=-createdAt")).json()) as { id: string }[];
  const domains = await (await call(stand, "/domains?limit=50&sort=hostname")).json();
  return {
    status: report.status,
    isListed: items.some(({ id }) => id === report.id),
    sha256: createHash("sha256").update(file).digest("hex"),
    lines: file.toString().split("\n").length,
    domains,
  };
}

test("unusual settings of the Postgres database change neither reports nor lists", async () => {
  await using database = await cloneDemoDatabase();
  await using stand = await startStand({
    database,
    store: "folder",
    apis: 1,
    workers: 1,
    environment: { WORKER_CONCURRENCY: "1" },
  });
  const expected = await tryAll(stand);
  expect(expected).toMatchObject({ status: "SUCCEEDED", isListed: true });
  expect(expected.lines).toBeGreaterThan(300);
  await applyHostileSettings(stand.databaseUrl);
  for (const each of [...stand.workers, ...stand.apis]) await each.restart();
  expect(await tryAll(stand)).toEqual(expected);
}, 300_000);
