import type { ReportEvent } from "@reports/client";
import { toSafeText } from "./to-safe-text.ts";

export type EventCause = NonNullable<ReportEvent["because"]>;

/** Why a worker requeued a report, or why its file is gone, by code. docs/reference/resources/report-events.md#events. */
const causeTexts: Readonly<Record<string, string>> = {
  FILE_DAMAGED: "its stored file is damaged",
  TYPE_UNKNOWN: "the worker does not know its report type",
  VERSION_UNKNOWN: "the worker knows only an earlier version of its report type",
  FORMAT_UNKNOWN: "the worker does not know its format",
  FILTER_UNKNOWN: "the worker does not know one of its filters",
  COLUMN_UNKNOWN: "the worker does not know one of its columns",
  TYPE_UNUSABLE: "the data source of its report type does not fit the type's definition",
  WORKER_IMPAIRED: "a part of the worker's host is broken",
  SPOOL_TOO_SMALL: "the worker has too little scratch space, and another one has more",
  SOURCE_UNREACHABLE: "the worker cannot reach the data source, and another one can",
};

/** Describes a cause in words, followed by its code. Returns only the code if this version does not know the cause. */
export function describeEventCause(cause: EventCause): string {
  const words = Object.hasOwn(causeTexts, cause) ? causeTexts[cause] : undefined;
  return words === undefined ? toSafeText(cause) : `${words} (${cause})`;
}
