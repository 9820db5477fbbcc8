import { reportFormats } from "@reports/core/report";

export interface SavedReports {
  readonly saved: readonly {
    readonly reportType: string;
    readonly format: string;
    readonly rowCount: number | null;
    readonly failures: number;
  }[];
}

export interface ParsedReportFile {
  readonly columns: readonly string[];
  /** Number of rows in the file. Undefined for pdf, as is `sum`. */
  readonly rows?: number;
  readonly sum?: string;
  readonly figures?: Readonly<Record<string, string | number | null>>;
  readonly text?: string;
}

export type ParsedReportFiles = Readonly<Record<string, ParsedReportFile | undefined>>;

export interface ExpectedReport {
  readonly columns: number;
  readonly rows: number;
  readonly sum: string;
  readonly figures: Readonly<Record<string, string | number | null>>;
  readonly texts: readonly string[];
}

export function findReportFileFaults(
  { saved }: SavedReports,
  read: ParsedReportFiles,
  expected: Readonly<Record<string, ExpectedReport>>,
): string[] {
  return Object.entries(expected).flatMap(([reportType, report]) =>
    reportFormats.flatMap((format) => {
      const name = `${reportType}.${format}`;
      const record = saved.find((one) => one.reportType === reportType && one.format === format);
      const file = read[name];
      if (record === undefined || file === undefined) return [`${name} is missing.`];
      const { rowCount, failures } = record;
      return [
        ...describeDifference(`The record of ${name}`, { rowCount, failures }, { rowCount: report.rows, failures: 0 }),
        ...(format === "pdf" ? findPdfFaults(name, file, report) : findRowFaults(name, file, report)),
        ...(format === "json" ? findFigureFaults(name, file, report) : []),
      ];
    }),
  );
}

function findRowFaults(name: string, file: ParsedReportFile, { columns, rows, sum }: ExpectedReport): string[] {
  return describeDifference(
    name,
    { columns: file.columns.length, rows: file.rows, sum: file.sum },
    { columns, rows, sum },
  );
}

function findPdfFaults(name: string, { columns, text = "" }: ParsedReportFile, { texts }: ExpectedReport): string[] {
  const missing = texts.filter((each) => !text.includes(each));
  return [
    ...missing.map((each) => `${name} lacks the text ${each}.`),
    ...(columns.length === 1 ? [] : [`${name} has no rows.`]),
  ];
}

function findFigureFaults(name: string, { figures = {} }: ParsedReportFile, expected: ExpectedReport): string[] {
  return Object.entries(expected.figures).flatMap(([key, value]) =>
    describeDifference(`The figure ${key} of ${name}`, withoutZeros(figures[key]), withoutZeros(value)),
  );
}

/** Returns a number as text without trailing zeros of its fraction, because Postgres and the service write different numbers of them. */
function withoutZeros(value: string | number | null | undefined): string {
  return String(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

export function describeDifference(what: string, found: unknown, wanted: unknown): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  return is === should ? [] : [`${what} is ${is} instead of ${should}.`];
}
