import type { ReportTypeDefinition } from "./type-definition.ts";

/**
 * Databases from which rows of reports are read by `COPY (query) TO STDOUT (FORMAT csv)`: Postgres (also Aurora, and shards behind foreign
 * tables), and Postgres with an extension that scales it. What differs between them is one row of a table in packages/db.
 */
export const reportSourceEngines = ["postgres", "citus", "pg_clickhouse"] as const;
export type ReportSourceEngine = (typeof reportSourceEngines)[number];

/** The source of every definition that names none: the service's own database, or its replica. */
export const mainReportSource = "main";

/** How a source of report rows is reached. Plain data, because it is sent to renderer processes; its URLs hold passwords. */
export interface ReportSourceSettings {
  /** May name a replica. */
  readonly url: string;
  /** The primary, which the third attempt of a report reads: a replica ends queries whose rows its primary has removed since. Default: `url`. */
  readonly primaryUrl?: string;
  readonly engine: ReportSourceEngine;
}

/** Every source of a deployment by its name; `main` is always there. */
export type ReportSources = Readonly<Record<string, ReportSourceSettings>>;

/** The name of the source from which the rows of a definition come; null for rows that no database holds. */
export function sourceNameOf({ rows }: Pick<ReportTypeDefinition, "rows">): string | null {
  if (rows.kind === "objects") return null;
  return (rows.kind === "view" ? rows.source : undefined) ?? mainReportSource;
}
