import { availableParallelism } from "node:os";
import { initialReportLanes, reportLanes, type ReportLane } from "@reports/core/base";
import { mainReportSource, reportSourceEngines } from "@reports/core/report";
import {
  byteSizeText,
  defineEnvironment,
  deploymentVariableRules,
  deploymentVariables,
  booleanText,
  integerText,
  listText,
  defineOverloadVariables,
  oneOfText,
  portText,
  publicAddressVariables,
  readEnvironment,
  defineReportSourceVariables,
  reportTypeVariableRules,
  reportTypeVariables,
  scheduleVariables,
  traceVariables,
  postgresUrlText,
  webhookVariableRules,
  webhookSendingVariables,
  webhookVariables,
  type ConfigurationOf,
  type RawEnvironment,
} from "@reports/runtime";
import { z } from "zod";
import { documentBrandVariables } from "./brand/brand-variables.ts";

const gibibyte = 1024 ** 3;

const reconcilerModes = ["on", "dry-run", "off"] as const;
export type ReconcilerMode = (typeof reconcilerModes)[number];

function createLanesSchema(): z.ZodType<readonly ReportLane[], string> {
  return listText().transform((words, context) => {
    const lanes = reportLanes.filter((lane) => words.includes(lane));
    if (lanes.length === words.length) return lanes;
    context.addIssue(`must be one or more of ${reportLanes.join(", ")}, each once, separated by commas`);
    return z.NEVER;
  });
}

export const workerEnvironment = defineEnvironment({
  ...deploymentVariables,
  ...defineReportSourceVariables(reportSourceEngines, mainReportSource),
  ...reportTypeVariables,
  ...scheduleVariables,
  ...documentBrandVariables,
  ...publicAddressVariables,
  ...webhookVariables,
  ...webhookSendingVariables,
  ...traceVariables,
  reportDatabaseUrl: {
    name: "REPORT_DATABASE_URL",
    schema: postgresUrlText(),
    optional: true,
    secret: true,
    description:
      "Connection URL of a replica from which the rows of reports are read. Unset: they are read from DATABASE_URL.",
  },
  reportParallelWorkers: {
    name: "REPORT_PARALLEL_WORKERS",
    schema: integerText(0, 1024),
    optional: true,
    defaultText: "0 for reports with a summary if they read the API's database; otherwise the server's settings",
    description:
      "Most parallel workers of Postgres per query of a report, if the server's settings allow more. Fewer make long reports slower, but leave processors for other queries.",
  },
  concurrency: {
    name: "WORKER_CONCURRENCY",
    schema: integerText(1, 64),
    default: availableParallelism(),
    defaultText: "cores",
    description: "Reports that this worker runs at the same time.",
  },
  lanes: {
    name: "WORKER_LANES",
    schema: createLanesSchema(),
    default: reportLanes,
    defaultText: reportLanes.join(","),
    description:
      "Lanes that this worker serves: quick (short reports), bulk (long reports), suspect (quarantined reports, which run alone).",
  },
  host: {
    name: "HOST",
    schema: z.string(),
    default: "127.0.0.1",
    description: "Address on which the worker serves health and metrics.",
  },
  port: {
    name: "WORKER_PORT",
    schema: portText(),
    default: 3001,
    description: "Port of the worker's health and metrics.",
  },
  spoolDir: {
    name: "SPOOL_DIR",
    schema: z.string(),
    optional: true,
    defaultText: "a folder of the user's own in the system's temporary folder",
    description: "Scratch folder for unfinished report files; fastest on the file system of STORAGE_DIR.",
  },
  spoolMaxBytes: {
    name: "SPOOL_MAX_BYTES",
    schema: byteSizeText(1024, 1024 * gibibyte),
    default: 2 * gibibyte,
    defaultText: "2GiB",
    description:
      "Largest file that this worker makes. A report that needs more is made by a running worker that allows more, or fails.",
  },
  runTimeLimitMinutes: {
    name: "REPORT_RUN_TIME_LIMIT_MINUTES",
    schema: integerText(1, 24 * 60),
    default: 30,
    description: "How long one run of a report may take, in minutes.",
  },
  retentionDays: {
    name: "REPORT_RETENTION_DAYS",
    schema: integerText(1, 3650),
    default: 7,
    description: "How long a report's file is kept, in days.",
  },
  recordRetentionDays: {
    name: "RECORD_RETENTION_DAYS",
    schema: integerText(1, 3650),
    default: 90,
    description:
      "How long a report's record and events are kept after it has ended, and tombstones of deleted records of all kinds, in days.",
  },
  reconcileEveryMinutes: {
    name: "RECONCILE_EVERY_MINUTES",
    schema: integerText(1, 24 * 60),
    default: 60,
    description:
      "How often stored files and records are compared, in minutes; the reconciler acts only on a difference that two comparisons found.",
  },
  reconcileAllHours: {
    name: "RECONCILE_ALL_HOURS",
    schema: integerText(0, 24 * 7),
    default: 24,
    description:
      "Maximum time between two comparisons of all files, in hours. The comparisons between them look up 1,000 random files, and compare all files if one of these differs. A store with at most 10,000 files is always compared completely. With 0, every store is.",
  },
  reconcileMinAgeHours: {
    name: "RECONCILE_MIN_AGE_HOURS",
    schema: integerText(1, 24 * 365),
    default: 24,
    description: "Minimum age at which stored files, unfinished uploads and records are compared, in hours.",
  },
  reconciler: {
    name: "RECONCILER",
    schema: oneOfText(reconcilerModes),
    default: "on",
    description:
      "Whether differences between stored files and records are repaired: on; dry-run only logs what would be done; off. Files removed by retention or a delete are removed in any case.",
  },
  trashDays: {
    name: "TRASH_DAYS",
    schema: integerText(0, 365),
    default: 7,
    description:
      "How long the reconciler waits before it removes an orphaned file or expires a record whose file is missing, in days; until then either can be undone. With 0 it acts as soon as a second comparison has found the difference.",
  },
  fileDigestDays: {
    name: "FILE_DIGEST_DAYS",
    schema: integerText(1, 365),
    default: 3,
    description:
      "Number of days in which the digest of every stored file is compared with its record once. The reconciler compares sizes.",
  },
  fileReadBytesPerSecond: {
    name: "FILE_READ_BYTES_PER_SECOND",
    schema: byteSizeText(64 * 1024, 1024 * gibibyte),
    default: 16 * 1024 ** 2,
    defaultText: "16MiB",
    description: "Highest rate at which stored files are read for the comparison of digests, in bytes a second.",
  },
  ...defineOverloadVariables(initialReportLanes, "runs of schedules in that lane wait"),
  shutdownGraceSeconds: {
    name: "SHUTDOWN_GRACE_SECONDS",
    schema: integerText(0, 3600),
    default: 20,
    description:
      "How long running reports may continue after SIGTERM, in seconds; unfinished ones are then returned to the queue.",
  },
  csvFormulaGuard: {
    name: "CSV_FORMULA_GUARD",
    schema: booleanText(),
    default: true,
    description:
      "Whether csv text that a spreadsheet would run as a formula gets an apostrophe, for the separators comma, semicolon and TAB.",
  },
});

export type WorkerConfig = ConfigurationOf<typeof workerEnvironment>;

export function readWorkerConfig(environment: RawEnvironment): WorkerConfig {
  return readEnvironment(workerEnvironment, environment, [
    ...deploymentVariableRules,
    ...reportTypeVariableRules(workerEnvironment),
    ...webhookVariableRules,
  ]);
}
