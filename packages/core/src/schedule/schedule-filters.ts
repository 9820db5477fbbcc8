import { creationTimeFilters } from "../query/creation-time-filters.ts";
import type { Filter } from "../query/filters.ts";
import { markPlainTexts } from "../query/plain-texts.ts";
import { principalFilter, reportTypeFilter } from "../report/request/report-text-filters.ts";
import { runOutcomes, scheduleStatuses } from "./schedule-values.ts";

export const scheduleFilters: readonly Filter[] = markPlainTexts([
  reportTypeFilter,
  {
    name: "status",
    operator: "in",
    value: "enum",
    columns: ["status"],
    values: scheduleStatuses,
    description: "States.",
  },
  principalFilter("owner", "Owners of the schedules; `me` is the caller."),
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
    values: runOutcomes,
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
