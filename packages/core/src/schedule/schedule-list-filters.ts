import { creationTimeFilters } from "../query/creation-time-filters.ts";
import type { Filter } from "../query/filters.ts";
import { toPlainTextFilters } from "../query/plain-texts.ts";
import { createPrincipalFilter, reportTypeFilter } from "../report/request/report-text-filters.ts";
import { scheduleRunOutcomes, scheduleStatuses } from "./schedule-values.ts";

export const scheduleListFilters: readonly Filter[] = toPlainTextFilters([
  reportTypeFilter,
  {
    name: "status",
    operator: "in",
    value: "enum",
    columns: ["status"],
    values: scheduleStatuses,
    description: "States.",
  },
  createPrincipalFilter("owner", "Owners of the schedules; `me` is the caller."),
  {
    name: "q",
    operator: "contains",
    value: "text",
    columns: ["name"],
    maxLength: 200,
    description: "Text that the name contains.",
  },
  ...creationTimeFilters,
]);

export const scheduleRunFilters: readonly Filter[] = [
  {
    name: "outcome",
    operator: "in",
    value: "enum",
    columns: ["outcome"],
    values: scheduleRunOutcomes,
    description: "Outcomes of the runs.",
  },
  {
    name: "scheduledFrom",
    operator: "from",
    value: "timestamp",
    columns: ["scheduledFor"],
    description: "Due at this time or later.",
  },
  {
    name: "scheduledTo",
    operator: "to",
    value: "timestamp",
    columns: ["scheduledFor"],
    description: "Due before this time.",
  },
];
