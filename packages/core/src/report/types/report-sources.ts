import type { ReportTypeDefinition } from "./type-definition.ts";

/**
 * Databases whose rows are read by `COPY (query) TO STDOUT (FORMAT csv)`: Postgres (also Aurora, and shards behind foreign tables) and its
 * scaling extensions. Their differences are one row of a table in packages/db.
 */
export const reportSourceEngines = ["postgres", "citus", "pg_clickhouse"] as const;
export type ReportSourceEngine = (typeof reportSourceEngines)[number];

/** The default source: the service's own database, or its replica. */
export const mainReportSource = "main";

/** How a source is reached. Plain data, because it is sent to renderer processes; its URLs hold passwords. */
export interface ReportSourceSettings {
  /** May name a replica. */
  readonly url: string;
  /** The primary, read from the third attempt on, because a replica ends queries whose rows its primary has removed. Default: `url`. */
  readonly primaryUrl?: string;
  readonly engine: ReportSourceEngine;
}

/** Sources by name; `main` always exists. */
export type ReportSources = Readonly<Record<string, ReportSourceSettings>>;

/** Returns a definition's source; null for rows that no database holds. */
export function sourceNameOf({ rows }: Pick<ReportTypeDefinition, "rows">): string | null {
  if (rows.kind === "objects") return null;
  return (rows.kind === "view" ? rows.source : undefined) ?? mainReportSource;
}
