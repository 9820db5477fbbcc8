import { createHash } from "node:crypto";
import { applyHostileSettings } from "@reports/testing";
import { expect, test } from "vitest";
import { startApi, type RunningApi } from "../commands/running-api.ts";

async function call(api: RunningApi, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json", ...init.headers };
  const response = await fetch(`${api.url}/v1${path}`, { ...init, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response;
}

/** Starts a report, waits for its end, finds it in the list and downloads it; gives what must be the same each time. */
async function tryAll(api: RunningApi) {
  const body = JSON.stringify({ reportType: "PROXY_DOMAIN", format: "csv", timezone: "Asia/Kolkata" });
  let report = (await (
    await call(api, "/reports", { method: "POST", body, headers: { prefer: "wait=30" } })
  ).json()) as { id: string; status: string };
  while (report.status === "QUEUED" || report.status === "RUNNING")
    report = (await (
      await call(api, `/reports/${report.id}`, { headers: { prefer: "wait=30" } })
    ).json()) as typeof report;
  const file = Buffer.from(
    await (await call(api, `/report/download?reportType=PROXY_DOMAIN&id=${report.id}`)).arrayBuffer(),
  );
  const items = (await (await call(api, "/reports?sort=-createdAt")).json()) as { id: string }[];
  const domains = await (await call(api, "/domains?limit=50&sort=hostname")).json();
  return {
    status: report.status,
    isListed: items.some(({ id }) => id === report.id),
    sha256: createHash("sha256").update(file).digest("hex"),
    lines: file.toString().split("\n").length,
    domains,
  };
}

test("all hostile settings of a database at the same time change nothing for callers", async () => {
  await using api = await startApi({ proxies: 10, domains: 300, worker: true });
  const expected = await tryAll(api);
  expect(expected).toMatchObject({ status: "SUCCEEDED", isListed: true });
  expect(expected.lines).toBeGreaterThan(300);
  await applyHostileSettings(api.databaseUrl);
  await api.stopWorker();
  await api.startWorker();
  await api.restart();
  expect(await tryAll(api)).toEqual(expected);
}, 300_000);
