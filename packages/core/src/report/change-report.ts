import { z } from "zod";
import { DomainError, type InputIssue } from "../errors.ts";
import { invalidInput } from "../list-issues.ts";
import { removeListedFiles, type FileRemovalDeps } from "./file-removal.ts";
import { refuseDeleted, reportNotFound } from "./open-report.ts";
import { titleField } from "./option-texts.ts";
import type { Report } from "./record.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";
import { pointerOf } from "../json-pointer.ts";
import { isJsonObject, notAnObject } from "../json-object.ts";

/** Who changes a report, and under which condition. That they may has been checked by the caller. */
export interface ReportChange {
  /** The principal that asks for it. */
  readonly actor: string;
  /** Throws when the caller's condition on the version does not hold. */
  precondition(report: Report): void;
}

/** How often a change starts again because the report changed meanwhile; a running one changes every few seconds. */
const maxTries = 10;

/** A merge patch of a report. Whether the state can be left depends on the report. docs/contract.md §4.6. */
export const reportPatchSchema = z
  .strictObject({
    title: titleField("Another title.")
      .meta({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` })
      .optional(),
    status: z.literal("CANCELLED").optional().meta({ description: "Cancels the report." }),
  })
  .meta({ id: "ReportPatch" });

const changeable = Object.keys(reportPatchSchema.shape);

/** What changing a report uses. */
interface ChangeDeps {
  readonly reports: Pick<ReportStore, "find" | "cancel" | "rename">;
}

/**
 * Applies a merge patch to a report that was found: another title, or `status: "CANCELLED"`. docs/contract.md §4.6.
 * Rejects with DomainError: what the condition throws, invalid with every problem, and gone where the report is deleted meanwhile.
 */
export async function changeReport(
  deps: ChangeDeps,
  { actor, precondition }: ReportChange,
  found: Report,
  patch: unknown,
): Promise<Report> {
  precondition(found);
  let report = found;
  const { title, cancels } = readPatch(patch, report);
  if (cancels) {
    const cancelled = await deps.reports.cancel(report.id, actor);
    if (cancelled === null) throw notOpen(await readAgain(deps, report));
    report = cancelled;
  }
  if (title === undefined) return report;
  for (let tries = 0; tries < maxTries; tries++) {
    if (report.title === title) return report;
    const renamed = await deps.reports.rename(report.id, report.revision, title);
    if (renamed !== null) return renamed;
    report = await readAgain(deps, report);
    if (!cancels) precondition(report);
  }
  throw new DomainError(
    "unavailable",
    "too-much-contention",
    "Concurrent changes to the report kept conflicting; try again.",
    {
      retryAfterSeconds: 1,
    },
  );
}

/**
 * Cancels an open report, makes a tombstone of it and removes its file; one that is deleted already is a success. Rejects with what the
 * condition throws.
 */
export async function removeReport(
  deps: FileRemovalDeps & { readonly reports: Pick<ReportStore, "remove"> },
  { actor, precondition }: ReportChange,
  report: Report,
  onFileLeft: (error: unknown) => void,
): Promise<void> {
  if (report.deletedAt !== null) return;
  precondition(report);
  const removed = await deps.reports.remove(report.id, actor);
  if (removed === null || removed.file === null) return;
  // The report is gone whether or not its file is, which stands on the list of removals until it is.
  await removeListedFiles(deps, [removed.file.storageKey], onFileLeft).catch(onFileLeft);
}

async function readAgain({ reports }: ChangeDeps, { id }: Report): Promise<Report> {
  const report = await reports.find(id);
  if (report === null) throw reportNotFound();
  refuseDeleted(report);
  return report;
}

function readPatch(patch: unknown, report: Report): { title: string | undefined; cancels: boolean } {
  if (!isJsonObject(patch)) throw invalidChange([notAnObject]);
  const { status, ...others } = patch;
  // The state that it has may be repeated.
  const parsed = reportPatchSchema.safeParse(status === report.status && status !== "CANCELLED" ? others : patch);
  const issues = (parsed.error?.issues ?? []).flatMap((issue) => describeIssue(issue, report));
  const cancels = status === "CANCELLED";
  if (cancels && isTerminal(report.status)) issues.push(notOpenIssue(report));
  if (!parsed.success || issues.length > 0) throw invalidChange(issues.toSorted((a, b) => rankOf(a) - rankOf(b)));
  return { title: parsed.data.title, cancels };
}

function describeIssue(issue: z.core.$ZodIssue, { status }: Report): InputIssue[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      pointer: pointerOf([key]),
      code: "read_only",
      message: `${JSON.stringify(key.slice(0, 60))} cannot be changed. Allowed: ${changeable.join(", ")}.`,
    }));
  }
  const message =
    issue.path[0] === "status"
      ? `status can be changed to CANCELLED only; the report is ${status}.`
      : `title ${issue.message}.`;
  return [{ pointer: pointerOf(issue.path), code: "invalid_value", message }];
}

/** Fields that cannot be changed come first, then the others in their order. */
function rankOf({ pointer }: InputIssue): number {
  return changeable.indexOf(pointer!.slice(1));
}

function notOpenIssue({ status }: Report): InputIssue {
  return {
    pointer: "/status",
    code: "not_open",
    message: `The report is ${status} already; only a QUEUED or RUNNING one can be cancelled.`,
  };
}

function notOpen(report: Report): DomainError {
  return invalidChange([notOpenIssue(report)]);
}

function invalidChange(issues: readonly InputIssue[]): DomainError {
  return invalidInput("invalid", "invalid-record", "The report cannot be changed", issues);
}
