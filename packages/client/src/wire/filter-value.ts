import type { FilterValues } from "./generated/report.ts";

/** One value of a filter, such as a text or a number. */
export type FilterValue = FilterValues[number];
