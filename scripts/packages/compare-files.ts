import { reportFormats } from "@reports/core/report";

/** The JSON that the example's client prints. */
export interface SavedReports {
  readonly saved: readonly {
    readonly reportType: string;
    readonly format: string;
    readonly rowCount: number | null;
    readonly failures: number;
  }[];
  /** The error of the report whose rows() throws a PermanentReportError. */
  readonly ended: { readonly code: string; readonly detail: string } | null;
  /** The report whose rows() throws a StoreUnavailableError, after its first attempt. */
  readonly waiting: { readonly status: string; readonly attempt: number; readonly failures: number };
}

export interface ReadFile {
  readonly columns: readonly string[];
  /** Number of rows. Undefined for pdf, as is `sum`. */
  readonly rows?: number;
  readonly sum?: string;
  /** Text of a pdf. Undefined for other formats. */
  readonly text?: string;
}

interface ExpectedReport {
  readonly columns: number;
  readonly rows: number;
  readonly sum: string;
  readonly texts: readonly string[];
}

/** Expected reports by type, computed from the example's SQL and its warehouse service. */
const expected: Readonly<Record<string, ExpectedReport>> = {
  INVOICE: {
    columns: 11,
    rows: 1_980,
    sum: sumOfInvoices(),
    texts: ["Amount overdue", "State by region", "1,980 rows"],
  },
  STOCK_LEVEL: { columns: 7, rows: 600, sum: sumOfPieces(), texts: ["150,900", "Pieces", "Articles by warehouse"] },
};

/** Returns the problems of the example's reports and their files, as sentences. */
export function compareFiles(
  printed: SavedReports,
  read: Readonly<Record<string, ReadFile | undefined>>,
  overdueCsv: string,
): string[] {
  const overdue = overdueCsv.split("\n").filter((line) => line.includes(",OVERDUE,")).length;
  return [
    ...findFileFaults(printed, read),
    ...findErrorFaults(printed),
    ...differences("The report of overdue invoices", overdue, countOverdue()),
  ];
}

function findFileFaults({ saved }: SavedReports, read: Readonly<Record<string, ReadFile | undefined>>): string[] {
  return Object.entries(expected).flatMap(([reportType, report]) =>
    reportFormats.flatMap((format) => {
      const name = `${reportType}.${format}`;
      const record = saved.find((one) => one.reportType === reportType && one.format === format);
      const file = read[name];
      if (record === undefined || file === undefined) return [`${name} is missing.`];
      const { rowCount, failures } = record;
      return [
        ...differences(`The record of ${name}`, { rowCount, failures }, { rowCount: report.rows, failures: 0 }),
        ...(format === "pdf" ? findPdfFaults(name, file, report) : findRowFaults(name, file, report)),
      ];
    }),
  );
}

function findRowFaults(name: string, file: ReadFile, { columns, rows, sum }: ExpectedReport): string[] {
  return differences(name, { columns: file.columns.length, rows: file.rows, sum: file.sum }, { columns, rows, sum });
}

function findPdfFaults(name: string, { columns, text = "" }: ReadFile, { texts }: ExpectedReport): string[] {
  const missing = texts.filter((each) => !text.includes(each));
  return [
    ...missing.map((each) => `${name} lacks the text ${each}.`),
    ...(columns.length === 1 ? [] : [`${name} has no rows.`]),
  ];
}

/**
 * Checks that the service recognises the errors that `rows()` throws. The package has another copy of core, and so other error classes than
 * the service.
 */
function findErrorFaults({ ended, waiting }: SavedReports): string[] {
  const closed = { code: "INVALID_DATA", detail: "The warehouse CLOSED was given up, and its stock is not known." };
  return [
    ...differences("The report of a closed warehouse", ended, closed),
    ...differences("The report of an unavailable warehouse", waiting, { status: "QUEUED", attempt: 1, failures: 0 }),
  ];
}

function differences(what: string, found: unknown, wanted: unknown): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  return is === should ? [] : [`${what} is ${is} instead of ${should}.`];
}

/** Returns the sum of the amounts in examples/acme-reports/sql/invoices.sql. */
function sumOfInvoices(): string {
  let cents = 0;
  for (let n = 1; n <= 2_000; n++) if (n % 100 !== 99) cents += 1_000 + n * 137;
  return (cents / 100).toFixed(2);
}

/** Returns the number of overdue invoices in examples/acme-reports/sql/invoices.sql: due before today, not paid and not deleted. */
function countOverdue(): number {
  let overdue = 0;
  for (let n = 1; n <= 2_000; n++) if (n % 60 < 30 && n % 4 !== 0 && n % 100 !== 99) overdue++;
  return overdue;
}

/** Returns the sum of the pieces in examples/acme-reports/src/warehouse.ts. */
function sumOfPieces(): string {
  let pieces = 0;
  for (let index = 0; index < 200; index++) pieces += (index * 37) % 500;
  return (3 * pieces).toFixed(2);
}
