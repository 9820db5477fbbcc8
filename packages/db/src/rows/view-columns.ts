import { toParameterSqlType, type ViewRows } from "@reports/core/report";
import type { Client } from "pg";
import { readTextRows } from "../database/pg-connection.ts";
import { splitViewName } from "../relations/view-relation.ts";

export interface PgCatalogColumn {
  readonly type: string;
  readonly isText: boolean;
  readonly isTextArray: boolean;
  readonly readable: boolean;
}

/** Returns a function's name with its argument types, as GRANT takes it: `shop.orders(date,integer)`. */
export function sqlFunctionSignatureOf({ view, parameters = [] }: Pick<ViewRows, "view" | "parameters">): string {
  return `${view}(${parameters.map(toParameterSqlType).join(",")})`;
}

export async function findViewColumns(
  client: Client,
  rows: Pick<ViewRows, "view" | "parameters">,
): Promise<ReadonlyMap<string, PgCatalogColumn> | null> {
  const { schema, name } = splitViewName(rows.view);
  const found = await readTextRows(
    client,
    rows.parameters === undefined
      ? { text: columnsOfView, values: [name, schema ?? ""] }
      : { text: columnsOfFunction, values: [name, schema ?? "", rows.parameters.map(toParameterSqlType).join(",")] },
  );
  if (found.length === 0) return null;
  return new Map(
    found.map(([column, type, isText, isTextArray, readable]) => [
      column!,
      { type: type!, isText: isText === "t", isTextArray: isTextArray === "t", readable: readable === "t" },
    ]),
  );
}

const facts = `format_type(a.atttypid, a.atttypmod), t.typcategory in ('S', 'E'), t.typcategory = 'A' and e.typcategory in ('S', 'E')`;
const types = "join pg_type t on t.oid = a.atttypid left join pg_type e on e.oid = t.typelem";

const columnsOfView = `
  select a.attname, ${facts}, has_column_privilege(c.oid, a.attnum, 'select')
  from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ${types}
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname = $1
    and case when $2 = '' then pg_table_is_visible(c.oid) else n.nspname = $2 end
    and has_schema_privilege(n.oid, 'usage')`;

const columnsOfFunction = `
  select a.attname, ${facts}, has_function_privilege(p.oid, 'execute')
  from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    cross join lateral (
      select attname, atttypid, -1 as atttypmod
        from unnest(p.proargnames, p.proallargtypes, p.proargmodes) as output (attname, atttypid, mode) where mode in ('o', 'b', 't')
      union all
      select attname, atttypid, atttypmod from pg_type r join pg_attribute on attrelid = r.typrelid
        where r.oid = p.prorettype and attnum > 0 and not attisdropped
    ) a
    ${types}
  where p.prokind = 'f' and p.proretset and p.proname = $1
    and case when $2 = '' then pg_function_is_visible(p.oid) else n.nspname = $2 end
    and has_schema_privilege(n.oid, 'usage')
    and array(select type::oid from unnest(p.proargtypes) with ordinality as argument (type, at) order by at)
      = array(select type::regtype::oid from unnest(string_to_array(nullif($3, ''), ',')) with ordinality as given (type, at) order by at)`;
