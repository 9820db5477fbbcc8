import { creationTimeFilters } from "../../query/creation-time-filters.ts";
import type { Filter } from "../../query/filters.ts";
import { toPlainTextFilters } from "../../query/plain-texts.ts";
import { maxTitleLength } from "../types/option-texts.ts";
import { reportFormats } from "../types/format.ts";
import { reportStatuses } from "../../base/vocabulary.ts";
import { createPrincipalFilter, reportTypeFilter } from "./report-text-filters.ts";

export const reportListFilters: readonly Filter[] = toPlainTextFilters([
  {
    name: "q",
    operator: "contains",
    value: "text",
    columns: ["title"],
    // Shorter texts contain no trigram, so the trigram index cannot find them.
    minLength: 3,
    maxLength: maxTitleLength,
    description: "Text that the title contains, in any case.",
  },
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
  createPrincipalFilter("requestedBy", "The principal that started the report."),
  {
    name: "scheduleId",
    operator: "in",
    value: "uuid",
    columns: ["scheduleId"],
    description: "The schedules that started the reports.",
  },
  ...creationTimeFilters,
]);

/**
 * Fields by which reports can be sorted. Each needs an index, which every start and change of state updates. An index on a time that changes while a
 * report runs (`updatedAt`) would make every heartbeat update all indexes. docs/decisions/0019.
 */
export const reportSortFields: readonly string[] = ["createdAt", "finishedAt"];
