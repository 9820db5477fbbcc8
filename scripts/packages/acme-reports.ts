import { describeDifference, type ExpectedReport, type SavedReports } from "./find-report-file-faults.ts";

export interface AcmeReports extends SavedReports {
  readonly ended: { readonly code: string; readonly detail: string } | null;
  readonly waiting: { readonly status: string; readonly attempt: number; readonly failures: number };
}

export const acmeExpectedReports: Readonly<Record<string, ExpectedReport>> = {
  INVOICE: {
    columns: 11,
    rows: 1_980,
    sum: sumOfInvoices(),
    figures: { invoices: 1_980, overdue: countOverdue() },
    texts: ["Amount overdue", "State by region", "1,980 rows"],
  },
  STOCK_LEVEL: {
    columns: 7,
    rows: 600,
    sum: sumOfPieces(),
    figures: { articles: 600 },
    texts: ["150,900", "Pieces", "Articles by warehouse"],
  },
};

/**
 * Returns the problems of the report of overdue invoices and of the errors that `rows()` throws. The package has its own copy of core, so its error
 * classes are not those of the service.
 */
export function findAcmeFaults({ ended, waiting }: AcmeReports, overdueCsv: string): string[] {
  const overdue = overdueCsv.split("\n").filter((line) => line.includes(",OVERDUE,")).length;
  const closed = { code: "INVALID_DATA", detail: "The warehouse CLOSED was given up, and its stock is not known." };
  return [
    ...describeDifference("The report of overdue invoices", overdue, countOverdue()),
    ...describeDifference("The report of a closed warehouse", ended, closed),
    // On a busy machine, the client may see the report only after its second attempt.
    ...describeDifference(
      "The report of an unavailable warehouse",
      { ...waiting, attempt: Math.min(waiting.attempt, 1) },
      { status: "QUEUED", attempt: 1, failures: 0 },
    ),
  ];
}

function sumOfInvoices(): string {
  let cents = 0;
  for (let n = 1; n <= 2_000; n++) if (n % 100 !== 99) cents += 1_000 + n * 137;
  return (cents / 100).toFixed(2);
}

function countOverdue(): number {
  let overdue = 0;
  for (let n = 1; n <= 2_000; n++) if (n % 60 < 30 && n % 4 !== 0 && n % 100 !== 99) overdue++;
  return overdue;
}

function sumOfPieces(): string {
  let pieces = 0;
  for (let index = 0; index < 200; index++) pieces += (index * 37) % 500;
  return (3 * pieces).toFixed(2);
}
