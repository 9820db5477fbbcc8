import type { ReportTypeDefinition, SearchParam } from "@reports/core";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import { reportRelationOf } from "./report-query.ts";

/** About how many rows a report will have; null where that cannot be told. Never rejects: it only chooses a lane. */
export type EstimateRows = (definition: ReportTypeDefinition, searchParam: SearchParam) => Promise<number | null>;

/** Below this many rows in the whole relation every report of it is a short one, and the planner is not asked. */
const smallRelation = 20_000;
const sizeKeptMs = 60_000;
/** Far above the number of report types; a relation that is evicted is read again. */
const maxRelations = 1_000;

const planSchema = z.tuple([z.object({ Plan: z.object({ "Plan Rows": z.number() }) })]);

/** Asks Postgres's statistics: the size of the relation, kept for a minute, and the planner where filters narrow a large one. */
export function createRowEstimate(database: Database): EstimateRows {
  const sizes = new LRUCache<string, number>({ max: maxRelations, ttl: sizeKeptMs });

  const sizeOf = async (relation: string): Promise<number> => {
    const known = sizes.get(relation);
    if (known !== undefined) return known;
    const found = await database.query((queries) =>
      queries.execute(
        sql`select greatest(reltuples, 0)::float as rows from pg_class where oid = to_regclass(${relation})`,
      ),
    );
    const rows = Number(found[0]?.["rows"] ?? 0);
    sizes.set(relation, rows);
    return rows;
  };

  return async (definition, searchParam) => {
    if (definition.rows.kind !== "relation") return null;
    try {
      const size = await sizeOf(definition.rows.relation);
      if (size <= smallRelation || Object.keys(searchParam).length === 0) return size;
      const { select } = reportRelationOf({ definition, searchParam });
      const [row] = await database.query((queries) => queries.execute(sql`explain (format json) ${select([])}`));
      return planSchema.parse(row!["QUERY PLAN"])[0].Plan["Plan Rows"];
    } catch {
      return null;
    }
  };
}
