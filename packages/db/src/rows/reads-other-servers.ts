import type { ReportTypeDefinition, ViewRows } from "@reports/core/report";
import { sql, type SQL } from "drizzle-orm";
import type { Client } from "pg";
import { readTexts } from "../database/pg-connection.ts";
import type { Queries } from "../database/queries.ts";
import { toBoundQuery } from "./report-query.ts";
import { signatureOf } from "./view-columns.ts";

const tableOf = (view: string): SQL => sql`select 'pg_class'::regclass::oid, to_regclass(${view})::oid`;

/** SQL that finds a function. If its body is a text, it could read every foreign table of the database, so these are found too. */
const functionOf = (rows: ViewRows): SQL => {
  const signature = signatureOf(rows);
  return sql`
    select 'pg_proc'::regclass::oid, to_regprocedure(${signature})::oid
    union select 'pg_class'::regclass::oid, f.ftrelid from pg_foreign_table f, pg_proc p
      where p.oid = to_regprocedure(${signature}) and p.prosqlbody is null
    union select 'pg_proc'::regclass::oid, d.objid from pg_depend d join pg_extension e on d.refobjid = e.oid, pg_proc p
      where d.refclassid = 'pg_extension'::regclass and d.classid = 'pg_proc'::regclass and d.deptype = 'e' and e.extname = 'dblink'
        and p.oid = to_regprocedure(${signature}) and p.prosqlbody is null`;
};

/** SQL that collects all that a view or function reads: relations in its rules, partitions, child tables and parsed bodies of SQL functions. A materialised view counts as a table. Other queries in texts (PL/pgSQL) are not found. */
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

/** SQL that finds tables that were never analysed. Tables of up to ten pages (of 8 KiB) are left out, because the planner assumes ten pages anyway. */
const unanalysedTables = sql`
  exists (select from reached join pg_class c on c.oid = reached.id
    where reached.class = 'pg_class'::regclass and c.relkind in ('r', 'm') and c.reltuples < 0 and pg_relation_size(c.oid) > 81920)`;

/** Reports whether rows come from several servers (foreign tables, dblink, Citus), which read at different moments. */
export async function readsOtherServers(client: Client, { rows }: ReportTypeDefinition): Promise<boolean> {
  if (rows.kind !== "view") return false;
  const start = rows.parameters === undefined ? tableOf(rows.view) : functionOf(rows);
  const [found] = await readTexts(client, toBoundQuery(sql`${reachedFrom(start)} select ${otherServers}`));
  return found?.[0] === "t";
}

/** Reports whether this planner can estimate the number of rows. It cannot for tables of other servers and for tables that were never analysed. */
export async function hasStatistics(queries: Queries, relation: string): Promise<boolean> {
  const [row] = await queries.execute<{ unknown: boolean }>(
    sql`${reachedFrom(tableOf(relation))} select ${otherServers} or ${unanalysedTables} as unknown`,
  );
  return row?.unknown === false;
}
