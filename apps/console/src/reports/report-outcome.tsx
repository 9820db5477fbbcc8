import type { Report } from "@reports/client";
import { toSentenceCase } from "../parts/text.ts";
import { RunInOtherFormat } from "./run-in-other-format.tsx";

/** Advice to the user for a failed report, by error code. docs/reference/resources/reports.md#attempts-and-failures. */
const adviceByErrorCode: Readonly<Record<string, string>> = {
  REPORT_TOO_LARGE: "Narrow the filters, or choose a format that takes more rows.",
  SPOOL_LIMIT_EXCEEDED: "Narrow the filters, show fewer columns, or compress the file.",
  RUN_TIME_LIMIT_EXCEEDED: "Narrow the filters, or choose csv or ndjson.",
  INVALID_DATA: "Tell the operator of the gateway the id of this report.",
  UNKNOWN_REPORT_TYPE: "No worker serves this type. Tell the operator of the gateway, then run it again.",
  AUTHORITY_REVOKED: "The requester lost the authority for this type. Once it is granted again, run the report again.",
  OUT_OF_MEMORY: "Choose csv or ndjson, or narrow the filters.",
  RENDERER_CRASHED: "Run it again. If that fails too, tell the operator of the gateway.",
  DEPENDENCY_UNAVAILABLE: "Run it again.",
  INTERNAL: "Run it again. If that fails too, tell the operator of the gateway.",
};

export function ReportOutcome({ report }: { readonly report: Report }) {
  const { error, status } = report;
  return (
    <>
      {error !== null && (
        <div class="notice bad">
          <h2>{toSentenceCase(error.code)}</h2>
          <p dir="auto">{error.detail}</p>
          <p>
            <b>What to do:</b>{" "}
            {adviceByErrorCode[error.code] ??
              (error.retryable ? "Run it again." : "Change the report and run it again.")}
          </p>
          <RunInOtherFormat report={report} />
        </div>
      )}
      {status === "EXPIRED" && (
        <div class="notice">
          <h2>The file has expired</h2>
          <p>Run the report again to get one with today’s data.</p>
        </div>
      )}
    </>
  );
}
