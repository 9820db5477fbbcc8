import { columnFilter, creationTimeFilters, statusFilter, toPlainTextFilters } from "../../query/filter-definitions.ts";
import type { Filter } from "../../query/filters.ts";
import { maxTitleLength } from "../types/option-texts.ts";
import { reportFormats } from "../types/format.ts";
import { reportStatuses } from "../../base/vocabulary.ts";
import { reportTypeNameForm } from "../types/report-type-name-form.ts";
import { maxPrincipalBytes, principalTextForm } from "../../caller/user-principal.ts";

export const reportTypeFilter = columnFilter("reportType", "text", "Report types.", { form: reportTypeNameForm });

export function createPrincipalFilter(name: string, description: string): Filter {
  return columnFilter(name, "text", description, { maxLength: maxPrincipalBytes, form: principalTextForm });
}

export const reportListFilters: readonly Filter[] = toPlainTextFilters([
  columnFilter("q", "text", "Text that the title contains, in any case.", {
    operator: "contains",
    columns: ["title"],
    // Shorter texts contain no trigram, so the trigram index cannot find them.
    minLength: 3,
    maxLength: maxTitleLength,
  }),
  reportTypeFilter,
  statusFilter(reportStatuses),
  columnFilter("format", "enum", "Formats of the file.", { values: reportFormats }),
  createPrincipalFilter("requestedBy", "The principal that started the report."),
  columnFilter("scheduleId", "uuid", "The schedules that started the reports."),
  ...creationTimeFilters,
]);

/**
 * Fields by which reports can be sorted. Each needs an index, which every start and change of state updates. An index on a time that changes while a
 * report runs (`updatedAt`) would make every heartbeat update all indexes. docs/decisions/0019.
 */
export const reportSortFields: readonly string[] = ["createdAt", "finishedAt"];
