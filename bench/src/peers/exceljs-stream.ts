import { readFileSync } from "node:fs";
import exceljs from "exceljs";
import postgres from "postgres";

/**
 * Writes the rows of a query as xlsx with the streaming writer of exceljs: typed cells, styled header. Arguments: database URL, query file, xlsx
 * path.
 */
const [url = "", queryFile = "", path = ""] = process.argv.slice(2);
const sql = postgres(url, { max: 1 });
const workbook = new exceljs.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true, useSharedStrings: false });
const sheet = workbook.addWorksheet("Rows", { views: [{ state: "frozen", ySplit: 1 }] });
let isFirst = true;
// The query is the service's own.
// oxlint-disable-next-line no-restricted-properties
for await (const rows of sql.unsafe(readFileSync(queryFile, "utf8")).cursor(2000)) {
  if (isFirst) {
    isFirst = false;
    sheet.columns = Object.keys(rows[0] ?? {}).map((key) => ({ header: key, key, width: 20 }));
    sheet.getRow(1).font = { bold: true };
  }
  for (const row of rows) {
    const cells = Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, Array.isArray(value) ? value.join("; ") : (value as unknown)]),
    );
    sheet.addRow(cells).commit();
  }
}
await workbook.commit();
await sql.end();
process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
