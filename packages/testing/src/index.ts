export { addOwnedRow, otherOwnerPrincipals, readOwnedTables } from "./databases/other-owner-principals.ts";
export { requireSessionFolderOrThrow, shareInTestRun } from "./databases/share-in-test-run.ts";
export { serveUntilTerminated, startSharedProgram } from "./databases/shared-program.ts";
export { createTestDatabases } from "./databases/test-databases.ts";
export { listChildProcesses, readMemoryBytes } from "./child-processes.ts";
export { generateDemoInventory, type DemoInventory } from "./demo-data/demo-inventory.ts";
export { createSeededRandom, type SeededRandom } from "./demo-data/seeded-random.ts";
export { attackPort, connectionAttacks } from "./faults/connection-attacks.ts";
export { createFaultProxy, type FaultProxy } from "./faults/fault-proxy.ts";
export { storageFullFault, type ProxyFault } from "./faults/proxy-fault.ts";
export { mountSmallDisk } from "./faults/small-disk.ts";
export { listGoProgramFolders } from "./go-folders.ts";
export { collectGarbage, measureReachableBytes } from "./heap.ts";
export { findProgramPath, hasCurl, isAvailableOrThrowInCi } from "./is-available-or-throw-in-ci.ts";
export { listenOnLoopback } from "./listen-on-loopback.ts";
export { startMinio, type MinioServer } from "./minio.ts";
export { makeNewReport } from "./make-new-report.ts";
export { computeExpectedIssues, computeExpectedSeverity } from "./oracles/domain-health.ts";
export { findFreePort } from "./postgres/free-port.ts";
export { freezePostgres } from "./postgres/freeze-postgres.ts";
export { applyHostileSettings } from "./postgres/apply-hostile-settings.ts";
export { hostileSettings, type SettingTreatment } from "./postgres/hostile-settings.ts";
export { installPostgresWithZones, type PostgresWithZones } from "./postgres/install-postgres-with-zones.ts";
export { isReachableByEveryUser, findPostgresOsUser } from "./postgres/postgres-os-user.ts";
export { hasH2Database, startH2Database } from "./postgres/start-h2-database.ts";
export { startPostgresShards, type PostgresShards } from "./postgres/start-postgres-shards.ts";
export { hasPgbouncer, startPgbouncer } from "./postgres/start-pgbouncer.ts";
export { startPostgres, throwAwayPostgresSettings, type PostgresServer } from "./postgres/start-postgres.ts";
export {
  canStartReplica,
  debianPostgresFolder,
  findDebianPostgres,
  startReplicatedPostgres,
  type ReplicatedPostgres,
} from "./postgres/start-replica.ts";
export { waitForBlockedSession } from "./postgres/wait-for-blocked-session.ts";
export { isFulfilled } from "./is-fulfilled.ts";
export { isProcessAlive } from "./process-alive.ts";
export { administratorDeliveryFilter } from "./administrator-delivery-filter.ts";
export { unrestrictedClaimTerms } from "./unrestricted-claim-terms.ts";
export { createTestCaseDivider, isFullTestRun } from "./divide-cases.ts";
export {
  startBalancer,
  balancerNames,
  type Balancer,
  type BalancerName,
  type BalancerUpstream,
} from "./stand/balancer.ts";
export { cloneDemoDatabase } from "./stand/demo-database.ts";
export { killOnExit, signalIfRunning } from "./stand/kill-on-exit.ts";
export { findListeningPorts } from "./stand/listening-ports.ts";
export { startStand, type Stand, type StandOptions } from "./stand/stand.ts";
export {
  checkoutFolder,
  runMigrateCommand,
  createDemoDataLoader,
  type AppName,
  type ProgramSpec,
} from "./stand/stand-programs.ts";
export type { ProcessEnvironment, StandProcessOptions, StandProcess } from "./stand/stand-process.ts";
export { buildMinioEnvironment } from "./stand/stand-store.ts";
export { createUnstartedProcess, runProcessToEnd, startProcess } from "./stand/start-process.ts";
export { signToken } from "./stand/token.ts";
export { startWebhookReceiver } from "./stand/webhook-receiver.ts";
export { readSourceStartVariables } from "./stand/source-start-variables.ts";
export { readStartScriptFlags } from "./start-flags.ts";
export { raiseProcessPriority } from "./raise-process-priority.ts";
export {
  createTestCertificateAuthority,
  hasOpenssl,
  type TestCertificateAuthority,
} from "./test-certificate-authority.ts";
export { startTraceCollector } from "./trace-collector.ts";
export { installReportTypePackages } from "./type-packages.ts";
export { waitFor } from "./wait-for.ts";
