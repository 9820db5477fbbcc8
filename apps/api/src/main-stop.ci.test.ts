import { waitFor } from "@reports/testing";
import { expect, test } from "vitest";
import { setUpApiProcesses, waitForApiOrigin, waitForReadiness } from "./test/api-process.ts";
import { builtInReportAuthorities, createTestToken } from "./test/api-under-test.ts";
import { openEventStream } from "./test/event-stream-reader.ts";

test("after SIGTERM, the API is not ready but serves for SHUTDOWN_DELAY_SECONDS", async () => {
  await using apis = await setUpApiProcesses();
  // The delay of 20 s gives even a busy machine time for all steps of the test before the API closes the event stream.
  const api = apis.start({ SHUTDOWN_DELAY_SECONDS: "20" });
  const origin = await waitForApiOrigin(api);
  const headers = { Authorization: `Bearer ${await createTestToken(builtInReportAuthorities)}` };
  const started = await fetch(`${origin}/v1/report?reportType=PROXY`, { headers });
  const { id } = (await started.json()) as { id: string };
  const waiting = fetch(`${origin}/v1/reports/${id}`, { headers: { ...headers, Prefer: "wait=30" } });
  const stream = await openEventStream(Number(new URL(origin).port), `/v1/reports/${id}/events`, headers);
  const watches = async () =>
    (await fetch(`${origin}/metrics`).then(async (response) => response.text())).match(/^report_watches (\d+)$/m)?.[1];
  await waitFor(async () => (await watches()) === "2", { what: "both to wait" });

  api.signal("SIGTERM");
  await waitForReadiness(origin, "503 running: failing");
  const served = await fetch(`${origin}/v1/reports/${id}`, { headers });
  expect(served.status).toBe(200);
  expect(served.headers.get("connection")).toBe("close");

  await stream.ended;
  expect(stream.events().map(({ data }) => data["to"])).toEqual(["QUEUED"]);
  const answered = await waiting;
  expect(answered.status).toBe(200);
  expect(await answered.json()).toMatchObject({ status: "QUEUED" });
  expect({ code: await api.ended, log: api.log() }).toMatchObject({ code: 0 });
});
