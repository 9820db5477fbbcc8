export { copyInventory, type CopyInventoryOptions, type InventoryCounts } from "./copy-inventory.ts";
export { createCollectionStore } from "./collection-store.ts";
export type { CollectionTable, TableMapping, UniqueRule } from "./collection-table.ts";
export { createRoles, databaseRoles } from "./create-roles.ts";
export { createDatabase, type Database, type DatabaseOptions, type Queries } from "./database.ts";
export { createListDatabase, type ListDatabase } from "./list-database.ts";
export { createInventoryStore, type DomainKey, type InventoryStore, type ProxyKey } from "./inventory-store.ts";
export { createLoginThrottle, removeStaleWindows } from "./limit-store.ts";
export {
  checkMigrations,
  migrateDatabase,
  waitForMigrations,
  type MigrateOptions,
  type MigrationState,
} from "./migrate-database.ts";
export { readLaneLoads, readOldestSnapshot } from "./queue.ts";
export { defaultQueueSchema, laneSchema } from "./queue-schema.ts";
export { createRescuer } from "./rescuer.ts";
export { waitUntilWritable } from "./wait-until-writable.ts";
export { createWorkerRegistry } from "./worker-registry.ts";
export { createReportChanges, type ReportChangeOptions } from "./notifications.ts";
export { createQueuePool } from "./queue-pool.ts";
export { createReportSource, type ReportSourceOptions } from "./report-source.ts";
export { readRowsStatement } from "./rows-statement.ts";
export { hasSharedSessions, sharedSessionsProblem } from "./shared-sessions.ts";
export { createDomainStore, createProxyStore } from "./register-stores.ts";
export { column, type Relation } from "./relations/relation.ts";
export { createRequesterCheck } from "./requester-check.ts";
export { createReportLists } from "./report-list.ts";
export { createReportStore } from "./report-store.ts";
export { createStoreMarkerRecord } from "./store-marker-record.ts";
export { createUserStore, type UserRecord, type UserStore } from "./user-store.ts";
export { createTurns, type Turns } from "./turns.ts";
export { createRetentionStore } from "./retention-store.ts";
export { createFileIndex } from "./file-index.ts";
export { createFileSuspicions, createFileVerification } from "./file-verification.ts";
export { createFileRemovals } from "./file-removals.ts";
export { readReconcilerState, type ReconcilerState } from "./reconciler-log.ts";
export { createRowEstimate, type EstimateRows } from "./row-estimate.ts";
