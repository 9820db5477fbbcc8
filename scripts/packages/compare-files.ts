import { reportFormats } from "@reports/core/report";

/** What the example's client prints at its end. */
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
  /** Of formats other than pdf. */
  readonly rows?: number;
  readonly sum?: string;
  /** Of pdf. */
  readonly text?: string;
}

interface ExpectedReport {
  readonly columns: number;
  readonly rows: number;
  readonly sum: string;
  readonly texts: readonly string[];
}

/** Of the rows of the example's SQL and service. */
const expected: Readonly<Record<string, ExpectedReport>> = {
  INVOICE: {
    columns: 11,
    rows: 1_980,
    sum: sumOfInvoices(),
    texts: ["Amount overdue", "State by region", "1,980 rows"],
  },
  STOCK_LEVEL: { columns: 7, rows: 600, sum: sumOfPieces(), texts: ["150,900", "Pieces", "Articles by warehouse"] },
};

/** The faults of the example's reports and their files, as sentences. */
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
    ...missing.map((each) => `${name} does not say ${each}.`),
    ...(columns.length === 1 ? [] : [`${name} has no rows.`]),
  ];
}

/** Errors that rows() throws must keep their meaning, although the package's copy of core is not the service's. */
function findErrorFaults({ ended, waiting }: SavedReports): string[] {
  const closed = { code: "INVALID_DATA", detail: "The warehouse CLOSED was given up, and its stock is not known." };
  return [
    ...differences("The report of a warehouse that was given up", ended, closed),
    ...differences("The report of a warehouse that moves", waiting, { status: "QUEUED", attempt: 1, failures: 0 }),
  ];
}

function differences(what: string, found: unknown, wanted: unknown): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  return is === should ? [] : [`${what} is ${is} instead of ${should}.`];
}

/** Of examples/acme-reports/sql/invoices.sql. */
function sumOfInvoices(): string {
  let cents = 0;
  for (let n = 1; n <= 2_000; n++) if (n % 100 !== 99) cents += 1_000 + n * 137;
  return (cents / 100).toFixed(2);
}

/** Due before today, not paid and not deleted, in the same file. */
function countOverdue(): number {
  let overdue = 0;
  for (let n = 1; n <= 2_000; n++) if (n % 60 < 30 && n % 4 !== 0 && n % 100 !== 99) overdue++;
  return overdue;
}

/** Of examples/acme-reports/src/warehouse.ts. */
function sumOfPieces(): string {
  let pieces = 0;
  for (let index = 0; index < 200; index++) pieces += (index * 37) % 500;
  return (3 * pieces).toFixed(2);
}
