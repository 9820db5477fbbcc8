import type { RowRequest } from "./row-source-reader.ts";

/** One access of a query plan to stored rows. `rows` is the planner's estimate; null if the table was never analysed. */
export type QueryPlanAccess =
  | { readonly kind: "sequential-scan"; readonly relation: string; readonly rows: number | null }
  | { readonly kind: "index"; readonly index: string; readonly rows: number }
  | { readonly kind: "other"; readonly step: string; readonly rows: number };

export interface QueryPlan {
  readonly rows: number;
  readonly reads: readonly QueryPlanAccess[];
  readonly sortedRows: readonly number[];
}

type FilteredRows = Pick<RowRequest, "definition" | "searchParam" | "timezone">;

export interface QueryPlanReader {
  explain(request: FilteredRows & Pick<RowRequest, "columns" | "sort">): Promise<QueryPlan>;
  /** Returns one value per column, from a few rows, as Postgres writes it; for a list, its first element. Leaves out columns without a value. */
  sampleValues(request: FilteredRows, keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  close(): void;
}
