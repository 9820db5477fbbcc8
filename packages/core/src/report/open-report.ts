import type { Readable } from "node:stream";
import { DomainError, FileNotFoundError } from "../errors.ts";
import type { ByteRange, FileStat, FileStore } from "../ports.ts";
import type { Report, ReportFile } from "./record.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";

/** What a download finds. */
export type OpenedReport =
  | { readonly kind: "pending"; readonly report: Report }
  | {
      readonly kind: "ready";
      readonly report: Report;
      readonly file: ReportFile;
      /** Opens the bytes, or a part of them; rejects with DomainError("gone") when the store has lost them, and with StoreUnavailableError. */
      open(options: { readonly range?: ByteRange; readonly signal?: AbortSignal }): Promise<Readable>;
      /** Rejects as open would, without opening anything. */
      check(options: { readonly signal?: AbortSignal }): Promise<void>;
    };

interface Deps {
  readonly reports: Pick<ReportStore, "find">;
  readonly files: Pick<FileStore, "open" | "stat">;
}

/**
 * Finds the file of a report by its id and type. A report of another type cannot be told from an unknown one.
 * Rejects with DomainError: not-found (unknown, failed, cancelled), gone (expired, deleted). contract §5.
 */
export async function openReport(
  deps: Deps,
  wanted: { readonly id: string; readonly reportType: string },
): Promise<OpenedReport> {
  const report = await deps.reports.find(wanted.id);
  if (report === null || report.reportType !== wanted.reportType) throw reportNotFound();
  return openFound(deps, report);
}

/** The error for a report that is not there, or that the caller may not know of: always the same. */
export function reportNotFound(): DomainError {
  return new DomainError("not-found", "report-not-found", "There is no such report.");
}

function openFound(deps: Deps, report: Report): OpenedReport {
  if (report.deletedAt !== null) throw new DomainError("gone", "report-deleted", "The report was deleted.");
  if (!isTerminal(report.status)) return { kind: "pending", report };
  if (report.status === "EXPIRED") {
    throw new DomainError(
      "gone",
      "report-expired",
      "The report's file was removed after its retention. Start the report again.",
    );
  }
  if (report.status === "CANCELLED")
    throw new DomainError("not-found", "report-cancelled", "The report was cancelled; it has no file.");
  if (report.status === "FAILED" || report.file === null) {
    const error = report.error;
    const detail =
      error === null ? "The report failed; it has no file." : `The report failed (${error.code}): ${error.detail}`;
    const issues = error === null ? [] : [{ code: error.code, message: error.detail }];
    throw new DomainError("not-found", "report-failed", detail, { issues });
  }
  const { file } = report;
  return {
    kind: "ready",
    report,
    file,
    open: (options) => openBytes(deps.files, file, options),
    check: (options) => checkBytes(deps.files, file, options),
  };
}

async function openBytes(
  files: Pick<FileStore, "open">,
  file: ReportFile,
  options: { readonly range?: ByteRange; readonly signal?: AbortSignal },
): Promise<Readable> {
  try {
    const { stat, body } = await files.open(file.storageKey, options);
    if (stat.sizeBytes === file.sizeBytes) return body;
    body.destroy();
    throw wrongSize(file, stat);
  } catch (error) {
    throw error instanceof FileNotFoundError ? fileLost(error) : error;
  }
}

async function checkBytes(
  files: Pick<FileStore, "stat">,
  file: ReportFile,
  options: { readonly signal?: AbortSignal },
): Promise<void> {
  const stat = await files.stat(file.storageKey, options);
  if (stat === null) throw fileLost();
  if (stat.sizeBytes !== file.sizeBytes) throw wrongSize(file, stat);
}

function fileLost(cause?: FileNotFoundError): DomainError {
  const message = "The report's file is no longer stored. Start the report again.";
  return new DomainError("gone", "report-file-lost", message, { cause });
}

function wrongSize(file: ReportFile, stat: FileStat): Error {
  return new Error(`The stored file of the report has ${stat.sizeBytes} bytes instead of ${file.sizeBytes}.`);
}

/** The same for the canonical form: by report and file id. A file that is not there (yet) is not-found. */
export async function openReportFile(
  deps: Deps,
  wanted: { readonly reportId: string; readonly fileId: string; readonly mayRead: (report: Report) => boolean },
): Promise<OpenedReport & { readonly kind: "ready" }> {
  const report = await deps.reports.find(wanted.reportId);
  if (report === null || !wanted.mayRead(report)) throw reportNotFound();
  const opened = openFound(deps, report);
  if (opened.kind === "ready" && opened.file.id === wanted.fileId) return opened;
  throw new DomainError("not-found", "file-not-found", "The report has no such file.");
}

/**
 * Reads one report for a caller that holds the authority of its type. Without it, an existing, a deleted and a missing
 * report give the identical not-found; with it, a deleted one is gone.
 */
export async function findReport(
  deps: { readonly reports: Pick<ReportStore, "find"> },
  wanted: { readonly id: string; readonly mayRead: (report: Report) => boolean },
): Promise<Report> {
  const report = await deps.reports.find(wanted.id);
  if (report === null || !wanted.mayRead(report)) throw reportNotFound();
  if (report.deletedAt !== null) throw new DomainError("gone", "report-deleted", "The report was deleted.");
  return report;
}
