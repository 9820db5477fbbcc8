import {
  readThrownMessage,
  sanitiseUntrustedText,
  requeueCauses,
  HostFailureError,
  workerHostParts,
  PermanentReportError,
  readPropertySafely,
  RendererCrashError,
  ReportNotServedError,
  DatabaseLimitError,
  StoreUnavailableError,
  type ReportErrorCode,
} from "@reports/core/base";
import type { RenderProgress, RenderRequest, RenderResult, ReportSources } from "@reports/core/report";
import { reportErrorCodes } from "@reports/core/report-type";
import type { ReportTypeChoice, ReportTypesError } from "@reports/type-loader";

import type { Brand } from "../brand/brand.ts";

/** Settings of a renderer process. The worker sends them once over the IPC channel, because other processes can read arguments and environments. */
export interface RendererSettings {
  readonly sources: ReportSources;
  /** Maximum parallel workers of Postgres per query. The default is that of RowSourceReaderOptions. */
  readonly parallelWorkers?: number | undefined;
  readonly csvFormulaGuard: boolean;
  readonly brand: Brand;
  readonly reportTypes: ReportTypeChoice;
}

export type MessageToRenderer =
  | { readonly kind: "configure"; readonly settings: RendererSettings }
  | { readonly kind: "render"; readonly request: RenderRequest }
  | { readonly kind: "abort" };

export type MessageFromRenderer =
  | { readonly kind: "ready" }
  /** The report types can't be loaded, so the renderer never becomes ready. If the host is the cause, another process may succeed. */
  | { readonly kind: "unusable"; readonly problems: ReportTypesError["problems"]; readonly isHostFailure: boolean }
  | { readonly kind: "progress"; readonly steps: readonly TimedRenderProgress[] }
  | ({ readonly kind: "done"; readonly result: RenderResult } & FinalReadings)
  | ({ readonly kind: "failed"; readonly error: SerialisedError } & FinalReadings);

interface FinalReadings {
  readonly steps: readonly TimedRenderProgress[];
  readonly rssBytes: number;
}

export interface TimedRenderProgress {
  readonly progress: RenderProgress;
  readonly atMs: number;
}

export interface SerialisedError {
  readonly name: string;
  readonly message: string;
  /** The code of a failure, the part of a host failure, or the cause of a requeue. */
  readonly code: string | null;
  readonly stack: string | null;
}

const maxStackLength = 8_000;

/** Serialises an error. Instances of the error classes that decide the outcome of a report keep the name of their class. */
export function serialiseError(error: unknown): SerialisedError {
  const message = readThrownMessage(error);
  const stack = cleanText(readPropertySafely(error, "stack"), maxStackLength);
  const known = findErrorClass(error);
  if (known !== null)
    return { name: known.name, message, code: cleanText(readPropertySafely(error, known.property)), stack };
  const name = cleanText(readPropertySafely(error, "name")) ?? "Error";
  return { name, message, code: cleanText(readPropertySafely(error, "code")), stack };
}

/** Restores an error from the renderer. An unknown code or class is possible, because code of a report type may have sent the message. */
export function deserialiseError({ name, message, code, stack }: SerialisedError): Error {
  if (name === "PermanentReportError") return new PermanentReportError(toKnownCode(code), message);
  if (name === "ReportNotServedError" && isOneOf(requeueCauses, code)) return new ReportNotServedError(code, message);
  if (name === "HostFailureError" && isOneOf(workerHostParts, code)) return new HostFailureError(code, message);
  if (name === "StoreUnavailableError") return new StoreUnavailableError(message);
  if (name === "DatabaseLimitError") return new DatabaseLimitError(message);
  if (name === "RendererCrashError")
    return new RendererCrashError(code === "OUT_OF_MEMORY" ? code : "RENDERER_CRASHED", message);
  const error = new Error(`${name}: ${message}`);
  if (stack !== null) error.stack = stack;
  return error;
}

const errorClasses = [
  // HostFailureError is a subclass of StoreUnavailableError, so it must come before it.
  { type: HostFailureError, name: "HostFailureError", property: "part" },
  { type: PermanentReportError, name: "PermanentReportError", property: "code" },
  { type: ReportNotServedError, name: "ReportNotServedError", property: "because" },
  { type: StoreUnavailableError, name: "StoreUnavailableError", property: "code" },
  { type: DatabaseLimitError, name: "DatabaseLimitError", property: "code" },
  { type: RendererCrashError, name: "RendererCrashError", property: "code" },
] as const;

function findErrorClass(error: unknown): (typeof errorClasses)[number] | null {
  try {
    return errorClasses.find(({ type }) => error instanceof type) ?? null;
  } catch {
    // The value is a Proxy that throws when its class is read.
    return null;
  }
}

function cleanText(value: unknown, maxLength?: number): string | null {
  return typeof value === "string" ? sanitiseUntrustedText(value, maxLength) : null;
}

function isOneOf<Code extends string>(codes: readonly Code[], code: string | null): code is Code {
  return codes.some((known) => known === code);
}

/** Maps unknown codes to INVALID_DATA. Code of a report type may use a newer version of core with more codes. */
function toKnownCode(code: string | null): ReportErrorCode {
  return code !== null && Object.hasOwn(reportErrorCodes, code) ? (code as ReportErrorCode) : "INVALID_DATA";
}
