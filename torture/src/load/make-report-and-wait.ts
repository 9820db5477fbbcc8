import { waitFor } from "@reports/testing";
import type { LoadClient, SeenReport } from "./load-client.ts";
import type { TortureReportRequest } from "./report-variants.ts";

/** Starts a report and waits for its success. Call it only while no faults are injected. */
export async function makeReportAndWait(
  caller: LoadClient,
  request: TortureReportRequest,
  which = "only",
): Promise<SeenReport> {
  const id = await caller.start(request, `made-${request.reportType}-${request.format}-${which}`.replaceAll("_", "-"));
  const limits = { timeoutMs: 120_000, intervalMs: 200 };
  return waitUntilSucceeded(caller, id, { what: `the report of ${request.reportType}`, ...limits });
}

export async function waitUntilSucceeded(
  caller: LoadClient,
  id: string,
  options: Parameters<typeof waitFor>[1],
): Promise<SeenReport> {
  return waitFor(async () => {
    const seen = await caller.read(id);
    if (seen === null || seen === "deleted") return null;
    if (seen.status === "FAILED" || seen.status === "CANCELLED")
      throw new Error(`The report ${id} ended ${seen.status} in the wait for ${options.what}.`);
    return seen.status === "SUCCEEDED" ? seen : null;
  }, options);
}
