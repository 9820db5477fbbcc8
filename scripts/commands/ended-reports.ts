import { createGateway } from "@reports/client";
import { CommandExitError } from "@reports/commands";
import type { Stand } from "@reports/testing";

export interface CompletedReportFile {
  readonly reportType: string;
  readonly id: string;
  readonly fileId: string;
  readonly mediaType: string;
}

/** Maximum ms to wait until all reports have ended. Reports take much less, so only a hanging report exceeds it. */
const longestMs = 300_000;

const startsByFormat = [
  { reportType: "PROXY", format: "pdf" },
  { reportType: "PROXY_DOMAIN", format: "xlsx" },
  { reportType: "PROXY", format: "csv" },
  { reportType: "PROXY_DOMAIN", format: "json" },
  { reportType: "PROXY", format: "ndjson" },
  { reportType: "PROXY", format: "csv", compression: "gzip" },
  { reportType: "PROXY_DOMAIN", format: "ndjson", compression: "zstd" },
] as const;

export async function makeReportPerFormat(stand: Stand): Promise<readonly CompletedReportFile[]> {
  const gateway = createGateway({ baseUrl: stand.origin, token: () => stand.token() });
  return Promise.all(
    startsByFormat.map(async (start) => {
      const started = await gateway.reports.start(start);
      const { id, reportType, file, status } = await gateway.reports.wait(started.id, { timeoutMs: longestMs });
      if (file === null) throw new CommandExitError(`The report ${JSON.stringify(start)} ended ${status}.`, 1);
      return { reportType, id, fileId: file.id, mediaType: file.contentType.split(";")[0]! };
    }),
  );
}
