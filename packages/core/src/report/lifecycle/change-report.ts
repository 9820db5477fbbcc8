import { z } from "zod";
import type { DomainError, InputIssue } from "../../base/errors.ts";
import { invalidInputError } from "../../base/truncate-issues.ts";
import { removeListedFiles, type FileRemovalDeps } from "../files/file-removal.ts";
import { assertReportNotDeleted, reportNotFoundError } from "./open-report.ts";
import { createTitleSchema } from "../types/option-texts.ts";
import { choiceField } from "../types/report-choice-schemas.ts";
import { reportStatuses } from "../../base/vocabulary.ts";
import type { Report } from "./report-record.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";
import { isJsonObject, notAnObjectIssue, toJsonPointer, type JsonObject } from "../../base/json-object.ts";
import { describeUnknownName } from "../../query/nearest-name.ts";
import { isDeepEqual } from "../../base/same-value.ts";
import { tooMuchContentionError } from "../../record/collection-records.ts";
import type { ReportCatalogue } from "../types/catalogue.ts";

/**
 * The principal that changes a report, and the condition that the report must meet. The API must check the principal's authority before the
 * change.
 */
export interface ReportChange {
  readonly actor: string;
  precondition(report: Report): void;
}

/** Number of attempts to rename a report whose revision other writes keep changing. A running report changes every few seconds. */
const maxAttempts = 10;

const titleSchema = createTitleSchema("Another title; null takes it back to that of the report type.")
  .meta({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` })
  .optional();

/**
 * Schema of a merge patch of a report. The state of the report decides whether `status` can change.
 * docs/reference/resources/reports.md#renaming-cancelling-and-deleting.
 */
export const reportPatchSchema = z
  .strictObject({
    title: titleSchema.nullable(),
    status: choiceField(reportStatuses)
      .optional()
      .meta({ description: "CANCELLED cancels the report; any other may only be the state that it has." }),
  })
  .meta({ id: "ReportPatch" });

const changeableFields = Object.keys(reportPatchSchema.shape);
const fieldsFixedAtStart = new Set([
  "id",
  "reportType",
  "format",
  "searchParam",
  "searchParamGiven",
  "options",
  "requestedBy",
  "scheduleId",
  "createdAt",
  "maxFailures",
]);

interface ChangeDeps {
  readonly catalogue: Pick<ReportCatalogue, "find">;
  readonly show: (report: Report) => object;
  readonly reports: Pick<ReportStore, "find" | "cancel" | "rename">;
}

/**
 * Applies a merge patch: another title, `status: "CANCELLED"`, or both. docs/reference/resources/reports.md#renaming-cancelling-and-deleting.
 * Rejects with the error of the precondition. Also rejects with DomainError: invalid with every problem, gone if the report is deleted meanwhile,
 * or unavailable if other changes keep conflicting.
 */
export async function changeReport(
  deps: ChangeDeps,
  { actor, precondition }: ReportChange,
  found: Report,
  patch: unknown,
): Promise<Report> {
  precondition(found);
  let report = found;
  const { title, cancels } = readPatch(deps, patch, report);
  if (cancels) {
    const cancelled = await deps.reports.cancel(report.id, actor);
    if (cancelled === null) throw invalidChangeError([notOpenIssue(await reloadReport(deps, report))]);
    report = cancelled;
  }
  if (title === undefined) return report;
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    if (report.title === title) return report;
    const renamed = await deps.reports.rename(report.id, report.revision, title);
    if (renamed !== null) return renamed;
    report = await reloadReport(deps, report);
    if (!cancels) precondition(report);
  }
  throw tooMuchContentionError("report");
}

/** Deletes a report, also an unfinished one, and leaves a tombstone. Succeeds for a deleted report. Rejects with the precondition's error. */
export async function removeReport(
  deps: FileRemovalDeps & { readonly reports: Pick<ReportStore, "remove"> },
  { actor, precondition }: ReportChange,
  report: Report,
  onRemovalError: (error: unknown) => void,
): Promise<void> {
  if (report.deletedAt !== null) return;
  precondition(report);
  const removed = await deps.reports.remove(report.id, actor);
  if (removed === null || removed.file === null) return;
  // The report counts as deleted even if its file stays on the removal list for a while.
  await removeListedFiles(deps, [removed.file.storageKey], onRemovalError).catch(onRemovalError);
}

async function reloadReport({ reports }: Pick<ChangeDeps, "reports">, { id }: Report): Promise<Report> {
  const report = await reports.find(id);
  if (report === null) throw reportNotFoundError();
  assertReportNotDeleted(report);
  return report;
}

function readPatch(
  deps: Pick<ChangeDeps, "catalogue" | "show">,
  patch: unknown,
  report: Report,
): { title: string | undefined; cancels: boolean } {
  if (!isJsonObject(patch)) throw invalidChangeError([notAnObjectIssue]);
  const { title: given, status, ...others } = patch;
  const issues = findReadOnlyIssues(others, deps.show(report) as JsonObject);
  // In a merge patch, null resets the title to that of the report type. docs/reference/http.md#methods.
  const title = given === null ? deps.catalogue.find(report.reportType)?.title : given;
  const wanted = titleSchema.safeParse(title);
  if (!wanted.success) issues.push(fieldIssue("title", wanted.error.issues[0]!.message));
  else if (given === null && title === undefined)
    issues.push(fieldIssue("title", "has no default, because the report type is no longer known"));
  const cancels = status === "CANCELLED";
  if (!cancels && status !== undefined && status !== report.status)
    issues.push(fieldIssue("status", `can be changed to CANCELLED only; the report is ${report.status}`));
  if (cancels && isTerminal(report.status)) issues.push(notOpenIssue(report));
  if (issues.length > 0) throw invalidChangeError(issues);
  return { title: wanted.data, cancels };
}

function findReadOnlyIssues(given: JsonObject, shown: JsonObject): InputIssue[] {
  return Object.entries(given).flatMap(([name, value], index): InputIssue[] => {
    const pointer = toJsonPointer([name]);
    if (!Object.hasOwn(shown, name))
      return [{ pointer, code: "unknown_field", message: describeUnknownName("field", name, changeableFields, index) }];
    if (!fieldsFixedAtStart.has(name) || isDeepEqual(value, shown[name])) return [];
    const message = `${name} cannot be changed; leave it out or repeat the stored value. Allowed: ${changeableFields.join(", ")}.`;
    return [{ pointer, code: "read_only", message }];
  });
}

function fieldIssue(field: string, rest: string): InputIssue {
  return { pointer: `/${field}`, code: "invalid_value", message: `${field} ${rest}.` };
}

function notOpenIssue({ status }: Report): InputIssue {
  return {
    pointer: "/status",
    code: "not_open",
    message: `The report is ${status} already; only a QUEUED or RUNNING one can be cancelled.`,
  };
}

function invalidChangeError(issues: readonly InputIssue[]): DomainError {
  return invalidInputError("invalid", "invalid-record", "The report cannot be changed", issues);
}
