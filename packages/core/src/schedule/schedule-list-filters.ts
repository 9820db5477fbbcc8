import { columnFilter, creationTimeFilters, statusFilter, toPlainTextFilters } from "../query/filter-definitions.ts";
import type { Filter } from "../query/filters.ts";
import { createPrincipalFilter, reportTypeFilter } from "../report/request/report-list-filters.ts";
import { scheduleRunOutcomes, scheduleStatuses } from "./schedule-values.ts";

export const scheduleListFilters: readonly Filter[] = toPlainTextFilters([
  reportTypeFilter,
  statusFilter(scheduleStatuses),
  createPrincipalFilter("owner", "Owners of the schedules; `me` is the caller."),
  columnFilter("q", "text", "Text that the name contains.", {
    operator: "contains",
    columns: ["name"],
    maxLength: 200,
  }),
  ...creationTimeFilters,
]);

const ofDueTime = { columns: ["scheduledFor"] } as const;

export const scheduleRunFilters: readonly Filter[] = [
  columnFilter("outcome", "enum", "Outcomes of the runs.", { values: scheduleRunOutcomes }),
  columnFilter("scheduledFrom", "timestamp", "Due at this time or later.", { operator: "from", ...ofDueTime }),
  columnFilter("scheduledTo", "timestamp", "Due before this time.", { operator: "to", ...ofDueTime }),
];
