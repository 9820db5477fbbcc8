import { addAbortListener, once } from "node:events";
import { DomainError } from "@reports/core/base";
import type { Domain, Proxy } from "@reports/core/inventory";
import { getTableColumns, getTableName } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { connectPgClient, destroySocket, readTextRows } from "../database/pg-connection.ts";
import { domains } from "../schema/domains.ts";
import { proxies } from "../schema/proxies.ts";
import { mapDatabaseError, violatedConstraintOf } from "../database/store-error.ts";

export interface CopyIntoInventoryOptions {
  readonly databaseUrl: string;
  readonly proxies: Iterable<Proxy> | AsyncIterable<Proxy>;
  readonly domains: Iterable<Domain> | AsyncIterable<Domain>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (copied: InventoryCounts) => void;
}

export interface InventoryCounts {
  readonly proxies: number;
  readonly domains: number;
}

/**
 * Loads proxies, then domains, in one transaction. Rejects with DomainError("invalid"), whose issue has the code `taken` for an existing record and
 * `rule` for a violated constraint.
 */
export async function copyIntoInventory(options: CopyIntoInventoryOptions): Promise<InventoryCounts> {
  const client = await connectPgClient(
    { url: options.databaseUrl, database: "service", connectTimeoutMs: 5_000, applicationName: "reports-load" },
    options.signal ?? null,
  );
  using _ = options.signal && addAbortListener(options.signal, () => destroySocket(client));
  const copied = { proxies: 0, domains: 0 };
  const report = (counts: Partial<InventoryCounts>): void => {
    Object.assign(copied, counts);
    options.onProgress?.({ ...copied });
  };
  try {
    await client.query("begin");
    const indexes = await dropIndexesOfEmptyTables(client);
    await copyTable(client, proxies, options.proxies, (rows) => report({ proxies: rows }));
    await copyTable(client, domains, options.domains, (rows) => report({ domains: rows }));
    for (const create of indexes) await client.query(create);
    await client.query("commit");
    // Without statistics, Postgres would choose slow plans for the first reports after a load.
    await client.query("analyze proxies, domains");
    await client.end();
    return copied;
  } catch (error) {
    destroySocket(client);
    options.signal?.throwIfAborted();
    throw mapInventoryError(error);
  }
}

/** Drops indexes and foreign keys of an empty inventory, because building them later is cheaper. Returns the statements that restore them. */
async function dropIndexesOfEmptyTables(client: Client): Promise<string[]> {
  const [state] = await readTextRows(client, {
    text: `select not exists (select from proxies) and not exists (select from domains)
      and (select bool_and(pg_has_role(relowner, 'USAGE')) from pg_class where oid in ('proxies'::regclass, 'domains'::regclass))`,
    values: [],
  });
  if (state![0] !== "t") return [];
  const found = await readTextRows(client, {
    text: `select pg_get_indexdef(indexrelid), 'drop index ' || indexrelid::regclass from pg_index
        where indrelid = 'domains'::regclass and not exists (select from pg_constraint where conindid = indexrelid)
      union all
      select format('alter table domains add constraint %I %s', conname, pg_get_constraintdef(oid)),
        format('alter table domains drop constraint %I', conname)
        from pg_constraint where conrelid = 'domains'::regclass and contype = 'f'`,
    values: [],
  });
  await client.query("set local maintenance_work_mem = '256MB'");
  for (const [, drop] of found) await client.query(drop!);
  return found.map(([create]) => create!);
}

async function copyTable<Row extends object>(
  client: Client,
  table: PgTable,
  rows: Iterable<Row> | AsyncIterable<Row>,
  onProgress: (rows: number) => void,
): Promise<void> {
  const columns = Object.entries(getTableColumns(table)).filter(([key]) => !columnsSetByTable.has(key));
  const keys = columns.map(([key]) => key as keyof Row);
  const names = columns.map(([, { name }]) => `"${name}"`).join(", ");
  const target = client.query(copyFrom(`copy ${getTableName(table)} (${names}) from stdin`));
  const failed = once(target, "error").then(([error]) => Promise.reject(error as Error));
  failed.catch(() => undefined);
  let count = 0;
  let batch = "";
  for await (const row of rows) {
    let line = "";
    for (const key of keys) line += `${line === "" ? "" : "\t"}${toCopyText(row[key] as CopyValue)}`;
    batch += `${line}\n`;
    count += 1;
    if (batch.length < batchLength) continue;
    if (!target.write(batch)) await Promise.race([once(target, "drain"), failed]);
    batch = "";
    onProgress(count);
  }
  target.end(batch);
  await Promise.race([once(target, "finish"), failed]);
  onProgress(count);
}

const columnsSetByTable: ReadonlySet<string> = new Set(["configuredAt", "deletedAt", "observations", "revision"]);
const batchLength = 256 * 1024;

type CopyValue = string | number | boolean | Date | readonly string[] | null | undefined;

function toCopyText(value: CopyValue): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value === "string") return escapeCopy(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") {
    return escapeCopy(`{${value.map((item) => `"${item.replace(/[\\"]/g, "\\$&")}"`).join(",")}}`);
  }
  return String(value);
}

const escapeSequences: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeCopy(text: string): string {
  return /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapeSequences[character]!) : text;
}

function mapInventoryError(error: unknown): unknown {
  const constraint = violatedConstraintOf(error);
  if (constraint === undefined) return mapDatabaseError(error);
  const { detail, where } = error as { detail?: string; where?: string };
  const code = /_(unique|pkey)$/.test(constraint) ? "taken" : "rule";
  const said = [detail, where].filter((text) => text !== undefined && text !== "").join(" ");
  const message = `Nothing was loaded: a record breaks ${constraint}. ${said}`;
  return new DomainError("invalid", "invalid-record", message, { issues: [{ code, message }], cause: error });
}
