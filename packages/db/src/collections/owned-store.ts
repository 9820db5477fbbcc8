import { isUnchangedBy } from "@reports/core/base";
import type { CollectionPage, CollectionQuery, Filter } from "@reports/core/query";
import { and, eq, getTableColumns, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn, PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "../database/database.ts";
import { prepareStatement } from "../database/prepare-statement.ts";
import type { Queries } from "../database/queries.ts";
import { readListPage } from "../relations/list-page.ts";
import type { PageSubquery } from "../relations/page-subquery.ts";
import { selectFieldColumns, createTableRelation } from "../relations/table-relation.ts";

export type OwnedTable = PgTable & {
  readonly id: AnyPgColumn;
  readonly owner: AnyPgColumn;
  readonly revision: AnyPgColumn;
  readonly updatedAt: AnyPgColumn;
  readonly deletedAt: AnyPgColumn;
};

export interface OwnedTableMapping<
  Table extends OwnedTable & { readonly $inferSelect: Row },
  Row,
  Rec extends Row,
  Written extends string,
  Others extends string,
> {
  readonly table: Table;
  readonly columns: { readonly [Field in keyof Row]: PgColumn };
  /** Fields that a change may write. A change ignores all other fields. */
  readonly written: readonly Written[];
  readonly others: readonly Others[];
  readonly filters: readonly Filter[];
  attach(queries: Queries, rows: readonly Row[]): readonly Rec[] | Promise<readonly Rec[]>;
}

/**
 * A limit on the number of active records that match `where`. Every writer first acquires the advisory lock named `lock`. So no concurrent write
 * changes the number.
 */
export interface RecordCountLimit<Code extends string = string> {
  readonly code: Code;
  readonly most: number;
  readonly lock: string;
  readonly where: SQL | undefined;
}

export interface OwnedRecordChange<
  Table extends OwnedTable,
  Rec,
  Written extends keyof Rec,
  Others extends keyof Table["$inferSelect"],
  Code extends string,
> {
  /** New values of fields. If none differs from the stored value, the revision stays the same. */
  readonly fields: Readonly<Partial<Pick<Rec, Written>>>;
  /** Columns that are written even if no field differs: derived columns, and columns that callers don't see. */
  readonly others?: {
    readonly [Column in Others]?: Table["$inferSelect"][Column] | SQL;
  };
  readonly limits?: readonly RecordCountLimit<Code>[];
  /** Runs in the change's transaction before the update, and only if a field differs from its stored value. */
  before?(tx: Queries): Promise<unknown>;
}

/** A table with owners, tombstones and revisions. Every method rejects with StoreUnavailableError if Postgres is unavailable. */
export interface OwnedStore<
  Table extends OwnedTable,
  Rec,
  Written extends keyof Rec,
  Others extends keyof Table["$inferSelect"],
> {
  find(id: string): Promise<Rec | null>;
  /** Stores a record and returns it. If a limit is reached, stores nothing and returns the limit's code. `now` is Postgres's time. */
  create<Code extends string>(
    limits: readonly RecordCountLimit<Code>[],
    valuesAt: (now: Date) => Table["$inferInsert"],
  ): Promise<Rec | Code>;
  /**
   * Returns the changed record, or the stored one if `decide` returns null. Returns null if no active record has the ID, or a reached limit's code.
   */
  change<Code extends string>(
    id: string,
    decide: (stored: Rec, now: Date) => OwnedRecordChange<Table, Rec, Written, Others, Code> | null,
  ): Promise<Rec | Code | null>;
  remove(id: string, precondition: (stored: Rec) => void): Promise<void>;
  lock(tx: Queries, id: string): Promise<Rec | null>;
}

const takeAdvisoryLock = prepareStatement(
  sql`select pg_advisory_xact_lock(hashtextextended(${sql.placeholder("name")}::text, 0))`,
);

export function createOwnedStore<
  Table extends OwnedTable & { readonly $inferSelect: Row },
  Row extends object,
  Rec extends Row,
  Written extends keyof Rec & string,
  Others extends keyof Table["$inferSelect"] & string,
>(
  database: Database,
  { table, columns, written, attach }: OwnedTableMapping<Table, Row, Rec, Written, Others>,
): OwnedStore<Table, Rec, Written, Others> {
  const from: PgTable = table;
  const selected: Readonly<Record<string, PgColumn>> = columns;
  const revised = { revision: sql`${table.revision} + 1`, updatedAt: sql`now()` };
  const rowOf = (id: string): SQL => eq(table.id, id);
  const activeRow = (id: string): SQL | undefined => and(rowOf(id), isNull(table.deletedAt));

  async function complete(queries: Queries, rows: readonly object[]): Promise<Rec | null> {
    const [record] = await attach(queries, rows as readonly Row[]);
    return record ?? null;
  }

  async function lock(tx: Queries, id: string): Promise<Rec | null> {
    return complete(tx, await tx.select(selected).from(from).where(activeRow(id)).for("update"));
  }

  async function update(tx: Queries, id: string, values: object): Promise<Rec> {
    return (await complete(tx, await tx.update(from).set(values).where(rowOf(id)).returning(selected)))!;
  }

  async function findReached<Code extends string>(
    tx: Queries,
    limits: readonly RecordCountLimit<Code>[],
    except?: string,
  ): Promise<Code | null> {
    for (const { code, most, lock: name, where } of limits) {
      await takeAdvisoryLock(tx, { name });
      const others = except === undefined ? undefined : ne(table.id, except);
      if ((await tx.$count(from, and(where, isNull(table.deletedAt), others))) >= most) return code;
    }
    return null;
  }

  return {
    lock,
    find: (id) =>
      database.query(async (queries) => complete(queries, await queries.select(selected).from(from).where(rowOf(id)))),
    create: (limits, valuesAt) =>
      database.transaction(async (tx) => {
        const reached = await findReached(tx, limits);
        if (reached !== null) return reached;
        const values = valuesAt(await readClock(tx));
        return (await complete(tx, await tx.insert(from).values(values).returning(selected)))!;
      }),
    change: (id, decide) =>
      database.transaction(async (tx) => {
        const stored = await lock(tx, id);
        if (stored === null) return null;
        const wanted = decide(stored, await readClock(tx));
        if (wanted === null) return stored;
        const { fields: given, others = {}, limits = [], before } = wanted;
        const fields = Object.fromEntries(
          Object.entries(given).filter(([name]) => written.some((each) => each === name)),
        );
        const isRevised = !isUnchangedBy(stored, fields);
        if (isRevised) {
          const reached = await findReached(tx, limits, id);
          if (reached !== null) return reached;
          await before?.(tx);
        }
        const values = { ...(isRevised ? { ...fields, ...revised } : {}), ...others };
        return Object.keys(values).length === 0 ? stored : update(tx, id, values);
      }),
    remove: (id, precondition) =>
      database.transaction(async (tx) => {
        const stored = await lock(tx, id);
        if (stored === null) return;
        precondition(stored);
        await update(tx, id, { deletedAt: sql`now()`, ...revised });
      }),
  };
}

export async function listOwnedRecords<
  Table extends OwnedTable & { readonly $inferSelect: Row },
  Row extends object,
  Rec extends Row,
>(
  queries: Queries,
  { table, columns, filters, attach }: OwnedTableMapping<Table, Row, Rec, string, string>,
  { owner, ...query }: CollectionQuery & { readonly owner: string | null },
): Promise<CollectionPage<Rec>> {
  const selected: Readonly<Record<string, PgColumn>> = columns;
  const source = {
    relation: createTableRelation(table, selected),
    filters,
    within: owner === null ? undefined : eq(table.owner, owner),
    rows: async ({ page, id, orderBy, keyset }: PageSubquery) =>
      queries
        .select({ row: selected, keyset })
        .from(table as PgTable)
        .innerJoin(page, eq(table.id, id))
        .orderBy(orderBy),
  };
  const page = await readListPage(queries, source, query);
  return { ...page, items: await attach(queries, page.items as unknown as readonly Row[]) };
}

export function updatableColumnNames({
  table,
  written,
  others,
}: Pick<
  OwnedTableMapping<OwnedTable, unknown, unknown, string, string>,
  "table" | "written" | "others"
>): readonly string[] {
  const updated = Object.values(
    selectFieldColumns(table, [...written, ...others, "revision", "updatedAt", "deletedAt"]),
  );
  return Object.values(getTableColumns(table))
    .filter((column) => updated.includes(column))
    .map(({ name }) => name);
}

async function readClock(tx: Queries): Promise<Date> {
  const [row] = await tx.execute<{ now: string }>(sql`select clock_timestamp()::text as now`);
  return new Date(row!.now);
}
