export { copyInventory, type CopyInventoryOptions, type InventoryCounts } from "./inventory/copy-inventory.ts";
export { createCollectionStore } from "./collections/collection-store.ts";
export type { CollectionTable, TableMapping, UniqueRule } from "./collections/collection-table.ts";
export { createRoles, databaseRoles } from "./migrations/create-roles.ts";
export { createDatabase, type Database, type DatabaseOptions } from "./database/database.ts";
export type { Queries } from "./database/queries.ts";
export { createListDatabase, type ListDatabase } from "./database/list-database.ts";
export {
  createInventoryStore,
  type DomainKey,
  type InventoryStore,
  type ProxyKey,
} from "./inventory/inventory-store.ts";
export { createLoginThrottle, removeStaleWindows } from "./reports/limit-store.ts";
export {
  checkMigrations,
  migrateDatabase,
  waitForMigrations,
  type MigrateOptions,
  type MigrationState,
} from "./migrations/migrate-database.ts";
export { readLaneLoads, readOldestSnapshot } from "./queue/queue.ts";
export { defaultQueueSchema, laneSchema } from "./queue/queue-schema.ts";
export { createRescuer } from "./reports/rescuer.ts";
export { waitUntilWritable } from "./database/wait-until-writable.ts";
export { createWorkerRegistry } from "./queue/worker-registry.ts";
export { createReportChanges, type ReportChangeOptions } from "./reports/notifications.ts";
export { createQueuePool } from "./queue/queue-pool.ts";
export { createReportSource, type ReportSourceOptions } from "./rows/report-source.ts";
export { readRowsStatement } from "./rows/rows-statement.ts";
export { hasSharedSessions, sharedSessionsProblem } from "./database/shared-sessions.ts";
export { createDomainStore, createProxyStore } from "./collections/register-stores.ts";
export { column, type Relation } from "./relations/relation.ts";
export { createRequesterCheck } from "./users/requester-check.ts";
export { createReportLists } from "./reports/report-list.ts";
export { createReportStore } from "./reports/report-store.ts";
export { createStoreMarkerRecord } from "./reports/store-marker-record.ts";
export { createUserStore, type UserRecord, type UserStore } from "./users/user-store.ts";
export { createTurns, type Turns } from "./queue/turns.ts";
export { createRetentionStore } from "./reports/retention-store.ts";
export { createFileIndex } from "./reports/file-index.ts";
export { createFileSuspicions, createFileVerification } from "./reports/file-verification.ts";
export { createFileRemovals } from "./reports/file-removals.ts";
export { readReconcilerState, type ReconcilerState } from "./reports/reconciler-log.ts";
export { createRowEstimate, type EstimateRows } from "./rows/row-estimate.ts";
