import { createdFilters } from "../../query/created-filters.ts";
import type { Filter } from "../../query/filters.ts";
import { plainTexts } from "../../query/plain-texts.ts";
import { reportFormats } from "../types/format.ts";
import { reportStatuses } from "../../base/vocabulary.ts";
import { principalFilter, reportTypeFilter } from "./report-text-filters.ts";

/** By what `GET /v1/reports` filters. */
export const reportFilters: readonly Filter[] = plainTexts([
  reportTypeFilter,
  {
    name: "status",
    operator: "in",
    value: "enum",
    columns: ["status"],
    values: reportStatuses,
    description: "States.",
  },
  {
    name: "format",
    operator: "in",
    value: "enum",
    columns: ["format"],
    values: reportFormats,
    description: "Formats of the file.",
  },
  principalFilter("requestedBy", "Who asked for the report."),
  {
    name: "scheduleId",
    operator: "in",
    value: "uuid",
    columns: ["scheduleId"],
    description: "The schedules that started the reports.",
  },
  ...createdFilters,
]);

/**
 * By what `GET /v1/reports` sorts. Each has an index that leads with the report type, which every start and transition pays for; times that
 * change while a report runs (`updatedAt`) would also make every heartbeat write to all indexes. docs/decisions/0019.
 */
export const reportSorts: readonly string[] = ["createdAt", "finishedAt"];
