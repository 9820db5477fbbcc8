import type { ReportTypeDefinition } from "./type-definition.ts";

/** Kinds of databases from which rows are read by `COPY (query) TO STDOUT (FORMAT csv)`. `postgres` includes Aurora, and shards behind foreign tables. A table in packages/db lists how the kinds differ. */
export const reportSourceEngines = ["postgres", "citus", "pg_clickhouse"] as const;
export type ReportSourceEngine = (typeof reportSourceEngines)[number];

/** The default source: the service's own database, or its replica. */
export const mainReportSource = "main";

/** Connection settings of a source. They are plain data, because they are sent to renderer processes. The URLs contain passwords. */
export interface ReportSourceSettings {
  readonly url: string;
  /** Connection URL of the primary, for the third and later attempts, because a replica can cancel long queries. Default: `url`. */
  readonly primaryUrl?: string;
  readonly engine: ReportSourceEngine;
}

export type ReportSources = Readonly<Record<string, ReportSourceSettings>>;

export function sourceNameOf({ rows }: Pick<ReportTypeDefinition, "rows">): string | null {
  if (rows.kind === "objects") return null;
  return (rows.kind === "view" ? rows.source : undefined) ?? mainReportSource;
}
