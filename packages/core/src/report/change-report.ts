import { z } from "zod";
import { DomainError, type InputIssue } from "../errors.ts";
import { invalidInput } from "../list-issues.ts";
import { removeListedFiles, type FileRemovalDeps } from "./file-removal.ts";
import { findReport, reportNotFound } from "./open-report.ts";
import { titleField } from "./option-texts.ts";
import type { Report } from "./record.ts";
import type { ReportStore } from "./report-store.ts";
import { isTerminal } from "./states.ts";
import { pointerOf } from "../json-pointer.ts";

/** Which report is to be changed, and what its caller may do. */
export interface ReportChange {
  readonly id: string;
  /** The principal that asks for it. */
  readonly actor: string;
  /** Whether the caller may know of the report: holds its type's authority. */
  mayRead(report: Report): boolean;
  /** Whether the caller may change it: asked for it, or administers reports. */
  mayChange(report: Report): boolean;
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

/**
 * Applies a merge patch to a report: another title, or `status: "CANCELLED"`. docs/contract.md §4.6.
 * Rejects with DomainError: not-found, gone, forbidden, what the condition throws, and invalid with every problem.
 */
export async function changeReport(
  deps: { readonly reports: Pick<ReportStore, "find" | "cancel" | "rename"> },
  change: ReportChange,
  patch: unknown,
): Promise<Report> {
  let report = await findChangeable(deps, change);
  const { title, cancels } = readPatch(patch, report);
  if (cancels && report.status !== "CANCELLED") {
    const cancelled = await deps.reports.cancel(report.id, change.actor);
    if (cancelled === null) throw notOpen(await findReport(deps, change));
    report = cancelled;
  }
  if (title === undefined) return report;
  for (let tries = 0; tries < maxTries; tries++) {
    if (report.title === title) return report;
    const renamed = await deps.reports.rename(report.id, report.revision, title);
    if (renamed !== null) return renamed;
    report = cancels ? await findReport(deps, change) : await findChangeable(deps, change);
  }
  throw new DomainError("unavailable", "too-much-contention", "The report keeps changing; try again.", {
    retryAfterSeconds: 1,
  });
}

/**
 * Cancels an open report, makes a tombstone of it and removes its file; one that is deleted already is a success. Gives the
 * report as it was. Rejects with DomainError: not-found, forbidden, and what the condition throws.
 */
export async function removeReport(
  deps: FileRemovalDeps & { readonly reports: Pick<ReportStore, "find" | "remove"> },
  change: ReportChange,
  onFileLeft: (error: unknown) => void,
): Promise<Report> {
  const report = await deps.reports.find(change.id);
  if (report === null || !change.mayRead(report)) throw reportNotFound(report);
  refuseUnlessAllowed(change, report);
  if (report.deletedAt !== null) return report;
  change.precondition(report);
  const removed = await deps.reports.remove(report.id, change.actor);
  if (removed === null || removed.file === null) return report;
  // The report is gone whether or not its file is, which stands on the list of removals until it is.
  await removeListedFiles(deps, [removed.file.storageKey], onFileLeft).catch(onFileLeft);
  return report;
}

async function findChangeable(deps: { readonly reports: Pick<ReportStore, "find"> }, change: ReportChange) {
  const report = await findReport(deps, change);
  refuseUnlessAllowed(change, report);
  change.precondition(report);
  return report;
}

function refuseUnlessAllowed(change: ReportChange, report: Report): void {
  if (change.mayChange(report)) return;
  throw new DomainError(
    "forbidden",
    "not-the-requester",
    "Only who asked for the report, or an administrator of reports, may change or delete it.",
  );
}

function readPatch(patch: unknown, report: Report): { title: string | undefined; cancels: boolean } {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
    throw invalidChange([{ pointer: "", code: "invalid_type", message: "The body must be a JSON object." }]);
  }
  const { status, ...others } = patch as Readonly<Record<string, unknown>>;
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
