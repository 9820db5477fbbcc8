import type { Filter } from "../../query/filters.ts";
import { reportTypeNameForm } from "../types/report-type-name-form.ts";
import { maxPrincipalBytes, principalTextForm } from "../../caller/user-principal.ts";

export const reportTypeFilter: Filter = {
  name: "reportType",
  operator: "in",
  value: "text",
  columns: ["reportType"],
  form: reportTypeNameForm,
  description: "Report types.",
};

export function createPrincipalFilter(name: string, description: string): Filter {
  return {
    name,
    operator: "in",
    value: "text",
    columns: [name],
    maxLength: maxPrincipalBytes,
    form: principalTextForm,
    description,
  };
}
