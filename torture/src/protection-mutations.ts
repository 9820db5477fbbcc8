import type { SourceEdit } from "./processes/rewrite-sources-on-load.ts";

/**
 * @param run command line of the shortest run that notices the mutation
 * @param tells invariants of which at least one must be violated
 */
const createMutation = (run: string, tells: readonly string[], ...edits: readonly SourceEdit[]) => ({
  run,
  tells,
  edits,
});

/**
 * Protections of the service by name, with the source edits that switch them off. For each mutation, the harness must find a violation. Otherwise
 * it would not test the protection.
 */
export const protectionMutations: Readonly<Record<string, ReturnType<typeof createMutation>>> = {
  // With this mutation, a resumed worker can still write to a report that another attempt has claimed.
  fence: createMutation("chaos --only lease --reports 120 --kills 0 --patience 60", ["I3", "I8"], {
    file: "packages/db/src/reports/report-transitions.ts",
    text: 'eq(reports.attempt, attempt), eq(reports.status, "RUNNING"), isNotDeletedWithoutIndex',
    by: 'eq(reports.status, "RUNNING"), isNotDeletedWithoutIndex',
  }),
  // With this mutation, no worker rescues the reports of a dead worker.
  rescuer: createMutation("chaos --only worker --reports 30 --kills 4 --patience 45", ["I2"], {
    file: "packages/db/src/reports/rescuer.ts",
    text: "if (!lock!.held) return null;",
    by: "return null;",
  }),
  // With this mutation, a worker writes the end of a report even if the report has already ended.
  cas: createMutation("chaos --only nothing --reports 150 --kills 0 --clients 4 --patience 60", ["I8"], {
    file: "packages/db/src/reports/report-transitions.ts",
    text: ', eq(reports.status, "RUNNING"), isNotDeletedWithoutIndex);',
    by: ");",
  }),
  // With this mutation, starts of a batch are written although a caller exceeds its limit.
  "start-limits": createMutation("crowded-starts --only after", ["E1"], {
    file: "packages/db/src/reports/starts-together.ts",
    text: "permitsOf.get(countedPrincipalOf(start))!.refusal !== null,",
    by: "false,",
  }),
  // With this mutation, a batch of starts writes a report again although its idempotency key was used.
  "start-keys": createMutation("crowded-starts --only after", ["E3"], {
    file: "packages/db/src/reports/starts-together.ts",
    text: "(start.once !== undefined && used.has(start.once)) ||",
    by: "",
  }),
  // With this mutation, a batch of starts that writes no report still commits the idempotency keys that it has claimed.
  "start-rollback": createMutation("crowded-starts --only after", ["E5"], {
    file: "packages/db/src/reports/starts-together.ts",
    text: "throw new Apart(apart);",
    by: "return { because: apart } as never;",
  }),
  // With this mutation, retries after transient errors have no delay.
  backoff: createMutation("store-away --minutes 0.5 --reports 20", ["S2"], {
    file: "packages/core/src/report/run/retry-delay.ts",
    text: "return Math.round(delayMs *",
    by: "return Math.round(0 * delayMs *",
  }),
  // With this mutation, a worker that stops does not wait for the writes that end jobs. It is the default of graphile-worker.
  "batch-delay": createMutation("graceful-exits --times 4", ["G1"], {
    file: "apps/worker/src/jobs/job-runner.ts",
    text: "completeJobBatchDelay: completedTogetherMs,",
    by: "completeJobBatchDelay: -1,",
  }),
  // With this mutation, a transaction whose caller got an error while Postgres was frozen still commits when Postgres continues.
  "abandoned-work": createMutation(
    "frozen-postgres --times 2 --clients 4",
    ["I12"],
    {
      file: "packages/db/src/database/guarded-transaction.ts",
      text: "call.signal.throwIfAborted();\n      // The guard counts from now()",
      by: "// The guard counts from now()",
    },
    {
      file: "packages/db/src/database/guarded-transaction.ts",
      text: "call.signal.throwIfAborted();\n      call.markCommitting();",
      by: "",
    },
    {
      file: "packages/db/src/database/guarded-transaction.ts",
      text: "const text = guardStatement(call.remainingMs());",
      by: 'const text = "select 1"; void guardStatement;',
    },
  ),
  // With this mutation, sessions have `synchronous_commit` off, so a crash can lose acknowledged writes.
  "synchronous-commit": createMutation("postgres-restarts --times 6 --clients 8", ["I1"], {
    file: "packages/db/src/database/session-settings.ts",
    text: "then 'remote_apply' else 'on' end",
    by: "then 'remote_apply' else 'off' end",
  }),
  // With this mutation, downloads do not compare the hash of the file with the record.
  digest: createMutation("damaged-files --times 1 --clients 4", ["B1"], {
    file: "packages/core/src/report/files/file-mismatch.ts",
    text: 'findSizeMismatch(file, seenBytes) ?? findDigestMismatch(file, hash.digest("hex"))',
    by: "findSizeMismatch(file, seenBytes)",
  }),
  // With this mutation, the service does not compare the store IDs of store and database.
  marker: createMutation("swapped-store --times 1 --clients 4", ["I11"], {
    file: "packages/storage/src/store-id/store-identity.ts",
    text: "if (record !== null && storeId === record.id) return storeId;",
    by: "if (record?.adopted === true) return record.id;",
  }),
  // With this mutation, the reconciler expires the records of a store that has lost its files.
  "mass-guard": createMutation("swapped-store --times 2 --clients 4", ["I11"], {
    // The scenario swaps the store twice, because the first swap cannot show this mutation. In the second swap, the store exists and lacks its
    // files.
    file: "packages/core/src/report/files/reconcile.ts",
    text: "isEmpty || (differing > 0 && exceedsRepairLimits(differing + repaired, compared + repaired, limits));",
    by: "false && isEmpty && exceedsRepairLimits(differing + repaired, compared + repaired, limits);",
  }),
  // With this mutation, the reconciler removes orphaned files immediately, and not days after it has found them.
  trash: createMutation("restored-backup --clients 4", ["I11"], {
    file: "apps/worker/src/maintenance/compose-reconciler.ts",
    text: "trashMs: settings.trashDays * day,",
    by: "trashMs: 0 * settings.trashDays * day,",
  }),
  // With this mutation, the API refuses starts because of reports that wait in another lane.
  "lane-gate": createMutation("closed-lane --times 1 --clients 4", ["Q1"], {
    file: "apps/api/src/limits/overload-guard.ts",
    text: "(loads.get(lane) ?? idleLoad)",
    by: "([...loads.values()].toSorted((one, other) => (other.oldestWaitMs ?? 0) - (one.oldestWaitMs ?? 0))[0] ?? idleLoad)",
  }),
  // With this mutation, the rescuer also unlocks jobs of another app in the same database.
  "own-jobs": createMutation("foreign-jobs --times 1 --clients 4", ["Q2"], {
    file: "packages/db/src/queue/rescue-jobs.ts",
    text: "pgSchema(laneSchemaName(queueSchema, lane))",
    by: 'pgSchema(lane === "quick" ? "graphile_worker" : laneSchemaName(queueSchema, lane))',
  }),
  // With this mutation, a worker signs webhooks with its own clock and not with Postgres's.
  "signature-clock": createMutation("chaos --only nothing --reports 20 --kills 0 --clocks 10 --long-pause 0", ["I15"], {
    file: "apps/worker/src/webhooks/deliver-webhook.ts",
    text: "publicUrl: deps.publicUrl, now: taken.now() }",
    by: "publicUrl: deps.publicUrl, now: new Date() }",
  }),
  // With this mutation, a worker claims webhooks whose secrets it cannot decrypt.
  "webhook-key": createMutation("chaos --only nothing --reports 20 --kills 0 --other-key --long-pause 0", ["I16"], {
    file: "packages/db/src/webhooks/take-delivery.ts",
    text: 'and ${sealingKeyFingerprintSql(sql`webhook.secret`)} in (select jsonb_array_elements_text(${sql.placeholder("keys")}::jsonb))',
    by: "",
  }),
  // With this mutation, a lease that was taken while Postgres's clock was ahead blocks its periodic work until the clock reaches that time.
  "future-lease": createMutation("jumping-clock --times 1 --clients 4", ["K1"], {
    file: "packages/db/src/queue/periodic-task-locks.ts",
    text: "setWhere: sql`${isOlderThan(maintenanceTurns.takenAt, everyMs)} and",
    by: "setWhere: sql`${maintenanceTurns.takenAt} <= clock_timestamp() - make_interval(secs => ${everyMs / 1000}) and",
  }),
  // With this mutation, an outage of a source counts as a failed attempt of the reports that read it.
  "free-outages": createMutation("killed-shard --times 2 --clients 6", ["SH2"], {
    file: "packages/core/src/report/run/retry-policy.ts",
    text: "< reportRetryWindowMs)\n      return retryVerdict(report.attempt, pace, false);",
    by: "< reportRetryWindowMs)\n      return retryVerdict(report.attempt, pace, true);",
  }),
  // With this mutation, a worker with a broken spool continues to claim reports.
  "spool-rest": createMutation(
    "chaos --only nothing --reports 600 --kills 0 --workers 1 --broken-spool --long-pause 0",
    ["W1"],
    {
      file: "apps/worker/src/host/host-watch.ts",
      text: "mayAcquire: () => brokenParts().length === 0,",
      by: "mayAcquire: () => true,",
    },
    {
      file: "apps/worker/src/host/host-watch.ts",
      text: "return part === undefined ? null : `A part of this worker's host is broken: ${part}.`;",
      by: "return part === undefined ? null : null;",
    },
  ),
  // With this mutation, one address can use all connections of the API.
  "connection-share": createMutation("attacks --short --only stay", ["X1"], {
    file: "apps/api/src/compose-servers.ts",
    text: "connections: { total: config.connectionLimit, perAddress,",
    by: "connections: { total: config.connectionLimit, perAddress: 0 * perAddress,",
  }),
  // With this mutation, one caller can read any number of lists at the same time.
  "list-turns": createMutation(
    "attacks --short --only lists",
    ["X1"],
    {
      file: "apps/api/src/limits/list-concurrency-limiter.ts",
      text: "const slots = createConcurrencyLimiter({ perPrincipal, total: 0 }",
      by: "const slots = createConcurrencyLimiter({ perPrincipal: 0 * perPrincipal, total: 0 }",
    },
    {
      file: "apps/api/src/limits/list-concurrency-limiter.ts",
      text: "await permits.acquire(principalId,",
      by: "await permits.acquire(String(Math.random()),",
    },
  ),
  // With this mutation, one address can try any number of passwords.
  "login-limit": createMutation("attacks --short --only guesses", ["X2"], {
    file: "apps/api/src/compose-api-listener.ts",
    text: "perAddress: config.loginFailureLimit,",
    by: "perAddress: 0 * config.loginFailureLimit,",
  }),
};
