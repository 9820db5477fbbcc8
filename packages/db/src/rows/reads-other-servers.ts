import type { ReportTypeDefinition, ViewRows } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import type { Client } from "pg";
import { readTextRows } from "../database/pg-connection.ts";
import type { Queries } from "../database/queries.ts";
import { toBoundQuery } from "./report-query.ts";
import { sqlFunctionSignatureOf } from "./view-columns.ts";

const tableOf = (view: string): SQL => sql`select 'pg_class'::regclass::oid, to_regclass(${view})::oid`;

/**
 * The body of a function that is stored as text could read any foreign table. For such a function, this SQL also finds all foreign tables and the
 * functions of dblink.
 */
const functionOf = (rows: ViewRows): SQL => {
  const signature = sqlFunctionSignatureOf(rows);
  return sql`
    select 'pg_proc'::regclass::oid, to_regprocedure(${signature})::oid
    union select 'pg_class'::regclass::oid, f.ftrelid from pg_foreign_table f, pg_proc p
      where p.oid = to_regprocedure(${signature}) and p.prosqlbody is null
    union select 'pg_proc'::regclass::oid, d.objid from pg_depend d join pg_extension e on d.refobjid = e.oid, pg_proc p
      where d.refclassid = 'pg_extension'::regclass and d.classid = 'pg_proc'::regclass and d.deptype = 'e' and e.extname = 'dblink'
        and p.oid = to_regprocedure(${signature}) and p.prosqlbody is null`;
};

/**
 * Returns SQL that collects what a view or function reads: relations in its rules, partitions, child tables, and parsed bodies of SQL functions. It
 * does not find queries inside texts (PL/pgSQL). A materialised view counts as a table.
 */
const reachedFrom = (start: SQL): SQL => sql`
  with recursive reached (class, id) as (
    ${start}
    union
    select found.class, found.id from reached cross join lateral (
      select d.refclassid as class, d.refobjid as id from pg_class c
        join pg_rewrite r on r.ev_class = c.oid join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        where reached.class = 'pg_class'::regclass and c.oid = reached.id and c.relkind = 'v'
      union all
      select 'pg_class'::regclass, i.inhrelid from pg_inherits i
        where reached.class = 'pg_class'::regclass and i.inhparent = reached.id
      union all
      select d.refclassid, d.refobjid from pg_depend d
        where reached.class = 'pg_proc'::regclass and d.classid = 'pg_proc'::regclass and d.objid = reached.id
    ) as found where found.class in ('pg_class'::regclass, 'pg_proc'::regclass)
  )`;

const otherServers = sql`
  exists (select from pg_extension where extname = 'citus')
    or exists (select from reached join pg_class c on c.oid = reached.id where reached.class = 'pg_class'::regclass and c.relkind = 'f')
    or exists (
      select from reached join pg_depend d on d.classid = reached.class and d.objid = reached.id and d.deptype = 'e'
        join pg_extension e on d.refclassid = 'pg_extension'::regclass and e.oid = d.refobjid
      where reached.class = 'pg_proc'::regclass and e.extname = 'dblink'
    )`;

/** Matches tables that were never analysed and exceed ten pages of 8 KiB. For smaller ones, the planner assumes ten pages anyway. */
const unanalysedTables = sql`
  exists (select from reached join pg_class c on c.oid = reached.id
    where reached.class = 'pg_class'::regclass and c.relkind in ('r', 'm') and c.reltuples < 0 and pg_relation_size(c.oid) > 81920)`;

/** Reports whether the rows may come from several servers (foreign tables, dblink, Citus). These have no common snapshot. */
export async function readsOtherServers(client: Client, { rows }: ReportTypeDefinition): Promise<boolean> {
  if (rows.kind !== "view") return false;
  const start = rows.parameters === undefined ? tableOf(rows.view) : functionOf(rows);
  const [found] = await readTextRows(client, toBoundQuery(sql`${reachedFrom(start)} select ${otherServers}`));
  return found?.[0] === "t";
}

/** Reports whether the planner can estimate the number of rows. It can't for tables of other servers and tables that were never analysed. */
export async function hasStatistics(queries: Queries, relation: string): Promise<boolean> {
  const [row] = await queries.execute<{ unknown: boolean }>(
    sql`${reachedFrom(tableOf(relation))} select ${otherServers} or ${unanalysedTables} as unknown`,
  );
  return row?.unknown === false;
}
