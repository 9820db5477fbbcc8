import type { SourceEdit } from "./processes/rewrite-sources.ts";

/**
 * @param run command line of the shortest run that notices the mutation
 * @param tells invariants of which at least one must be violated
 */
const createMutation = (run: string, tells: readonly string[], ...edits: readonly SourceEdit[]) => ({
  run,
  tells,
  edits,
});

/** Protections of the service, by name, with the source edits that switch them off. With each mutation the harness must find a violation. */
export const mutations: Readonly<Record<string, ReturnType<typeof createMutation>>> = {
  // A resumed worker can write to a report that another attempt has claimed since.
  fence: createMutation("chaos --only lease --reports 120 --kills 0 --patience 60", ["I3", "I8"], {
    file: "packages/db/src/reports/report-transitions.ts",
    text: 'eq(reports.attempt, attempt), eq(reports.status, "RUNNING"), isNotDeleted',
    by: 'eq(reports.status, "RUNNING"), isNotDeleted',
  }),
  // Reports of a dead worker are not rescued.
  rescuer: createMutation("chaos --only worker --reports 30 --kills 4 --patience 45", ["I2"], {
    file: "packages/db/src/reports/rescuer.ts",
    text: "if (!lock!.held) return null;",
    by: "return null;",
  }),
  // The end of a report is written even if the report has ended already.
  cas: createMutation("chaos --only nothing --reports 150 --kills 0 --clients 4 --patience 60", ["I8"], {
    file: "packages/db/src/reports/report-transitions.ts",
    text: ', eq(reports.status, "RUNNING"), isNotDeleted);',
    by: ");",
  }),
  // Retries after transient errors have no delay.
  backoff: createMutation("store-away --minutes 0.5 --reports 20", ["S2"], {
    file: "packages/core/src/report/run/retry-delay.ts",
    text: "return Math.round(delayMs *",
    by: "return Math.round(0 * delayMs *",
  }),
  // A worker that stops does not wait for the writes that end jobs. This is graphile-worker's default.
  "batch-delay": createMutation("graceful-exits --times 4", ["G1"], {
    file: "apps/worker/src/jobs/job-runner.ts",
    text: "completeJobBatchDelay: completedTogetherMs,",
    by: "completeJobBatchDelay: -1,",
  }),
  // Transactions whose caller got an error while Postgres was frozen commit when Postgres continues.
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
  // Sessions set `synchronous_commit` to off, so acknowledged writes can be lost in a crash.
  "synchronous-commit": createMutation("postgres-restarts --times 6 --clients 8", ["I1"], {
    file: "packages/db/src/database/session-settings.ts",
    text: "then 'remote_apply' else 'on' end",
    by: "then 'remote_apply' else 'off' end",
  }),
  // Downloads do not compare the file's hash with the record.
  digest: createMutation("damaged-files --times 1 --clients 4", ["B1"], {
    file: "packages/core/src/report/files/file-mismatch.ts",
    text: 'sizeMismatch(file, seenBytes) ?? digestMismatch(file, hash.digest("hex"))',
    by: "sizeMismatch(file, seenBytes)",
  }),
  // The service does not compare the IDs of store and database.
  marker: createMutation("swapped-store --times 1 --clients 4", ["I11"], {
    file: "packages/storage/src/store-id/store-identity.ts",
    text: "if (record !== null && storeId === record.id) return storeId;",
    by: "if (record?.adopted === true) return record.id;",
  }),
  // The reconciler expires the records of a store without files.
  "mass-guard": createMutation("swapped-store --times 2 --clients 4", ["I11"], {
    // The mutation shows only at the second swap, in which the store exists but its files are missing.
    file: "packages/core/src/report/files/reconcile.ts",
    text: "isEmpty || (differing > 0 && exceedsDifferenceLimits(differing + repaired, compared + repaired, limits));",
    by: "false && isEmpty && exceedsDifferenceLimits(differing + repaired, compared + repaired, limits);",
  }),
  // The reconciler removes orphaned files immediately instead of days later.
  trash: createMutation("restored-backup --clients 4", ["I11"], {
    file: "apps/worker/src/maintenance/compose-reconciler.ts",
    text: "trashMs: settings.trashDays * day,",
    by: "trashMs: 0 * settings.trashDays * day,",
  }),
  // Starts are refused because of reports that wait in another lane.
  "lane-gate": createMutation("closed-lane --times 1 --clients 4", ["Q1"], {
    file: "apps/api/src/limits/overload-guard.ts",
    text: "(loads.get(lane) ?? idleLoad)",
    by: "([...loads.values()].toSorted((one, other) => (other.oldestWaitMs ?? 0) - (one.oldestWaitMs ?? 0))[0] ?? idleLoad)",
  }),
  // The rescuer also unlocks jobs of another app in the same database.
  "own-jobs": createMutation("foreign-jobs --times 1 --clients 4", ["Q2"], {
    file: "packages/db/src/queue/rescue-jobs.ts",
    text: "pgSchema(laneSchema(queueSchema, lane))",
    by: 'pgSchema(lane === "quick" ? "graphile_worker" : laneSchema(queueSchema, lane))',
  }),
  // Webhooks are signed by the worker's clock instead of Postgres's.
  "signature-clock": createMutation("chaos --only nothing --reports 20 --kills 0 --clocks 10 --long-pause 0", ["I15"], {
    file: "apps/worker/src/webhooks/deliver-webhook.ts",
    text: "publicUrl: deps.publicUrl, now: taken.now() }",
    by: "publicUrl: deps.publicUrl, now: new Date() }",
  }),
  // A worker claims webhooks whose secrets it cannot open.
  "webhook-key": createMutation("chaos --only nothing --reports 20 --kills 0 --other-key --long-pause 0", ["I16"], {
    file: "packages/db/src/webhooks/take-delivery.ts",
    text: 'and ${sealingKeyOf(sql`webhook.secret`)} in (select jsonb_array_elements_text(${sql.placeholder("keys")}::jsonb))',
    by: "",
  }),
  // A lease that was taken while Postgres's clock was ahead blocks its periodic work until the clock reaches that time.
  "future-lease": createMutation("jumping-clock --times 1 --clients 4", ["K1"], {
    file: "packages/db/src/queue/periodic-leases.ts",
    text: "setWhere: sql`${isPast(maintenanceTurns.takenAt, everyMs)} and",
    by: "setWhere: sql`${maintenanceTurns.takenAt} <= clock_timestamp() - make_interval(secs => ${everyMs / 1000}) and",
  }),
  // An outage of a source counts as a failed attempt of the reports that read it.
  "free-outages": createMutation("killed-shard --times 2 --clients 6", ["SH2"], {
    file: "packages/core/src/report/run/retry-policy.ts",
    text: "< retryWindowMs) return retryVerdict(report.attempt, pace, false);",
    by: "< retryWindowMs) return retryVerdict(report.attempt, pace, true);",
  }),
  // A worker with a broken spool continues to claim reports.
  "spool-rest": createMutation(
    "chaos --only nothing --reports 100 --kills 0 --workers 1 --broken-spool --long-pause 0",
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
  // One address can use all connections.
  "connection-share": createMutation("attacks --short --only stay", ["X1"], {
    file: "apps/api/src/compose-servers.ts",
    text: "connections: { total: config.connectionLimit, perAddress,",
    by: "connections: { total: config.connectionLimit, perAddress: 0 * perAddress,",
  }),
  // The number of lists that one caller can read at the same time is not limited.
  "list-turns": createMutation(
    "attacks --short --only lists",
    ["X1"],
    {
      file: "apps/api/src/limits/list-slots.ts",
      text: "const slots = createSlots({ perPrincipal, total: 0 }",
      by: "const slots = createSlots({ perPrincipal: 0 * perPrincipal, total: 0 }",
    },
    {
      file: "apps/api/src/limits/list-slots.ts",
      text: "await permits.acquire(principalId,",
      by: "await permits.acquire(String(Math.random()),",
    },
  ),
  // Login attempts with wrong passwords from one address are not limited.
  "login-limit": createMutation("attacks --short --only guesses", ["X2"], {
    file: "apps/api/src/compose-gateway.ts",
    text: "perAddress: config.loginFailureLimit,",
    by: "perAddress: 0 * config.loginFailureLimit,",
  }),
};
