import type { Filter } from "../../query/filters.ts";
import { reportTypeName } from "../types/report-type-name.ts";
import { maxPrincipalBytes, principalForm } from "../../caller/user-principal.ts";

export const reportTypeFilter: Filter = {
  name: "reportType",
  operator: "in",
  value: "text",
  columns: ["reportType"],
  form: reportTypeName,
  description: "Report types.",
};

export function principalFilter(name: string, description: string): Filter {
  return {
    name,
    operator: "in",
    value: "text",
    columns: [name],
    maxLength: maxPrincipalBytes,
    form: principalForm,
    description,
  };
}
