export { createDatabase, type Database } from "./database/database.ts";
export { createDatabaseClock } from "./database/database-clock.ts";
export { createListDatabase, type ListDatabase } from "./database/list-database.ts";
export { databaseServers } from "./database-servers.ts";
export { findSharedSources, sharedSessionsProblem } from "./database/shared-sessions.ts";
export { createWriteProbe } from "./database/write-probe.ts";
export { waitUntilWritable } from "./database/wait-until-writable.ts";

export { checkRights } from "./migrations/check-rights.ts";
export { createRoles, databaseRoles } from "./migrations/roles.ts";
export { checkMigrations } from "./migrations/database-version.ts";
export { migrateDatabase } from "./migrations/migrate-database.ts";

export { createAttemptDatabase, createAttemptStore } from "./reports/attempt-store.ts";
export { createChangeBatches } from "./reports/change-batches.ts";
export { createReconciliationStore } from "./reports/reconciliation-store.ts";
export { createFileRemovals } from "./reports/file-removals.ts";
export { createFileSuspicions, createFileVerification } from "./reports/file-verification.ts";
export { createLinkThrottle, createLoginThrottle, removeStaleWindows } from "./reports/limit-store.ts";
export { readRequeuedCounts } from "./reports/requeues.ts";
export { createReportChangeSource, type ReportChangeOptions } from "./reports/notifications.ts";
export { readReconcilerState } from "./reports/reconciler-log.ts";
export { createDownloadLinkStore } from "./reports/link-store.ts";
export { createReportLists } from "./reports/report-list.ts";
export { createReportStore } from "./reports/report-store.ts";
export { createRescuer } from "./reports/rescuer.ts";
export { createRetentionStore } from "./reports/retention-store.ts";
export { createStoreIdRecord } from "./reports/store-id-record.ts";

export { createDueScheduleStore } from "./schedules/due-schedule-store.ts";
export { createScheduleReader } from "./schedules/schedule-reader.ts";
export { createScheduleStore } from "./schedules/schedule-store.ts";

export { checkReportViews, compareReportViews } from "./rows/check-report-views.ts";
export { findRelationProblems } from "./rows/relation-problems.ts";
export { createReportPreviewReader } from "./rows/report-preview-reader.ts";
export { createReportSource } from "./rows/report-source.ts";
export { openPlanReader } from "./rows/read-plans.ts";
export { createRowSizes, type RowSizes } from "./rows/row-sizes.ts";
export { createSourceDatabases, type SourceDatabases } from "./rows/source-databases.ts";
export { readRowsStatement } from "./rows/rows-statement.ts";

export { createOwnedCollectionStores, ownedCollections } from "./collections/owned-collections.ts";
export { createInventoryCollections } from "./collections/inventory-collections.ts";

export { copyInventory, type InventoryCounts } from "./inventory/copy-inventory.ts";
export {
  createInventoryStore,
  type DomainKey,
  type InventoryStore,
  type ProxyKey,
} from "./inventory/inventory-store.ts";

export { createQueuePool } from "./queue/queue-pool.ts";
export { defaultQueueSchema, laneSchema } from "./queue/queue-schema.ts";
export { checkQueue } from "./queue/queue-state.ts";
export { readLaneLoads, readOldestSnapshot, readServedTypes, readWorkers } from "./queue/queue.ts";
export { createPeriodicLeases, type PeriodicLeases } from "./queue/periodic-leases.ts";
export { createWorkerRegistry } from "./queue/worker-registry.ts";

export { createDeliveryQueue, readWebhookCounts } from "./webhooks/delivery-queue.ts";
export { createSealedSecretStore } from "./webhooks/sealed-secret-store.ts";
export { pauseUnreadableWebhooks } from "./webhooks/unreadable-webhooks.ts";
export { createWebhookLists } from "./webhooks/webhook-lists.ts";
export { createWebhookStore } from "./webhooks/webhook-store.ts";

export { createUserStore, type UserStore } from "./users/user-store.ts";
