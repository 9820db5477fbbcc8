import type { DomainError } from "@reports/core/base";
import {
  invalidRecordError,
  recordGoneError,
  recordNotFoundError,
  type CollectionDefinition,
  type CollectionRecord,
  type CollectionStore,
  type CollectionRecordKey,
  type RecordVersion,
} from "@reports/core/record";
import { and, eq, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { createCollectionPageReader } from "./collection-list.ts";
import {
  selectListOf,
  mapRecordColumns,
  revisionOf,
  type CollectionTable,
  type CollectionTableMapping,
  type UniqueConstraintRule,
} from "./collection-table.ts";
import type { Database } from "../database/database.ts";
import type { Queries } from "../database/queries.ts";
import { createTemplateBuilder, runStatementTemplate } from "./statement-template.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";
import { createRowDecoder } from "./row-decoder.ts";
import { violatedConstraintOf } from "../database/store-error.ts";

type FieldValues = Record<string, unknown>;

export function createCollectionStore<Rec extends CollectionRecord, Input extends object>(
  database: Database,
  lists: ListConnectionPool,
  definition: CollectionDefinition<Input>,
  mapping: CollectionTableMapping,
): CollectionStore<Rec, Input> {
  const { table, parent, children = [] } = mapping;
  const { fields, selected, toStored } = mapRecordColumns<Rec>(definition, table);
  const readRow = createRowDecoder(selected);
  const filters = definition.acrossParents?.filters ?? definition.filters;
  const readList = createCollectionPageReader<Rec>(mapping, filters, fields);
  const selectAnywhere = selectRecord(false);
  const selectUnderParent = selectRecord(true);
  const at = ({ id, parentId }: CollectionRecordKey): SQL | undefined => and(eq(table.id, id), under(parentId));
  const current = (place: CollectionRecordKey, version: RecordVersion): SQL | undefined =>
    and(at(place), eq(table.revision, revisionOf(version)), isNull(table.deletedAt));

  function selectRecord(withParent: boolean) {
    const { parameter, build } = createTemplateBuilder<CollectionRecordKey>();
    const id = sql`${table.id} = ${parameter((place) => place.id)}`;
    const where =
      withParent && parent !== undefined
        ? sql`${id} and ${parent.column} = ${parameter((place) => place.parentId!)}`
        : id;
    return build(sql`select ${selectListOf(selected)} from ${table} where ${where}`);
  }

  function under(parentId: string | null): SQL | undefined {
    return parent === undefined || parentId === null ? undefined : eq(parent.column, parentId);
  }

  async function writing<T>(work: (tx: Queries) => Promise<T>, values: FieldValues, id: string): Promise<T> {
    try {
      return await database.transaction(work);
    } catch (error) {
      const violated = mapping.unique.find(({ constraint }) => constraint === violatedConstraintOf(error));
      if (violated === undefined) throw error;
      const taken = await database.query((queries) => findViolatedRules(queries, mapping, values, id));
      throw valueTakenError(definition.singular, taken.length > 0 ? taken : [violated]);
    }
  }

  return {
    list: (query, signal) => lists.read(async (queries) => readList(queries, query), signal),

    find: (place) =>
      database.query(async (queries) => {
        const statement = parent === undefined || place.parentId === null ? selectAnywhere : selectUnderParent;
        const [row] = await runStatementTemplate(queries, statement, place, { prepared: true });
        return row === undefined ? null : toStored(readRow(row));
      }),

    async create({ id, parentId }, input) {
      const values: FieldValues = { ...input, id, ...(parent === undefined ? {} : { [parent.field]: parentId }) };
      return writing(
        async (tx) => {
          if (parent !== undefined) await lockParent(tx, parent, parentId!);
          const [row] = await tx.insert(table).values(values).returning(selected);
          return toStored(row!);
        },
        values,
        id,
      );
    },

    async replace(place, from, to, input) {
      const values: FieldValues = { ...input, ...(parent === undefined ? {} : { [parent.field]: place.parentId }) };
      return writing(
        async (tx) => {
          const [row] = await tx
            .update(table)
            .set({
              ...input,
              revision: revisionOf(to),
              observations: to.observations,
              configuredAt:
                to.configuration === from.configuration
                  ? sql`coalesce(${table.configuredAt}, ${table.updatedAt})`
                  : null,
              updatedAt: sql`now()`,
            })
            .where(current(place, from))
            .returning(selected);
          return row === undefined ? null : toStored(row);
        },
        values,
        place.id,
      );
    },

    remove: (place, version) =>
      database.transaction(async (tx) => {
        const removed = await makeTombstones(tx, table, current(place, version));
        if (removed === 0) return false;
        // create() locks the parent before it inserts a child. So this update finds each new child, or create() finds the parent deleted.
        for (const child of children) {
          await makeTombstones(tx, child.table, and(eq(child.column, place.id), isNull(child.table.deletedAt)));
        }
        return true;
      }),
  };
}

async function makeTombstones(tx: Queries, table: CollectionTable, where: SQL | undefined): Promise<number> {
  const rows = await tx
    .update(table)
    .set({ deletedAt: sql`now()`, updatedAt: sql`now()`, revision: sql`${table.revision} + 1` })
    .where(where)
    .returning({ id: table.id });
  return rows.length;
}

/** Locks the parent until the transaction ends, so that no other can delete it. Throws DomainError if it is unknown or deleted. */
async function lockParent(
  tx: Queries,
  parent: NonNullable<CollectionTableMapping["parent"]>,
  id: string,
): Promise<void> {
  const [row] = await tx
    .select({ deletedAt: parent.table.deletedAt })
    .from(parent.table)
    .where(eq(parent.table.id, id))
    .for("share");
  if (row === undefined) throw recordNotFoundError(parent.singular);
  if (row.deletedAt !== null) throw recordGoneError(parent.singular);
}

/** Returns every unique rule that the values violate. The error from Postgres names only the first one. */
async function findViolatedRules(
  queries: Queries,
  { table, unique }: CollectionTableMapping,
  values: FieldValues,
  id: string,
): Promise<UniqueConstraintRule[]> {
  const columns = table as unknown as Readonly<Record<string, AnyPgColumn>>;
  const taken: UniqueConstraintRule[] = [];
  for (const rule of unique) {
    const same = rule.fields.map((field) => eq(columns[field]!, values[field]));
    const others = await queries.$count(table, and(...same, isNull(table.deletedAt), ne(table.id, id)));
    if (others > 0) taken.push(rule);
  }
  return taken;
}

function valueTakenError(singular: string, rules: readonly UniqueConstraintRule[]): DomainError {
  return invalidRecordError(
    singular,
    rules.flatMap(({ pointers, message }) => pointers.map((pointer) => ({ pointer, code: "taken", message }))),
  );
}
