import { CommandFailure } from "./command-line.ts";
import type { RunningApi } from "./running-api.ts";

/** A file of a report that has succeeded. */
export interface EndedFile {
  readonly reportType: string;
  readonly id: string;
  readonly fileId: string;
  /** Without parameters. */
  readonly mediaType: string;
}

interface Answer {
  readonly id: string;
  readonly status: string;
  readonly file: { readonly id: string; readonly contentType: string } | null;
}

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
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return Promise.all(
    starts.map(async ({ reportType, ...options }) => {
      const body = JSON.stringify({ reportType, ...options });
      const started = await fetch(`${url}/v1/reports`, { method: "POST", headers, body });
      let report = (await started.json()) as Answer;
      for (let waits = 0; report.status === "QUEUED" || report.status === "RUNNING"; waits++) {
        if (waits === 10) throw new CommandFailure(`The report ${JSON.stringify(options)} does not end.`, 1);
        const read = await fetch(`${url}/v1/reports/${report.id}`, { headers: { ...headers, Prefer: "wait=30" } });
        report = (await read.json()) as Answer;
      }
      const { id, file, status } = report;
      if (file === null) throw new CommandFailure(`The report ${JSON.stringify(options)} ended ${status}.`, 1);
      return { reportType, id, fileId: file.id, mediaType: file.contentType.split(";")[0]! };
    }),
  );
}
