import { mainReportSource, sourceNameOf, type ReportTypeDefinition, type ViewRows } from "@reports/core/report";
import { unlessAborted } from "@reports/core/base";
import type { SearchParam } from "@reports/core/query";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { hasStatistics } from "./reads-other-servers.ts";
import { reportRelationOf } from "./report-query.ts";
import { createRowCounts, type CountRequest, type RowCount } from "./row-counts.ts";
import { isAway, ownSource, type SourceDatabase, type SourceDatabases } from "./source-databases.ts";

/** Infinity if too many to count in time, null if unknown. Never rejects, and takes half a second: it chooses a lane. */
export type EstimateRows = (
  definition: ReportTypeDefinition,
  searchParam: SearchParam,
  timezone: string,
) => Promise<number | null>;

export interface RowSizes {
  readonly estimate: EstimateRows;
  /** Counts rows of a type without usable statistics; `unasked` if the source did not say whether it has any. Never rejects. */
  count(request: CountRequest): Promise<RowCount | { readonly kind: "has-statistics" } | { readonly kind: "unasked" }>;
}

/** Reports of smaller relations are short, without asking the planner. */
const smallRelation = 20_000;
const sizeKeptMs = 60_000;
/** Far above the number of report types; an evicted relation is read again. */
const maxRelations = 1_000;
/** Starts do not wait for a failed source for this long. */
const leftAloneMs = 30_000;
/** How long a start waits for its estimate. */
const startPatienceMs = 500;

const planSchema = z.tuple([z.object({ Plan: z.object({ "Plan Rows": z.number() }) })]);

type AskedSource = Omit<SourceDatabase, "close">;

/**
 * Reads a relation's size from statistics, cached for a minute, and asks the planner if conditions narrow a large relation. Engines
 * without statistics count. `database` is `main`; an unknown source has no estimate.
 */
export function createRowSizes(
  database: Database,
  sources: SourceDatabases,
  { patienceMs = startPatienceMs }: { readonly patienceMs?: number } = {},
): RowSizes {
  const all = new Map<string, AskedSource>([...sources, [mainReportSource, ownSource(database)]]);
  const counts = createRowCounts();
  const sizes = new LRUCache<string, number | "counted">({ max: maxRelations, ttl: sizeKeptMs });
  const failed = new LRUCache<string, true>({ max: maxRelations, ttl: leftAloneMs });

  /** The type's total by statistics, or that its reports' rows are counted. */
  const readSize = async (definition: ReportTypeDefinition, queries: Queries): Promise<number | "counted"> => {
    const { rows } = definition;
    if (rows.kind !== "objects") {
      const relation = rows.kind === "view" ? rows.view : rows.relation;
      if (!(await hasStatistics(queries, relation))) return "counted";
      const size = await storedRows(relation, queries);
      // A view has no statistics of its own, and a fixed condition may leave little of a table.
      if (size !== null && definition.where.length === 0) return size;
    }
    return plannedRows(definition, {}, "UTC", queries);
  };

  const sizeOf = async (definition: ReportTypeDefinition, { engine, hosts }: AskedSource) => {
    if (engine.sizes === "counted") return engine.sizes;
    const known = sizes.get(definition.type);
    if (known !== undefined) return known;
    const size = await fromAnyHost(hosts, async ({ plan }) => plan(async (queries) => readSize(definition, queries)));
    sizes.set(definition.type, size);
    return size;
  };

  /** Returns null if the source is unavailable, after which starts skip it for a while. Our own database is always asked. */
  const ask = async <T>(definition: ReportTypeDefinition, read: (source: AskedSource) => Promise<T>) => {
    const name = sourceNameOf(definition);
    const source = name === null ? undefined : all.get(name);
    if (name === null || source === undefined || failed.has(name)) return null;
    try {
      return await read(source);
    } catch (error) {
      if (name !== mainReportSource && isAway(error)) failed.set(name, true);
      return null;
    }
  };

  const countRows = async (request: CountRequest, hosts: AskedSource["hosts"]): Promise<RowCount> => {
    const counted = await counts.count(request, hosts);
    const name = sourceNameOf(request.definition);
    if (counted.kind === "unknown" && counted.isAway === true && name !== null && name !== mainReportSource)
      failed.set(name, true);
    return counted;
  };

  return {
    estimate: async (definition, searchParam, timezone) => {
      const request = { definition, searchParam, timezone };
      const estimating = ask<number | null>(definition, async (source) => {
        const size = await sizeOf(definition, source);
        if (size === "counted") return countedRows(await countRows(request, source.hosts));
        if (size <= smallRelation || Object.keys(searchParam).length === 0) return size;
        return fromAnyHost(source.hosts, async ({ plan }) =>
          plan(async (queries) => plannedRows(definition, searchParam, timezone, queries)),
        );
      });
      // A late result is cached for the next start.
      return unlessAborted(estimating, AbortSignal.timeout(patienceMs)).catch(() =>
        counts.isRunning(request) ? Infinity : null,
      );
    },
    count: async (request) => {
      const { definition } = request;
      const counted = await ask<Awaited<ReturnType<RowSizes["count"]>>>(definition, async (source) =>
        (await sizeOf(definition, source)) === "counted"
          ? countRows(request, source.hosts)
          : { kind: "has-statistics" },
      );
      return counted ?? { kind: sizes.get(definition.type) === "counted" ? "unknown" : "unasked" };
    },
  };
}

function countedRows(count: RowCount): number | null {
  switch (count.kind) {
    case "counted":
      return count.rows;
    case "many":
      return Infinity;
    case "unknown":
      return null;
  }
}

/** Asks the first host that answers. Rejects with a host's error of the query, if any. */
async function fromAnyHost<Host, T>(hosts: readonly Host[], read: (host: Host) => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const host of hosts) {
    try {
      return await read(host);
    } catch (error) {
      // Another host may answer.
      if (failure === undefined || isAway(failure)) failure = error;
    }
  }
  throw failure;
}

/** The statistics of a table or materialised view; null for others. */
async function storedRows(relation: ViewRows["view"], queries: Queries): Promise<number | null> {
  const found = await queries.execute(
    sql`select case when relkind in ('r', 'm') then greatest(reltuples, 0)::float end as rows from pg_class where oid = to_regclass(${relation})`,
  );
  const rows = found[0]?.["rows"];
  return typeof rows === "number" ? rows : null;
}

async function plannedRows(
  definition: ReportTypeDefinition,
  searchParam: SearchParam,
  timezone: string,
  queries: Queries,
): Promise<number> {
  const { select } = reportRelationOf({ definition, searchParam, timezone });
  const [row] = await queries.execute(sql`explain (format json) ${select([])}`);
  return planSchema.parse(row!["QUERY PLAN"])[0].Plan["Plan Rows"];
}
