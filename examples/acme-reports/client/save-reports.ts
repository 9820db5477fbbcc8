// Starts a report of each type in each format with the typed client, waits for each report and saves its file.
// Run it with: node client/save-reports.ts FOLDER. It reads the variables REPORTS_URL, REPORTS_USER and REPORTS_PASSWORD.
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createGateway, ReportFailedError, reportFormats } from "@reports/client/node";
import type types from "../src/index.js";

const {
  REPORTS_URL: baseUrl = "http://127.0.0.1:3000",
  REPORTS_USER: name = "",
  REPORTS_PASSWORD: password = "",
} = process.env;
const folder = process.argv[2] ?? ".";
// The types of the package make a misspelt report type, filter, column or option a compile error.
const gateway = createGateway<typeof types>({ baseUrl, credentials: { name, password } });

const saved = [];
for (const reportType of ["INVOICE", "STOCK_LEVEL"] as const) {
  for (const format of reportFormats) {
    const to = join(folder, `${reportType}.${format}`);
    const report = await gateway.reports.run({ reportType, format }, { to, timeoutMs: 120_000 });
    saved.push({ reportType, format, rowCount: report.rowCount, failures: report.failures });
  }
}

// With this filter, STOCK_LEVEL throws a PermanentReportError of this package's copy of @reports/core. The service recognises this class of another
// copy too, and the error ends the report.
const closed = { reportType: "STOCK_LEVEL", format: "csv", searchParam: { warehouse: ["CLOSED"] } } as const;
const ended = await gateway.reports.run(closed, { to: join(folder, "none.csv") }).then(
  () => null,
  (error: unknown) => {
    if (!(error instanceof ReportFailedError) || error.report.error === null) throw error;
    const { code, detail } = error.report.error;
    return { code, detail };
  },
);

// The rows of the warehouse MOVING throw StoreUnavailableError, so the report waits for its next attempt.
const moving = { reportType: "STOCK_LEVEL", format: "csv", searchParam: { warehouse: ["MOVING"] } } as const;
const { id } = await gateway.reports.start(moving);
let report = await gateway.reports.get(id);
while (report.attempt === 0 || report.status === "RUNNING") {
  await setTimeout(100);
  report = await gateway.reports.get(id);
}
const { status, attempt, failures } = report;
await gateway.reports.cancel(id);

process.stdout.write(JSON.stringify({ saved, ended, waiting: { status, attempt, failures } }));
