import { once } from "node:events";
import type { Readable } from "node:stream";
import { DomainError, FileNotFoundError } from "../../base/errors.ts";
import { uuidPattern } from "../../query/uuid-pattern.ts";
import type { ByteRange, FileStore, StoreIdentity } from "../../base/file-store.ts";
import {
  fileUnverifiedError,
  findSizeMismatch,
  createVerifiedStream,
  findVersionMismatch,
  type FileMismatch,
} from "../files/file-mismatch.ts";
import type { Report } from "./report-record.ts";
import type { ReportFile } from "../files/report-file.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";
import { isReportVisible, type VisibleReports } from "./visibility.ts";

/** The result of opening a download. `pending`: the report has not finished yet. */
export type OpenedReport =
  | { readonly kind: "pending"; readonly report: Report }
  | {
      readonly kind: "ready";
      readonly report: Report;
      readonly file: ReportFile;
      /**
       * Opens the file or a part of it. A whole file is hashed, and its stream fails before the end if the file is not the published one. For a part,
       * only the file's size and store version are compared. Rejects with DomainError: gone if the store has lost the file, unavailable if the file
       * differs. Also rejects with StoreMismatchError and StoreUnavailableError.
       */
      open(options: { readonly range?: ByteRange; readonly signal?: AbortSignal }): Promise<Readable>;
      check(options: { readonly signal?: AbortSignal }): Promise<void>;
    };

/** The ports that a download uses. */
export interface OpenDeps {
  readonly reports: Pick<ReportStore, "find" | "findFile" | "listEvents">;
  readonly files: Pick<FileStore, "open" | "stat">;
  readonly identity: Pick<StoreIdentity, "assert">;
  /** Called if a stored file differs from the published one. Must not throw. */
  readonly onFileMismatch: (report: Report, mismatch: FileMismatch) => void;
}

/** Age up to which an earlier check of the store's identity is reused. If the file is missing, the identity is checked again. */
const identityMaxAgeMs = 5_000;

export function reportNotFoundError(hidden: Pick<Report, "id"> | null = null): DomainError {
  const details = hidden === null ? {} : { hides: { recordType: "report", recordId: hidden.id } };
  return new DomainError("not-found", "report-not-found", "There is no such report.", details);
}

/**
 * Finds the file of a report. Resolves with `pending` while the report is unfinished. Rejects with DomainError: not-found for a failed or cancelled
 * report, gone for an expired or deleted one.
 */
export async function openReport(deps: OpenDeps, report: Report): Promise<OpenedReport> {
  assertReportNotDeleted(report);
  if (!isTerminal(report.status)) return { kind: "pending", report };
  if (report.status === "EXPIRED") throw await expiredError(deps, report);
  const what = report.fileOf === null ? "report" : "file";
  if (report.status === "CANCELLED")
    throw new DomainError("not-found", "report-cancelled", `The ${what} was cancelled; there is nothing to download.`);
  if (report.status === "FAILED" || report.file === null) {
    const error = report.error;
    const detail =
      error === null
        ? `The ${what} failed; there is nothing to download.`
        : `The ${what} failed (${error.code}): ${error.detail}`;
    const issues = error === null ? [] : [{ code: error.code, message: error.detail }];
    throw new DomainError("not-found", "report-failed", detail, { issues });
  }
  const { file } = report;
  const refuse = (mismatch: FileMismatch): DomainError => {
    deps.onFileMismatch(report, mismatch);
    return fileUnverifiedError();
  };
  return {
    kind: "ready",
    report,
    file,
    open: async (options) => openStoredFile(deps, file, options, refuse),
    check: async (options) => checkStoredFile(deps, file, options, refuse),
  };
}

async function expiredError({ reports }: Pick<OpenDeps, "reports">, { id }: Report): Promise<DomainError> {
  const events = await reports.listEvents(id);
  if (events.some(({ because }) => because === "FILE_DAMAGED")) {
    const message = "The report's stored file was damaged and is no longer served. Start the report again.";
    return new DomainError("gone", "report-file-damaged", message);
  }
  const message = "The report's file was removed after its retention. Start the report again.";
  return new DomainError("gone", "report-expired", message);
}

type CreateMismatchError = (mismatch: FileMismatch) => DomainError;

async function openStoredFile(
  { files, identity }: OpenDeps,
  file: ReportFile,
  options: { readonly range?: ByteRange; readonly signal?: AbortSignal },
  refuse: CreateMismatchError,
): Promise<Readable> {
  await identity.assert({ maxAgeMs: identityMaxAgeMs, ...options });
  const { stat, body: source } = await files.open(file.storageKey, options).catch(async (error: unknown) => {
    if (error instanceof FileNotFoundError) {
      // Check the store's identity again: in a store that was replaced a moment ago, a missing file is not lost.
      await identity.assert(options);
      throw fileLostError(error);
    }
    // A RangeError means that the stored file ends before the requested part.
    if (error instanceof RangeError && options.range !== undefined) {
      throw refuse({ property: "size", expected: file.sizeBytes, found: `less than ${options.range.end + 1}` });
    }
    throw error;
  });
  const mismatch =
    findSizeMismatch(file, stat.sizeBytes) ?? (options.range === undefined ? null : findVersionMismatch(file, stat));
  if (mismatch !== null) {
    source.destroy();
    throw refuse(mismatch);
  }
  if (options.range !== undefined) return source;
  const body = createVerifiedStream(source, file, refuse);
  try {
    // Wait for the first bytes. Until then, a failing store or a small damaged file can still become an error status.
    await once(body, "readable", options.signal === undefined ? {} : { signal: options.signal });
  } catch (error) {
    body.destroy();
    throw options.signal?.aborted === true ? options.signal.reason : error;
  }
  return body;
}

async function checkStoredFile(
  { files, identity }: OpenDeps,
  file: ReportFile,
  options: { readonly signal?: AbortSignal },
  refuse: CreateMismatchError,
): Promise<void> {
  await identity.assert({ maxAgeMs: identityMaxAgeMs, ...options });
  const stat = await files.stat(file.storageKey, options);
  if (stat === null) {
    await identity.assert(options);
    throw fileLostError();
  }
  const mismatch = findSizeMismatch(file, stat.sizeBytes);
  if (mismatch !== null) throw refuse(mismatch);
}

function fileLostError(cause?: FileNotFoundError): DomainError {
  const message = "The report's file is no longer stored. Start the report again.";
  return new DomainError("gone", "report-file-lost", message, { cause });
}

/** Finds a report's own file or an additional format by its ID. Rejects as openReport does, and with not-found for an unknown ID. */
export async function openReportFile(deps: OpenDeps, report: Report, fileId: string): Promise<OpenedReport> {
  if (report.file?.id !== fileId) {
    assertReportNotDeleted(report);
    // The record of an expired report no longer has the ID of its file. So every well-formed ID reaches openReport, which throws the error for
    // expired reports.
    if (!uuidPattern.test(fileId)) throw reportFileNotFoundError();
    const file = await deps.reports.findFile(report.id, fileId);
    if (file !== null) return openReport(deps, file);
  }
  const opened = await openReport(deps, report);
  if (opened.kind === "ready" && opened.file.id === fileId) return opened;
  throw reportFileNotFoundError();
}

export async function openFinishedFileOrThrow(
  deps: OpenDeps,
  report: Report,
  fileId: string,
): Promise<OpenedReport & { readonly kind: "ready" }> {
  const opened = await openReportFile(deps, report, fileId);
  if (opened.kind === "ready") return opened;
  throw reportFileNotFoundError();
}

export function reportFileNotFoundError(): DomainError {
  return new DomainError("not-found", "file-not-found", "The report has no such file.");
}

/** Returns a visible report, also a deleted one. Rejects with one not-found error for hidden reports, other types and unknown IDs. */
export async function findReport(
  deps: { readonly reports: Pick<ReportStore, "find"> },
  wanted: { readonly id: string; readonly reportType?: string | undefined; readonly visible: VisibleReports },
): Promise<Report> {
  const report = await deps.reports.find(wanted.id);
  if (report === null || !isReportVisible(wanted.visible, report)) throw reportNotFoundError(report);
  if (wanted.reportType !== undefined && report.reportType !== wanted.reportType) throw reportNotFoundError();
  return report;
}

export function assertReportNotDeleted(report: Pick<Report, "deletedAt" | "fileOf">): void {
  if (report.deletedAt === null) return;
  throw report.fileOf === null
    ? new DomainError("gone", "report-deleted", "The report was deleted.")
    : new DomainError("gone", "file-deleted", "The file was deleted.");
}
