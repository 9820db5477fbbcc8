import type { Report } from "@reports/client";
import { CommandError } from "./command-error.ts";
import { toSafeText } from "./output/to-safe-text.ts";

export function assertReportSucceeded(report: Report): void {
  const id = toSafeText(report.id);
  switch (report.status) {
    case "SUCCEEDED":
      return;
    case "EXPIRED":
      throw new CommandError(
        "gone",
        `The file of the report ${id} was removed: its retention is over, or it was lost.`,
      );
    case "CANCELLED":
      throw new CommandError("failed", `The report ${id} was cancelled.`);
    default: {
      const { error } = report;
      const cause = error === null ? toSafeText(report.status) : toSafeText(`${error.code}: ${error.detail}`);
      const advice = error?.retryable === true ? " Starting it again may help." : "";
      throw new CommandError("failed", `The report ${id} has failed. ${cause}${advice}`);
    }
  }
}
