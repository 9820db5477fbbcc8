import {
  PermanentReportError,
  RendererCrashError,
  ReportNotServedError,
  StoreUnavailableError,
  type HandBackCause,
  type RenderProgress,
  type RenderRequest,
  type RenderResult,
  type ReportErrorCode,
  type ReportSources,
} from "@reports/core";
import { reportErrorCodes } from "@reports/core/report-type";
import type { ReportTypeChoice, ReportTypesError } from "@reports/type-loader";

import type { Brand } from "../brand/brand.ts";

/** The configuration of a renderer process, sent once before its first report. It goes over the channel, because arguments and environments can be read by others. */
export interface RendererSettings {
  /** Where report rows come from. */
  readonly sources: ReportSources;
  /** Of Postgres, for the query of a report at most; what its settings say unless given. */
  readonly parallelWorkers?: number | undefined;
  readonly csvFormulaGuard: boolean;
  readonly brand: Brand;
  /** Which report types it makes: loaded before it says that it is ready. */
  readonly reportTypes: ReportTypeChoice;
}

/** From the worker's main process to a renderer process. */
export type ToRenderer =
  | { readonly kind: "configure"; readonly settings: RendererSettings }
  | { readonly kind: "render"; readonly request: RenderRequest }
  | { readonly kind: "abort" };

/** From a renderer process to the worker's main process. */
export type FromRenderer =
  | { readonly kind: "ready" }
  /** Its report types cannot be loaded: it will never be ready. */
  | { readonly kind: "unusable"; readonly problems: ReportTypesError["problems"] }
  | { readonly kind: "progress"; readonly steps: readonly ProgressStep[] }
  | ({ readonly kind: "done"; readonly result: RenderResult } & AtTheEnd)
  | ({ readonly kind: "failed"; readonly error: TransferredError } & AtTheEnd);

/** What goes with a report's end: the progress that was not told before, and the resident memory of the process. */
interface AtTheEnd {
  readonly steps: readonly ProgressStep[];
  readonly rssBytes: number;
}

/** How far a report had come, and when, in epoch ms. */
export interface ProgressStep {
  readonly progress: RenderProgress;
  readonly atMs: number;
}

/** An error as it crosses the process boundary. */
export interface TransferredError {
  readonly name: string;
  readonly message: string;
  /** What the error tells beside its message: its code, or why a report is handed back. */
  readonly code: string | null;
  readonly stack: string | null;
}

/** Takes an error apart for the channel: an error that decides what becomes of a report goes by its class, whatever it calls itself. */
export function packError(error: unknown): TransferredError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), code: null, stack: null };
  const { message, stack = null } = error;
  if (error instanceof PermanentReportError) return { name: "PermanentReportError", message, code: error.code, stack };
  if (error instanceof ReportNotServedError)
    return { name: "ReportNotServedError", message, code: error.because, stack };
  if (error instanceof StoreUnavailableError) return { name: "StoreUnavailableError", message, code: null, stack };
  if (error instanceof RendererCrashError) return { name: "RendererCrashError", message, code: error.code, stack };
  const code = "code" in error && typeof error.code === "string" ? error.code : null;
  return { name: error.name, message, code, stack };
}

/** Puts it together again: the errors that decide what becomes of a report keep their class. */
export function unpackError({ name, message, code, stack }: TransferredError): Error {
  if (name === "PermanentReportError") return new PermanentReportError(knownCode(code), message);
  if (name === "ReportNotServedError") return new ReportNotServedError(code as HandBackCause, message);
  if (name === "StoreUnavailableError") return new StoreUnavailableError(message);
  if (name === "RendererCrashError") return new RendererCrashError(code as RendererCrashError["code"], message);
  const error = new Error(`${name}: ${message}`);
  if (stack !== null) error.stack = stack;
  return error;
}

/** A report type may be made with a version that has more codes, or without a compiler. */
function knownCode(code: string | null): ReportErrorCode {
  return code !== null && Object.hasOwn(reportErrorCodes, code) ? (code as ReportErrorCode) : "INVALID_DATA";
}
