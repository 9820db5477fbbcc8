// A program of another app: schedules a report for Monday, previews it, and saves reports of every type in every format. Run it with: node
// client/monday-reports.ts FOLDER. It reads the variables REPORTS_URL, REPORTS_USER and REPORTS_PASSWORD.
import { join } from "node:path";
import { createGateway, reportFormats, type ReportOptionsOf } from "@reports/client/node";
import type types from "../src/index.js";

const {
  REPORTS_URL: baseUrl = "http://127.0.0.1:3000",
  REPORTS_USER: name = "",
  REPORTS_PASSWORD: password = "",
} = process.env;
const folder = process.argv[2] ?? ".";
// The types of the package make a misspelt report type, filter, column or option a compile error.
const gateway = createGateway<typeof types>({ baseUrl, credentials: { name, password } });

async function save(input: Parameters<typeof gateway.reports.run>[0]) {
  const to = join(folder, `${input.reportType}.${input.format}`);
  return gateway.reports.run(input, { to, timeoutMs: 120_000 });
}

// The options of both the start and the schedule below. They have no time zone, because a schedule has its own.
const byDepot: ReportOptionsOf<typeof types, "SHIPMENT"> = { language: "de", groupBy: "depot" };

const { record: schedule } = await gateway.schedules.create({
  name: "Open shipments on Monday",
  reportType: "SHIPMENT",
  cron: "0 7 * * 1",
  timezone: "Europe/Berlin",
  searchParam: { stateNot: ["DELIVERED"], pickedUpFrom: "thisWeek-P8W" },
  options: { ...byDepot, format: "xlsx" },
});
const fire = await gateway.schedules.run(schedule.id);

const preview = await gateway.reportTypes.rows("VEHICLE", {
  searchParam: { depot: ["HAM"], inspectionTo: "today" },
  columns: ["plate", "inspectionOn", "place"],
  limit: 5,
});

const saved = [];
for (const format of reportFormats) {
  const reports = await Promise.all([
    save({
      reportType: "SHIPMENT",
      format,
      searchParam: { pickedUpFrom: "today-P90D", pickedUpTo: "today" },
      timezone: "Europe/Berlin",
      ...byDepot,
    }),
    save({ reportType: "DEPOT_LOAD", format, searchParam: { asOf: "today-P7D" }, timezone: "Europe/Berlin" }),
    save({ reportType: "VEHICLE", format, searchParam: { depot: ["HAM", "GDN", "BER"] }, timezone: "Asia/Tokyo" }),
  ]);
  for (const { reportType, rowCount, failures } of reports) saved.push({ reportType, format, rowCount, failures });
}

process.stdout.write(JSON.stringify({ saved, preview, schedule: schedule.status, outcome: fire.outcome }));
