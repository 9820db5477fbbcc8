import { reportErrorCodes, type ReportErrorCode, type RequeueCause } from "../../base/vocabulary.ts";
import type { ServedTypeVersions } from "./worker-registry.ts";
import type { ReportCatalogue } from "../types/catalogue.ts";
import type { Report, ReportFailure } from "../lifecycle/report-record.ts";
import type { RequeueHistory, WorkerRefusal, ReportSpoolRequirement } from "../lifecycle/requeue-history.ts";
import { withCurrentNames } from "../types/former-names.ts";
import { computeRetryDelayMs, reportRetryWindowMs, type RetryPace } from "./retry-delay.ts";

export interface TypeAvailability {
  refusalOf(type: string): string | null;
  isUnreachable(type: string): boolean;
}

export interface HostState {
  /** Checks before a claim whether this worker's machine can run reports. `refusal` then returns the reason if it cannot. Never rejects. */
  check(signal: AbortSignal): Promise<void>;
  refusal(): string | null;
  spoolBytes(): number;
}

export interface ReportTypeMismatch {
  /** A fixed word that names the problem in metric labels. */
  readonly code: string;
  readonly message: string;
}

export interface ReportTypeUsability {
  readonly unusable: ReadonlyMap<string, ReportTypeMismatch>;
  readonly unknown: ReadonlySet<string>;
}

export interface ReportTypeCheckResult {
  readonly differences: ReadonlyMap<string, readonly ReportTypeMismatch[]>;
  readonly unknown: ReadonlyMap<string, string>;
}

export interface RequeuedReportCount {
  readonly type: string;
  readonly because: RequeueCause;
  readonly count: number;
}

/** How long a report waits for the return of a worker that may be restarting. Deployments of workers take less time. */
const awaitsReturnMs = 15 * 60_000;

export function findServedTypeVersions(
  catalogue: Pick<ReportCatalogue, "list">,
  availability: TypeAvailability,
): ServedTypeVersions {
  const isUsable = (type: string): boolean =>
    availability.refusalOf(type) === null && !availability.isUnreachable(type);
  const usable = catalogue.list().filter(({ type }) => isUsable(type));
  return Object.fromEntries(usable.map(({ type, version }) => [type, version]));
}

const servedElsewhereFactor = 10;

/**
 * Returns why this worker cannot run the report; null if it can. API and worker are deployed separately, so a report may need a later version of the
 * worker. A report of an earlier version of its type runs with the current definition, if that has the format, filters and columns of the report.
 */
export function findWorkerRefusal(
  deps: {
    readonly catalogue: Pick<ReportCatalogue, "find">;
    readonly availability: TypeAvailability;
    readonly host: Pick<HostState, "refusal" | "spoolBytes">;
  },
  report: Pick<Report, "reportType" | "definitionVersion" | "searchParam" | "options" | "unknownOptions">,
  { spoolExceededBytes }: ReportSpoolRequirement = { spoolExceededBytes: null },
): WorkerRefusal | null {
  const { reportType: type, definitionVersion: version } = report;
  const broken = deps.host.refusal();
  if (broken !== null) return toRefusal("WORKER_IMPAIRED", broken, version);
  const definition = deps.catalogue.find(type);
  if (definition === undefined) {
    return toRefusal("TYPE_UNKNOWN", `This worker does not know the report type ${type}.`, version);
  }
  if (version > definition.version) {
    const known = `This worker knows the report type ${type} in version ${definition.version}`;
    return toRefusal("VERSION_UNKNOWN", `${known}, and the report is of version ${version}.`, version);
  }
  const { searchParam, options } = withCurrentNames(definition, report);
  const [option] = report.unknownOptions ?? [];
  if (option !== undefined)
    return toRefusal("VERSION_UNKNOWN", `This worker does not know the option ${option}.`, definition.version + 1);
  const lacks = (because: RequeueCause, what: string): WorkerRefusal =>
    toRefusal(because, `The report type ${type} has no ${what} on this worker.`, definition.version + 1);
  if (definition.formats[options.format] === undefined) return lacks("FORMAT_UNKNOWN", `format ${options.format}`);
  const filters = new Set(definition.filters.map(({ name }) => name));
  const filter = Object.keys(searchParam).find((name) => !filters.has(name));
  if (filter !== undefined) return lacks("FILTER_UNKNOWN", `filter ${filter}`);
  const columns = new Set(definition.columns.map(({ key }) => key));
  const column = columnKeysIn(options).find((key) => !columns.has(key));
  if (column !== undefined) return lacks("COLUMN_UNKNOWN", `column ${column}`);
  const reason = deps.availability.refusalOf(type);
  if (reason !== null) {
    const message = `The data source of the report type ${type} does not fit its definition: ${reason}.`;
    return toRefusal("TYPE_UNUSABLE", message, version);
  }
  if (deps.availability.isUnreachable(type)) {
    const message = `This worker cannot reach the data source of the report type ${type}.`;
    return { ...toRefusal("SOURCE_UNREACHABLE", message, version), onlyIfElsewhere: true };
  }
  const spoolAboveBytes = deps.host.spoolBytes();
  if (spoolExceededBytes === null || spoolExceededBytes < spoolAboveBytes) return null;
  const message = "The report needs more scratch space than this worker has.";
  return { ...toRefusal("SPOOL_TOO_SMALL", message, version), onlyIfElsewhere: true, spoolAboveBytes, awaitsReturnMs };
}

export function computeRequeueDelayMs(past: RequeueHistory, pace: RetryPace): number | null {
  if (past.count > 0 && past.waitedMs >= reportRetryWindowMs) return null;
  const delayMs = computeRetryDelayMs(past.count + 1, pace);
  return past.isServedElsewhere ? Math.round(delayMs / servedElsewhereFactor) : delayMs;
}

export function notServedFailure(because: RequeueCause, report: Pick<Report, "reportType">): ReportFailure {
  const code = errorCodeOf(because);
  const { reportType: type } = report;
  const detail = {
    TYPE_UNKNOWN: `For six hours no worker knew the report type ${type}.`,
    VERSION_UNKNOWN: `For six hours no worker knew this version of the report type ${type}.`,
    FORMAT_UNKNOWN: `For six hours no worker knew this format of the report type ${type}.`,
    FILTER_UNKNOWN: `For six hours no worker knew a filter of this ${type} report.`,
    COLUMN_UNKNOWN: `For six hours no worker knew a column of this ${type} report.`,
    TYPE_UNUSABLE: `For six hours the data source of the report type ${type} did not fit its definition.`,
    WORKER_IMPAIRED: "For six hours every worker that took the report had a broken host.",
    SPOOL_TOO_SMALL: "For six hours no worker with enough scratch space took the report.",
    SOURCE_UNREACHABLE: `For six hours no worker that reaches the data source of the report type ${type} took the report.`,
  }[because];
  return { code, detail: `${detail} ${remedyOf(because)}`, retryable: reportErrorCodes[code].retryable };
}

function errorCodeOf(because: RequeueCause): ReportErrorCode {
  if (because === "SPOOL_TOO_SMALL") return "SPOOL_LIMIT_EXCEEDED";
  const dependencies: readonly RequeueCause[] = ["TYPE_UNUSABLE", "WORKER_IMPAIRED", "SOURCE_UNREACHABLE"];
  return dependencies.includes(because) ? "DEPENDENCY_UNAVAILABLE" : "UNKNOWN_REPORT_TYPE";
}

function remedyOf(because: RequeueCause): string {
  switch (because) {
    case "TYPE_UNUSABLE":
      return "Ask the platform team to fix the view or table that the type reads (metric report_type_unusable), then start the report again.";
    case "WORKER_IMPAIRED":
      return "Ask the platform team to repair the workers (metric report_worker_resting), then start the report again.";
    case "SOURCE_UNREACHABLE":
      return "Ask the platform team to let the workers reach it (metric report_source_unreachable), then start the report again.";
    case "SPOOL_TOO_SMALL":
      return "Narrow its filters, leave out columns, or ask for a compressed format.";
    default:
      return "Ask the platform team to deploy workers with the same version and report types as the API (metric report_types_unserved), then start the report again.";
  }
}

function columnKeysIn({ columns, sort, groupBy }: Report["options"]): readonly string[] {
  return [...columns, ...sort.map((key) => key.replace(/^-/, "")), ...(groupBy === null ? [] : [groupBy])];
}

function toRefusal(because: RequeueCause, message: string, servedFromVersion: number): WorkerRefusal {
  return { because, message, servedFromVersion };
}
