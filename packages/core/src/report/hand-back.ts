import { reportErrorCodes } from "../errors.ts";
import type { ServedTypes } from "../jobs/worker-registry.ts";
import type { ReportCatalogue } from "./catalogue.ts";
import type { HandBackCause, Report, ReportFailure } from "./record.ts";
import { retryDelayMs, retryWindowMs } from "./retry-delay.ts";

/** Which types cannot be reported on now, although this process knows them: their data source does not fit their definition. */
export interface TypeAvailability {
  /** Why reports of the type have to wait, as one of a few fixed words; null when they need not. */
  refusalOf(type: string): string | null;
}

/** Why the data source of a type does not fit its definition. */
export interface TypeFault {
  /** One of a few fixed words, for labels of metrics. */
  readonly code: string;
  /** What is wrong and what to do; holds no credentials. */
  readonly message: string;
}

/** How types compare with their data sources now. */
export interface TypeComparison {
  readonly unusable: ReadonlyMap<string, TypeFault>;
  /** Types whose source could not be asked: nothing is known of them. */
  readonly unknown: ReadonlySet<string>;
}

/** Reports that wait because the worker that took them last does not serve them, by type and cause. */
export interface AwaitingReports {
  readonly type: string;
  readonly because: HandBackCause;
  readonly count: number;
}

/** Why a worker does not run a report now. */
export interface Refusal {
  readonly because: HandBackCause;
  /** One sentence, for logs. */
  readonly message: string;
  /** A worker that serves the type in this version, or a later one, can run it. */
  readonly servedFromVersion: number;
}

/** What a process with this catalogue can run now, for other processes to know. */
export function servedTypesOf(catalogue: Pick<ReportCatalogue, "list">, availability: TypeAvailability): ServedTypes {
  const usable = catalogue.list().filter(({ type }) => availability.refusalOf(type) === null);
  return Object.fromEntries(usable.map(({ type, version }) => [type, version]));
}

/** How often a report was handed back, and what is known of the other workers. */
export interface HandBackPast {
  /** Before this time. */
  readonly count: number;
  /** Since the first time, in milliseconds. */
  readonly waitedMs: number;
  /** Whether another worker that lives says that it can run it. */
  readonly isServedElsewhere: boolean;
}

/** By this the delays are shortened where the report only has to reach another worker. */
const servedElsewhereFactor = 10;

/**
 * Why this worker cannot run the report; null when it can. API and worker are deployed apart, so that a report may be of a type, or use a
 * filter, that only a later version of the worker knows. A report of an earlier version of its type is run with today's definition as
 * long as that still has what the report names.
 */
export function refusalOf(
  deps: { readonly catalogue: Pick<ReportCatalogue, "find">; readonly availability: TypeAvailability },
  report: Pick<Report, "reportType" | "definitionVersion" | "searchParam" | "options">,
): Refusal | null {
  const { reportType: type, definitionVersion: version, searchParam, options } = report;
  const definition = deps.catalogue.find(type);
  if (definition === undefined) {
    return refuse("TYPE_UNKNOWN", `This worker does not know the report type ${type}.`, version);
  }
  if (version > definition.version) {
    const known = `This worker knows the report type ${type} in version ${definition.version}`;
    return refuse("VERSION_UNKNOWN", `${known}, and the report is of version ${version}.`, version);
  }
  const lacks = (because: HandBackCause, what: string): Refusal =>
    refuse(because, `The report type ${type} has no ${what} on this worker.`, definition.version + 1);
  if (definition.formats[options.format] === undefined) return lacks("FORMAT_UNKNOWN", `format ${options.format}`);
  const filters = new Set(definition.filters.map(({ name }) => name));
  const filter = Object.keys(searchParam).find((name) => !filters.has(name));
  if (filter !== undefined) return lacks("FILTER_UNKNOWN", `filter ${filter}`);
  const columns = new Set(definition.columns.map(({ key }) => key));
  const column = columnKeysIn(options).find((key) => !columns.has(key));
  if (column !== undefined) return lacks("COLUMN_UNKNOWN", `column ${column}`);
  const reason = deps.availability.refusalOf(type);
  if (reason === null) return null;
  return refuse(
    "TYPE_UNUSABLE",
    `The data source of the report type ${type} does not fit its definition: ${reason}.`,
    version,
  );
}

/**
 * After how many milliseconds a report that is handed back comes again: 10, 30, 60, then 120 s ± 20 %, a tenth of it while another living
 * worker serves it. Null once it has waited for six hours: then it ends.
 */
export function handBackDelayMs(past: HandBackPast, random: () => number): number | null {
  if (past.count > 0 && past.waitedMs >= retryWindowMs) return null;
  const delayMs = retryDelayMs(past.count + 1, random);
  return past.isServedElsewhere ? Math.round(delayMs / servedElsewhereFactor) : delayMs;
}

/** With what a report ends that no worker has run for too long; for its requester, and through them for who deploys the workers. */
export function notServedFailure(because: HandBackCause, report: Pick<Report, "reportType">): ReportFailure {
  const code = because === "TYPE_UNUSABLE" ? "DEPENDENCY_UNAVAILABLE" : "UNKNOWN_REPORT_TYPE";
  const { reportType: type } = report;
  const detail = {
    TYPE_UNKNOWN: `For six hours no worker knew the report type ${type}.`,
    VERSION_UNKNOWN: `For six hours no worker knew this version of the report type ${type}.`,
    FORMAT_UNKNOWN: `For six hours no worker knew this format of the report type ${type}.`,
    FILTER_UNKNOWN: `For six hours no worker knew a filter of this ${type} report.`,
    COLUMN_UNKNOWN: `For six hours no worker knew a column of this ${type} report.`,
    TYPE_UNUSABLE: `For six hours the data source of the report type ${type} did not fit its definition.`,
  }[because];
  const remedy =
    because === "TYPE_UNUSABLE"
      ? "Ask the platform team to mend the view or table that the type reads (metric report_type_unusable), then start the report again."
      : "Ask the platform team to deploy workers with the same version and report types as the API (metric report_types_unserved), then start the report again.";
  return { code, detail: `${detail} ${remedy}`, retryable: reportErrorCodes[code].retryable };
}

function columnKeysIn({ columns, sort, groupBy }: Report["options"]): readonly string[] {
  return [...columns, ...sort.map((key) => key.replace(/^-/, "")), ...(groupBy === null ? [] : [groupBy])];
}

function refuse(because: HandBackCause, message: string, servedFromVersion: number): Refusal {
  return { because, message, servedFromVersion };
}
