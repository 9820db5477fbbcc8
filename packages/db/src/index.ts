export { createDatabase, type Database } from "./database/database.ts";
export { createDatabaseClock } from "./database/database-clock.ts";
export { createListConnectionPool, type ListConnectionPool } from "./database/list-connection-pool.ts";
export { databaseConnectionFunctions } from "./database-connection-functions.ts";
export { findSourcesSharingSessions, sharedSessionsProblem } from "./database/shared-sessions.ts";
export { createWriteCheck } from "./database/write-probe.ts";
export { waitUntilWritable } from "./database/wait-until-writable.ts";

export { assertRoleRights } from "./migrations/role-rights.ts";
export { createDatabaseRoles, databaseRoles } from "./migrations/roles.ts";
export { readMigrationState } from "./migrations/database-version.ts";
export { migrateDatabase } from "./migrations/migrate-database.ts";

export { createAttemptDatabase, createAttemptStore } from "./reports/attempt-store.ts";
export { createReportChangeNotifier } from "./reports/report-change-notifier.ts";
export { createReconciliationStore } from "./reports/reconciliation-store.ts";
export { createFileRemovals } from "./reports/file-removals.ts";
export { createSuspiciousFileRecorder, createFileVerificationStore } from "./reports/file-verification.ts";
export { createDownloadLinkThrottle, createLoginThrottle, removeStaleRateWindows } from "./reports/limit-store.ts";
export { readRequeuedCounts } from "./reports/requeues.ts";
export { createReportChangeFeed, type ReportChangeFeedOptions } from "./reports/notifications.ts";
export { readReconcilerState } from "./reports/reconciler-log.ts";
export { createDownloadLinkStore } from "./reports/link-store.ts";
export { createReportLists } from "./reports/report-list.ts";
export { createReportStore } from "./reports/report-store.ts";
export { createLostAttemptRescuer } from "./reports/rescuer.ts";
export { createRetentionStore } from "./reports/retention-store.ts";
export { createStoreIdRepository } from "./reports/store-id-record.ts";

export { createDueScheduleStore } from "./schedules/due-schedule-store.ts";
export { createScheduleReader } from "./schedules/schedule-reader.ts";
export { createScheduleStore } from "./schedules/schedule-store.ts";

export { findUnusableReportTypes, compareReportViews } from "./rows/find-unusable-report-types.ts";
export { findRelationProblems } from "./rows/relation-problems.ts";
export { createReportPreviewReader } from "./rows/report-preview-reader.ts";
export { createRowSourceReader } from "./rows/report-source.ts";
export { openQueryPlanReader } from "./rows/read-plans.ts";
export { createRowEstimator, type RowEstimator } from "./rows/row-estimator.ts";
export { createSourceDatabases, type SourceDatabases } from "./rows/source-databases.ts";
export { renderRowsQuerySql } from "./rows/rows-statement.ts";

export { createOwnedCollectionStores, ownedCollections } from "./collections/owned-collections.ts";
export { createInventoryCollections } from "./collections/inventory-collections.ts";

export { copyIntoInventory, type InventoryCounts } from "./inventory/copy-into-inventory.ts";
export {
  createInventoryKeyReader,
  type DomainKey,
  type InventoryKeyReader,
  type ProxyKey,
} from "./inventory/inventory-key-reader.ts";

export { createQueuePool } from "./queue/queue-pool.ts";
export { defaultQueueSchema, laneSchemaName } from "./queue/queue-schema.ts";
export { assertQueueUsable } from "./queue/queue-object-versions.ts";
export { readLaneLoads, readOldestDbSnapshotAgeMs, readServedTypeVersions, readRunningWorkers } from "./queue/queue.ts";
export { createPeriodicTaskLocks, type PeriodicTaskLocks } from "./queue/periodic-task-locks.ts";
export { createWorkerRegistry } from "./queue/worker-registry.ts";

export { createDeliveryQueue, readWebhookCounts } from "./webhooks/delivery-queue.ts";
export { createSealedSecretStore } from "./webhooks/sealed-secret-store.ts";
export { pauseUnreadableWebhooks } from "./webhooks/unreadable-webhooks.ts";
export { createWebhookLists } from "./webhooks/webhook-lists.ts";
export { createWebhookStore } from "./webhooks/webhook-store.ts";

export { createUserStore, type UserStore } from "./users/user-store.ts";
