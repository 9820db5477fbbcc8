import type { Filter } from "./filters.ts";

export const creationTimeFilters: readonly Filter[] = [
  {
    name: "createdFrom",
    operator: "from",
    value: "timestamp",
    columns: ["createdAt"],
    description: "Created at this time (RFC 3339) or later.",
  },
  {
    name: "createdTo",
    operator: "to",
    value: "timestamp",
    columns: ["createdAt"],
    description: "Created before this time (RFC 3339).",
  },
];
