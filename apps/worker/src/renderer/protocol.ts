import {
  foreignMessage,
  foreignText,
  handBackCauses,
  HostFailureError,
  hostParts,
  PermanentReportError,
  readForeign,
  RendererCrashError,
  ReportNotServedError,
  StoreLimitError,
  StoreUnavailableError,
  type HandBackCause,
  type HostPart,
  type ReportErrorCode,
} from "@reports/core/base";
import type { RenderProgress, RenderRequest, RenderResult, ReportSources } from "@reports/core/report";
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
  /** Its report types cannot be loaded: it will never be ready. Another process may be if it is the host that failed. */
  | { readonly kind: "unusable"; readonly problems: ReportTypesError["problems"]; readonly isOfHost: boolean }
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

/** The longest stack that crosses the channel, in UTF-16 units. */
const longestStack = 8_000;

/** Takes an error apart for the channel: an error that decides what becomes of a report goes by its class, whatever it calls itself. */
export function packError(error: unknown): TransferredError {
  const message = foreignMessage(error);
  const stack = textOf(readForeign(error, "stack"), longestStack);
  const known = findClass(error);
  if (known !== null) return { name: known.name, message, code: textOf(readForeign(error, known.property)), stack };
  const name = textOf(readForeign(error, "name")) ?? "Error";
  return { name, message, code: textOf(readForeign(error, "code")), stack };
}

/** Restores an error. Errors that decide the outcome of a report keep their class. Code of a report type may have sent it. */
export function unpackError({ name, message, code, stack }: TransferredError): Error {
  if (name === "PermanentReportError") return new PermanentReportError(knownCode(code), message);
  if (name === "ReportNotServedError" && isHandBackCause(code)) return new ReportNotServedError(code, message);
  if (name === "HostFailureError" && isHostPart(code)) return new HostFailureError(code, message);
  if (name === "StoreUnavailableError") return new StoreUnavailableError(message);
  if (name === "StoreLimitError") return new StoreLimitError(message);
  if (name === "RendererCrashError")
    return new RendererCrashError(code === "OUT_OF_MEMORY" ? code : "RENDERER_CRASHED", message);
  const error = new Error(`${name}: ${message}`);
  if (stack !== null) error.stack = stack;
  return error;
}

const classes = [
  // Before the class that it extends.
  { type: HostFailureError, name: "HostFailureError", property: "part" },
  { type: PermanentReportError, name: "PermanentReportError", property: "code" },
  { type: ReportNotServedError, name: "ReportNotServedError", property: "because" },
  { type: StoreUnavailableError, name: "StoreUnavailableError", property: "code" },
  { type: StoreLimitError, name: "StoreLimitError", property: "code" },
  { type: RendererCrashError, name: "RendererCrashError", property: "code" },
] as const;

function findClass(error: unknown): (typeof classes)[number] | null {
  try {
    return classes.find(({ type }) => error instanceof type) ?? null;
  } catch {
    // A proxy whose class cannot be read.
    return null;
  }
}

function textOf(value: unknown, maxLength?: number): string | null {
  return typeof value === "string" ? foreignText(value, maxLength) : null;
}

function isHostPart(code: string | null): code is HostPart {
  return hostParts.some((known) => known === code);
}

function isHandBackCause(code: string | null): code is HandBackCause {
  return handBackCauses.some((known) => known === code);
}

/** A report type may be made with a version that has more codes, or without a compiler. */
function knownCode(code: string | null): ReportErrorCode {
  return code !== null && Object.hasOwn(reportErrorCodes, code) ? (code as ReportErrorCode) : "INVALID_DATA";
}
