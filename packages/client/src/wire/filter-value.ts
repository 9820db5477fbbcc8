import type { FilterValues } from "./generated/report.ts";

/** One value of a filter. */
export type FilterValue = FilterValues[number];
