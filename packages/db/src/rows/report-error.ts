import {
  ExpectedError,
  PermanentReportError,
  ReportNotServedError,
  runTimeExceeded,
  StoreUnavailableError,
  type ReportTypeDefinition,
} from "@reports/core";
import { codeOf, mapStoreError } from "../database/store-error.ts";

/** What an error of the query for a report's rows means to the report. */
export function mapReportError(error: unknown, { type, rows }: ReportTypeDefinition): unknown {
  if (error instanceof ExpectedError) return error;
  const code = codeOf(error);
  // The statement time-out is the run-time limit; pg_cancel_backend by an operator has the same code.
  if (code === "57014") return runTimeExceeded(null, error);
  if (code?.startsWith("22") === true) {
    return new PermanentReportError(
      "INVALID_DATA",
      "The database holds a value from which the report cannot be computed.",
      error,
    );
  }
  const mapped = mapStoreError(error);
  if (rows.kind !== "view" || mapped !== error || code === undefined) return mapped;
  // Access rules, names and types; a feature that an engine lacks.
  if (/^(42...|3F000|0A000)$/.test(code)) {
    return new ReportNotServedError(
      "TYPE_UNUSABLE",
      `${rows.view} cannot be read as the report type ${type} says (${code}).`,
      error,
    );
  }
  // What stands behind a foreign table: the server itself is well.
  if (code.startsWith("HV")) {
    return new StoreUnavailableError(`The foreign server of ${rows.view} cannot be used now (${code}).`, {
      cause: error,
    });
  }
  return error;
}
