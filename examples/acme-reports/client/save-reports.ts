// Another app's side: starts a report of each type in each format, waits for it and saves its file, with the typed client.
// node client/save-reports.ts FOLDER, with REPORTS_URL, REPORTS_USER and REPORTS_PASSWORD.
import { join } from "node:path";
import { createGateway, ReportFailedError } from "@reports/client/node";

const {
  REPORTS_URL: baseUrl = "http://127.0.0.1:3000",
  REPORTS_USER: name = "",
  REPORTS_PASSWORD: password = "",
} = process.env;
const folder = process.argv[2] ?? ".";
const gateway = createGateway({ baseUrl, credentials: { name, password } });

const saved = [];
for (const { reportType, formats } of await gateway.reportTypes.list()) {
  if (reportType !== "INVOICE" && reportType !== "STOCK_LEVEL") continue;
  for (const { format } of formats) {
    const to = join(folder, `${reportType}.${format}`);
    const report = await gateway.reports.run({ reportType, format }, { to, timeoutMs: 120_000 });
    saved.push({ reportType, format, rowCount: report.rowCount, failures: report.failures });
  }
}

// What rows() of the package throws keeps its meaning, although its copy of @reports/core is not the service's.
const ended = await gateway.reports
  .run(
    { reportType: "STOCK_LEVEL", format: "csv", searchParam: { warehouse: ["CLOSED"] } },
    { to: join(folder, "none.csv") },
  )
  .then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof ReportFailedError)) throw error;
      return error.report.error;
    },
  );
process.stdout.write(JSON.stringify({ saved, ended }));
