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
  return waitFor(
    async () => {
      const seen = await caller.read(id);
      if (seen !== null && seen !== "deleted" && seen.status === "FAILED") throw new Error(`The report ${id} FAILED.`);
      return seen !== null && seen !== "deleted" && seen.status === "SUCCEEDED" ? seen : null;
    },
    { what: `the report of ${request.reportType}`, timeoutMs: 120_000, intervalMs: 200 },
  );
}
