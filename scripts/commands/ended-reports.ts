import { createGateway } from "@reports/client";
import { CommandFailure } from "@reports/commands";
import type { RunningApi } from "./running-api.ts";

/** A file of a report that has succeeded. */
export interface EndedFile {
  readonly reportType: string;
  readonly id: string;
  readonly fileId: string;
  /** Without parameters. */
  readonly mediaType: string;
}

/** Far longer than any of them takes. */
const longestMs = 300_000;

/** A start for every media type that a file may have. */
const starts = [
  { reportType: "PROXY", format: "pdf" },
  { reportType: "PROXY_DOMAIN", format: "xlsx" },
  { reportType: "PROXY", format: "csv" },
  { reportType: "PROXY_DOMAIN", format: "json" },
  { reportType: "PROXY", format: "ndjson" },
  { reportType: "PROXY", format: "csv", compression: "gzip" },
  { reportType: "PROXY_DOMAIN", format: "ndjson", compression: "zstd" },
] as const;

/** Has a report of every media type drawn, and waits until all of them have their files. */
export async function drawReports({ url, token }: RunningApi): Promise<readonly EndedFile[]> {
  const gateway = createGateway({ baseUrl: url, token: () => token });
  return Promise.all(
    starts.map(async (start) => {
      const started = await gateway.reports.start(start);
      const { id, reportType, file, status } = await gateway.reports.wait(started.id, { timeoutMs: longestMs });
      if (file === null) throw new CommandFailure(`The report ${JSON.stringify(start)} ended ${status}.`, 1);
      return { reportType, id, fileId: file.id, mediaType: file.contentType.split(";")[0]! };
    }),
  );
}
