import { DomainError, type InputIssue } from "../base/errors.ts";
import { isJsonObject, omitFields, type JsonObject } from "../base/json-object.ts";
import { invalidInputError } from "../base/truncate-issues.ts";
import { toPatchedBody, readValidBodyFields, readRecordInput } from "../record/collection-input.ts";
import type { SearchParam } from "../query/filters.ts";
import { readStartBody, startInputFromBody, type StartInput } from "../report/request/start-input.ts";
import { withCurrentColumnKeys, withCurrentFilterNames } from "../report/types/former-names.ts";
import type { ReportTypeDefinition } from "../report/types/type-definition.ts";
import { scheduleRecord, type Schedule, type ScheduleSettings } from "./schedule-record.ts";
import type { ScheduleStatus } from "./schedule-values.ts";

const fieldsOutsideOptions = ["reportType", "searchParam"];

export interface RequestedSchedule {
  readonly settings: ScheduleSettings;
  readonly status: ScheduleStatus;
}

export type ValidScheduleFields = ReturnType<typeof readValidBodyFields<typeof scheduleRecord.input.shape>>;

export interface ReadScheduleRules {
  readonly definition: ReportTypeDefinition;
  readonly now: Date;
  readonly stored?: Schedule;
  /** Returns the end of an error message that begins with "status"; null if the status may be requested. */
  readonly findStatusProblem: (status: ScheduleStatus) => string | null;
  /** Checks the times. Called only if the body has other mistakes, so that one response lists all. Otherwise, planFirstRunOrThrow checks the times. */
  readonly checkTimes: (readable: ValidScheduleFields) => readonly InputIssue[];
}

/** Reads all fields of a schedule. Throws DomainError("invalid") with every mistake. If only times are wrong, planFirstRunOrThrow reports them later. */
export function readScheduleBody(
  { definition, now, stored, ...checks }: ReadScheduleRules,
  body: unknown,
): RequestedSchedule {
  const result = readRecordInput(scheduleRecord.rules, body, stored as JsonObject | undefined);
  const readable: ValidScheduleFields = result.ok ? result.input : readValidBodyFields(scheduleRecord.input, body);
  const { reportType = definition.type, searchParam, timezone = "UTC" } = readable;
  const options = withoutNulls(readable.options ?? {});
  const issues: InputIssue[] = result.ok ? [] : [...result.issues];
  if (stored !== undefined && reportType !== stored.reportType)
    issues.push(scheduleFieldIssue("reportType", "read_only", "cannot be changed; make another schedule."));
  for (const name of fieldsOutsideOptions.filter((each) => Object.hasOwn(options, each))) {
    const message = `${name} is next to options, not in it.`;
    issues.push({ pointer: `/options/${name}`, code: "unknown_field", message });
  }
  const what = { ...omitFields(options, fieldsOutsideOptions), reportType, searchParam };
  const start = readStartBody(definition, { timezone, ...what }, now, timezone);
  if (!start.ok) issues.push(...start.issues.map(moveIntoOptions));
  const statusProblem = readable.status === undefined ? null : checks.findStatusProblem(readable.status);
  if (statusProblem !== null) issues.push(scheduleFieldIssue("status", "invalid_value", statusProblem));
  if (issues.length > 0) issues.push(...checks.checkTimes(readable));
  if (!result.ok || !start.ok || issues.length > 0) throw invalidScheduleError(issues);
  const { status, ...input } = result.input;
  const settings = {
    ...input,
    options: withCurrentColumnKeys(definition, options),
    searchParam: start.input.searchParamGiven,
  };
  return { settings, status };
}

export interface ScheduleChangeRequest {
  readonly method: "PUT" | "PATCH";
  readonly body: unknown;
}

export function readScheduleChange(
  by: ReadScheduleRules & { readonly stored: Schedule },
  { method, body }: ScheduleChangeRequest,
): RequestedSchedule {
  return method === "PUT" ? readScheduleBody(by, body) : readSchedulePatch(by, body);
}

export function readAddedFilterValues(
  by: Pick<ReadScheduleRules, "definition" | "now"> & { readonly stored: Schedule },
  change: ScheduleChangeRequest,
): SearchParam {
  const current = withCurrentFilterNames(by.definition, by.stored.searchParam);
  try {
    const { settings } = readScheduleChange({ ...by, findStatusProblem: () => null, checkTimes: () => [] }, change);
    return Object.fromEntries(
      Object.entries(settings.searchParam).map(([name, values]) => {
        const kept: readonly unknown[] = [current[name] ?? []].flat();
        return [name, [values].flat().filter((value) => !kept.includes(value))];
      }),
    );
  } catch (error) {
    if (error instanceof DomainError) return {};
    throw error;
  }
}

/** Applies a merge patch (RFC 7396) to the stored schedule. Each filter and each option is merged separately. */
export function readSchedulePatch(
  by: ReadScheduleRules & { readonly stored: Schedule },
  patch: unknown,
): RequestedSchedule {
  const { definition, stored } = by;
  const current = withCurrentFields(definition, stored as unknown as JsonObject);
  const changes = isJsonObject(patch) ? withCurrentFields(definition, patch) : patch;
  return readScheduleBody(by, toPatchedBody(scheduleRecord.rules, changes, current));
}

/** Returns the stored fields with the current names of filters and columns. Otherwise, a patch would not replace a value under a former name. */
function withCurrentFields(definition: ReportTypeDefinition, fields: JsonObject): JsonObject {
  const { searchParam, options } = fields;
  return {
    ...fields,
    ...(isJsonObject(searchParam) && { searchParam: withCurrentFilterNames(definition, searchParam) }),
    ...(isJsonObject(options) && { options: withCurrentColumnKeys(definition, options) }),
  };
}

/** Returns the start of a run at `at`, the moment of relative times. Throws DomainError("invalid") if the report type refuses the start. */
export function readScheduledStart(definition: ReportTypeDefinition, schedule: ScheduledStart, at: Date): StartInput {
  return startInputFromBody(definition, startBodyOf(schedule), at, schedule.timezone);
}

export function findScheduledStartIssues(
  definition: ReportTypeDefinition,
  schedule: ScheduledStart,
  at: Date,
): readonly InputIssue[] {
  const start = readStartBody(definition, startBodyOf(schedule), at, schedule.timezone, { isOneOfMany: true });
  return start.ok ? [] : start.issues;
}

type ScheduledStart = Pick<Schedule, "reportType" | "searchParam" | "options" | "timezone">;

function startBodyOf({ reportType, searchParam, options, timezone }: ScheduledStart): JsonObject {
  return { timezone, ...options, reportType, searchParam };
}

export function invalidScheduleError(issues: readonly InputIssue[]): DomainError {
  return invalidInputError("invalid", "invalid-record", "The schedule is not valid", issues);
}

export function scheduleFieldIssue(field: string, code: string, rest: string): InputIssue {
  return { pointer: `/${field}`, code, message: `${field} ${rest}` };
}

function moveIntoOptions(issue: InputIssue): InputIssue {
  const { pointer = "" } = issue;
  return pointer.startsWith("/searchParam") ? issue : { ...issue, pointer: `/options${pointer}` };
}

function withoutNulls(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
