import { parseArgs } from "node:util";
import type { PlannedReconcileStep, ReconcileOutcome } from "@reports/core/report";
import { fileStoreSettingsOf } from "@reports/runtime";
import { readWorkerConfig, type WorkerConfig } from "../config.ts";
import { printErrorWithExitCode, formatErrorWithCauses, printTextWithExitCode } from "./command-line.ts";

const helpText = `Usage: reconcile --dry-run
       reconcile --undo

The workers find and repair orphaned files and records whose files are missing (RECONCILER=on). These commands
take the worker's environment (DATABASE_URL, STORAGE_DIR or MINIO_…, STORAGE_PREFIX, TRASH_DAYS, RECONCILE_…).

  --dry-run  prints what the reconciler would do now, one line per file, and changes nothing:
             "schedule KEY" would be scheduled for removal in TRASH_DAYS; "remove KEY" is due for removal; "expire KEY" its record would
             become EXPIRED; "unknown KEY" its report is unknown to this database, or no report stores such a file; it is left alone;
             "wrong-size KEY" has another size than in its record; a worker would read it again
  --undo     cancels all scheduled removals and forgets all differences: each has to be found twice again and then waits TRASH_DAYS
             again. It cannot stop a batch of at most 50 files that a worker is removing at this moment; set RECONCILER=off first to
             be sure

Exit codes: 0 done, 1 failed, or too many differences to repair, 2 wrong usage or configuration, 130 interrupted.
`;

async function main(): Promise<number> {
  let config: WorkerConfig;
  let isDryRun: boolean;
  try {
    const { values } = parseArgs({
      options: {
        help: { type: "boolean", short: "h" },
        "dry-run": { type: "boolean", default: false },
        undo: { type: "boolean", default: false },
      },
    });
    if (values.help) return printTextWithExitCode(helpText, 0);
    if (values["dry-run"] === values.undo) return printErrorWithExitCode(helpText, 2);
    isDryRun = values["dry-run"];
    config = readWorkerConfig(process.env);
  } catch (error) {
    return printErrorWithExitCode(formatErrorWithCauses(error), 2);
  }
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupt.abort());
  const task = { databaseUrl: config.databaseUrl.reveal(), store: fileStoreSettingsOf(config), settings: config };
  // Loaded late, because this module is slow to load, and neither help nor a wrong configuration needs it.
  const { openReconciler } = await import("../maintenance/compose-reconciler.ts");
  const reconciler = await openReconciler(task, () => undefined);
  try {
    if (!isDryRun) {
      const undone = await reconciler.undo();
      return printTextWithExitCode(
        `${undone} removals were undone. The reconciler must find each difference twice again and then wait TRASH_DAYS before it acts.\n`,
        0,
      );
    }
    const print = (step: PlannedReconcileStep, key: string): void => void process.stdout.write(`${step} ${key}\n`);
    return printSummary(await reconciler.plan(print, interrupt.signal), config.reconcileMinAgeHours);
  } catch (error) {
    if (interrupt.signal.aborted) return printErrorWithExitCode("Interrupted; nothing was changed.", 130);
    return printErrorWithExitCode(`The command failed; nothing was changed: ${formatErrorWithCauses(error)}`, 1);
  } finally {
    await reconciler.close();
  }
}

function printSummary(outcome: ReconcileOutcome, minAgeHours: number): number {
  const { files, unnamed, unknown, named, missing, scheduled, removed, expired, refused, wrongSizes } = outcome;
  const lines = [
    `${files} files: ${unnamed} are named by no record, and ${unknown} belong to reports that are unknown to this database.`,
    `${named} records name a file; ${missing} of those files are missing.`,
    ...(wrongSizes > 0
      ? [`${wrongSizes} files have another size than in their record. With RECONCILER=on, a worker reads them again.`]
      : []),
    `Files and records younger than ${minAgeHours} h (RECONCILE_MIN_AGE_HOURS) were not compared.`,
    `The reconciler would schedule ${scheduled}, remove ${removed}, and make ${expired} records EXPIRED. Nothing was changed.`,
    ...(refused > 0
      ? [
          `It would repair none of ${refused} differences, because they are too many of one kind. See FilesDiffer in docs/guides/running/respond-to-alerts.md.`,
        ]
      : []),
  ];
  return printTextWithExitCode(`${lines.join("\n")}\n`, refused > 0 ? 1 : 0);
}

process.exitCode = await main();
