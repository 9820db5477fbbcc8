import {
  mainReportSource,
  sourceNameOf,
  type ReportTypeDefinition,
  type SearchParam,
  type ViewRows,
} from "@reports/core";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { reportRelationOf } from "./report-query.ts";
import type { SourceDatabases } from "./source-databases.ts";

/** About how many rows a report will have; null where that cannot be told. Never rejects: it only chooses a lane. */
export type EstimateRows = (definition: ReportTypeDefinition, searchParam: SearchParam) => Promise<number | null>;

/** Below this many rows in the whole relation every report of it is a short one, and the planner is not asked. */
const smallRelation = 20_000;
const sizeKeptMs = 60_000;
/** Far above the number of report types; a relation that is evicted is read again. */
const maxRelations = 1_000;
/** A source that failed is not asked again for so long: starts of its reports do not wait for it. */
const leftAloneMs = 30_000;

const planSchema = z.tuple([z.object({ Plan: z.object({ "Plan Rows": z.number() }) })]);

/**
 * Asks the statistics of the source of a report's type: the size of the relation, kept for a minute, and the planner where conditions narrow
 * a large one. `database` is `main`; a source that is in neither has no estimate.
 */
export function createRowEstimate(database: Database, sources: SourceDatabases): EstimateRows {
  const sizes = new LRUCache<string, number>({ max: maxRelations, ttl: sizeKeptMs });
  const failed = new LRUCache<string, true>({ max: maxRelations, ttl: leftAloneMs });

  /** Of all rows that a type can have. */
  const sizeOf = async (definition: ReportTypeDefinition, queries: Queries): Promise<number> => {
    const known = sizes.get(definition.type);
    if (known !== undefined) return known;
    const { rows } = definition;
    const counted =
      rows.kind === "objects" ? null : await countedRows(rows.kind === "view" ? rows.view : rows.relation, queries);
    // A view has no statistics of its own, and a fixed condition may leave little of a table.
    const size = counted === null || definition.where.length > 0 ? await plannedRows(definition, {}, queries) : counted;
    sizes.set(definition.type, size);
    return size;
  };

  const estimate = async (definition: ReportTypeDefinition, searchParam: SearchParam, queries: Queries) => {
    const size = await sizeOf(definition, queries);
    return size <= smallRelation || Object.keys(searchParam).length === 0
      ? size
      : plannedRows(definition, searchParam, queries);
  };

  return async (definition, searchParam) => {
    const source = sourceNameOf(definition);
    if (source === null) return null;
    const hosts = source === mainReportSource ? [database] : (sources.get(source) ?? []);
    if (source !== mainReportSource && failed.has(source)) return null;
    for (const host of hosts) {
      try {
        return await host.query((queries) => estimate(definition, searchParam, queries));
      } catch {
        // Another host may answer; without an estimate the report is taken for a short one.
      }
    }
    failed.set(source, true);
    return null;
  };
}

/** What the statistics say of a table or materialised view; null of what has none. */
async function countedRows(relation: ViewRows["view"], queries: Queries): Promise<number | null> {
  const found = await queries.execute(
    sql`select case when relkind in ('r', 'm') then greatest(reltuples, 0)::float end as rows from pg_class where oid = to_regclass(${relation})`,
  );
  const rows = found[0]?.["rows"];
  return typeof rows === "number" ? rows : null;
}

/** What the planner expects. */
async function plannedRows(
  definition: ReportTypeDefinition,
  searchParam: SearchParam,
  queries: Queries,
): Promise<number> {
  const { select } = reportRelationOf({ definition, searchParam });
  const [row] = await queries.execute(sql`explain (format json) ${select([])}`);
  return planSchema.parse(row!["QUERY PLAN"])[0].Plan["Plan Rows"];
}
