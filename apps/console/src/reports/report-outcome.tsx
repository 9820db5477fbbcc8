import type { Report } from "@reports/client";
import { wordOf } from "../parts/text.ts";

/** What somebody can do about a report that failed. docs/contract.md §4.2. */
const remedies: Readonly<Record<string, string>> = {
  REPORT_TOO_LARGE: "Filter more narrowly, or choose a format that takes more rows.",
  SPOOL_LIMIT_EXCEEDED: "Filter more narrowly, show fewer columns, or compress the file.",
  RUN_TIME_LIMIT_EXCEEDED: "Filter more narrowly, or choose csv or ndjson, which are made fastest.",
  INVALID_DATA: "A row cannot be shown. Tell those who run the gateway, with the id of this report.",
  UNKNOWN_REPORT_TYPE: "No worker serves this type. Tell those who run the gateway, then run it again.",
  AUTHORITY_REVOKED:
    "The requester lost the authority for this type while the report waited. Once it is granted again, run it again.",
  OUT_OF_MEMORY: "Choose csv or ndjson, which need hardly any memory, or filter more narrowly.",
  RENDERER_CRASHED: "Run it again. If that fails, too, tell those who run the gateway.",
  DEPENDENCY_UNAVAILABLE: "The database or the file store was away. Run it again.",
  INTERNAL: "Run it again. If that fails, too, tell those who run the gateway.",
};

/** What has to be known before the file is used: why there is none, or what it leaves out. */
export function ReportOutcome({ report }: { readonly report: Report }) {
  const { error, warnings, status } = report;
  return (
    <>
      {error !== null && (
        <div class="notice bad">
          <h2>{wordOf(error.code)}</h2>
          <p dir="auto">{error.detail}</p>
          <p>
            <b>What to do:</b>{" "}
            {remedies[error.code] ?? (error.retryable ? "Run it again." : "Change what it asks for.")}
          </p>
        </div>
      )}
      {status === "EXPIRED" && (
        <div class="notice">
          <h2>The file is gone</h2>
          <p>Files are kept for some days only. Run the report again for one of today.</p>
        </div>
      )}
      {warnings.map(({ code, message }) => (
        <div key={`${code} ${message}`} class="notice warn">
          <h2>{wordOf(code)}</h2>
          <p dir="auto">{message}</p>
        </div>
      ))}
    </>
  );
}
