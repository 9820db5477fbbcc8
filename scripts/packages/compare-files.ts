/** What the example's client says when it is done. */
export interface SavedReports {
  readonly saved: readonly {
    readonly reportType: string;
    readonly format: string;
    readonly rowCount: number | null;
    readonly failures: number;
  }[];
  /** The error of the report whose rows() throws a PermanentReportError. */
  readonly ended: { readonly code: string; readonly detail: string } | null;
}

/** What readers found in a file; those of pdf count no rows. */
export type ReadFiles = Readonly<
  Record<string, { readonly columns: readonly string[]; readonly rows?: number; readonly sum?: string } | undefined>
>;

/** Of the rows that the example's SQL and service give: how many, and what their amounts and pieces add up to. */
const expected: Readonly<Record<string, { readonly rows: number; readonly sum: string; readonly columns: number }>> = {
  INVOICE: { rows: 1_980, sum: sumOfInvoices(), columns: 10 },
  STOCK_LEVEL: { rows: 600, sum: sumOfPieces(), columns: 7 },
};
const formats = ["pdf", "xlsx", "csv", "json", "ndjson"];

/** What is wrong with the files of the example's reports, as sentences. */
export function compareFiles({ saved, ended }: SavedReports, read: ReadFiles): string[] {
  const faults = Object.entries(expected).flatMap(([reportType, { rows, sum, columns }]) =>
    formats.flatMap((format) => {
      const name = `${reportType}.${format}`;
      const record = saved.find((one) => one.reportType === reportType && one.format === format);
      const found = read[name];
      if (record === undefined || found === undefined) return [`${name} is missing.`];
      const wanted = format === "pdf" ? { columns: 1 } : { columns, rows, sum };
      const is = { columns: found.columns.length, ...(format === "pdf" ? {} : { rows: found.rows, sum: found.sum }) };
      return [
        ...(record.rowCount === rows ? [] : [`The record of ${name} says ${record.rowCount} rows instead of ${rows}.`]),
        ...(record.failures === 0 ? [] : [`${name} took ${record.failures} failures.`]),
        ...(JSON.stringify(is) === JSON.stringify(wanted)
          ? []
          : [`${name} has ${JSON.stringify(is)} instead of ${JSON.stringify(wanted)}.`]),
      ];
    }),
  );
  const isToldAsThrown = ended?.code === "INVALID_DATA" && ended.detail.startsWith("The warehouse CLOSED was given up");
  return isToldAsThrown ? faults : [...faults, `The error that rows() threw was told as ${JSON.stringify(ended)}.`];
}

/** Of examples/acme-reports/sql/invoices.sql. */
function sumOfInvoices(): string {
  let cents = 0;
  for (let n = 1; n <= 2_000; n++) if (n % 100 !== 99) cents += 1_000 + n * 137;
  return (cents / 100).toFixed(2);
}

/** Of examples/acme-reports/src/warehouse.ts. */
function sumOfPieces(): string {
  let pieces = 0;
  for (let index = 0; index < 200; index++) pieces += (index * 37) % 500;
  return (3 * pieces).toFixed(2);
}
