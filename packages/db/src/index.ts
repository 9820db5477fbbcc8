export { copyInventory, type CopyInventoryOptions, type InventoryCounts } from "./copy-inventory.ts";
export { createCollectionStore } from "./collection-store.ts";
export type { CollectionTable, TableMapping, UniqueRule } from "./collection-table.ts";
export { createDatabase, type Database, type DatabaseOptions, type Queries } from "./database.ts";
export { createInventoryStore, type DomainKey, type InventoryStore, type ProxyKey } from "./inventory-store.ts";
export {
  checkMigrations,
  migrateDatabase,
  waitForMigrations,
  type MigrateOptions,
  type MigrationState,
} from "./migrate-database.ts";
export { forceUnlockWorkers, readQueueState, type QueueState } from "./queue.ts";
export { createReportSource, type ReportSourceOptions } from "./report-source.ts";
export { createDomainStore, createProxyStore } from "./register-stores.ts";
export { column, type Relation } from "./relations/relation.ts";
export { createReportStore } from "./report-store.ts";
export { createUserStore, type UserRecord, type UserStore } from "./user-store.ts";
