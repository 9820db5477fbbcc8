import { columnFilter } from "../../query/filter-definitions.ts";
import type { Filter } from "../../query/filters.ts";
import { reportTypeNameForm } from "../types/report-type-name-form.ts";
import { maxPrincipalBytes, principalTextForm } from "../../caller/user-principal.ts";

export const reportTypeFilter = columnFilter("reportType", "text", "Report types.", { form: reportTypeNameForm });

export function createPrincipalFilter(name: string, description: string): Filter {
  return columnFilter(name, "text", description, { maxLength: maxPrincipalBytes, form: principalTextForm });
}
