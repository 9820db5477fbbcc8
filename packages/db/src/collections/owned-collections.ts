import {
  storedFieldNames,
  type Fields,
  type OwnedCollectionDefinition,
  type StoredOwnedRecord,
  type OwnedRecordStore,
  type RecordOf,
} from "@reports/core/record";
import { eq } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { ListConnectionPool } from "../database/list-connection-pool.ts";
import { selectFieldColumns } from "../relations/table-relation.ts";
import { createOwnedStore, listOwnedRecords, type OwnedTableMapping, type OwnedTable } from "./owned-store.ts";

type AnyOwnedTable = OwnedTable & { readonly $inferSelect: StoredOwnedRecord };
type AnyOwnedMapping = OwnedTableMapping<AnyOwnedTable, StoredOwnedRecord, StoredOwnedRecord, string, never>;

export interface OwnedCollectionEntry {
  readonly definition: OwnedCollectionDefinition;
  readonly table: OwnedTable;
}

/** Collections whose records have owners. Webhooks and schedules have their own stores and are not included. */
export const ownedCollections: readonly OwnedCollectionEntry[] = [];

export function declareOwnedCollection<F extends Fields>(
  definition: OwnedCollectionDefinition<F>,
  table: OwnedTable & { readonly $inferSelect: RecordOf<F> },
): OwnedCollectionEntry {
  return { definition, table };
}

export function toOwnedTableMapping({ definition, table }: OwnedCollectionEntry): AnyOwnedMapping {
  const { record, filters } = definition;
  return {
    table: table as AnyOwnedTable,
    columns: selectFieldColumns(table, [
      ...storedFieldNames(record),
      "revision",
      "deletedAt",
    ]) as AnyOwnedMapping["columns"],
    written: record.rules.fields,
    others: [],
    filters,
    attach: (_, rows) => rows,
  };
}

export interface OwnedCollectionWithStore {
  readonly definition: OwnedCollectionDefinition;
  readonly store: OwnedRecordStore;
}

export function createOwnedCollectionStores(
  database: Database,
  lists: ListConnectionPool,
  entries = ownedCollections,
): readonly OwnedCollectionWithStore[] {
  return entries.map((entry) => {
    const { name, mostPerOwner: most } = entry.definition;
    const mapping = toOwnedTableMapping(entry);
    const rows = createOwnedStore(database, mapping);
    return {
      definition: entry.definition,
      store: {
        find: rows.find,
        remove: rows.remove,
        list: (query, signal) => lists.read(async (queries) => listOwnedRecords(queries, mapping, query), signal),
        async create(key, input) {
          const limit = {
            code: "full",
            most,
            lock: `${name}:${key.owner}`,
            where: eq(entry.table.owner, key.owner),
          } as const;
          const created = await rows.create([limit], () => ({ ...input, ...key }));
          return created === "full" ? null : created;
        },
        change: (id, inputOf) => rows.change<never>(id, (stored) => ({ fields: inputOf(stored) })),
      },
    };
  });
}
