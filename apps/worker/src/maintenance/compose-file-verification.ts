import { StoreMismatchError } from "@reports/core/base";
import {
  verifySuspiciousFiles,
  verifyFiles,
  type FileMismatch,
  type PublishedFile,
  type VerifyFilesDeps,
} from "@reports/core/report";
import { createFileVerificationStore, type Database, type PeriodicTaskLocks } from "@reports/db";
import type { Logger } from "@reports/runtime";
import type { MaintenanceMetrics } from "./maintenance-metrics.ts";
import { createLeasedWork } from "./leased-work.ts";
import { createReadThrottle } from "./read-throttle.ts";

const secondMs = 1_000;
const verifyEveryMs = 60 * 60 * secondMs;
/** A round begins no digest after this time, so that it usually ends before the next worker begins a round. */
const digestMs = 0.9 * verifyEveryMs;
const suspiciousEveryMs = 20 * secondMs;
/** A round ends if this many damaged files were found within an hour. Operators can then check before more reports expire. */
const maxDamaged = 20;

export interface FileVerificationOptions {
  readonly database: Database;
  readonly leases: PeriodicTaskLocks;
  readonly files: VerifyFilesDeps["files"];
  readonly identity: VerifyFilesDeps["identity"];
  readonly logger: Logger;
  readonly metrics: Pick<MaintenanceMetrics, "observeMismatch" | "observeDamage" | "observeVerification">;
  readonly limits: {
    readonly digestWithinMs: number;
    readonly readBytesPerSecond: number;
  };
}

/** Returns two kinds of work that compare stored files with records. Both return false without the lease, or in a wrong store. */
export function composeFileVerification(options: FileVerificationOptions): {
  verifySuspiciousFiles(signal: AbortSignal): Promise<boolean>;
  verify(signal: AbortSignal): Promise<boolean>;
} {
  const { leases, logger, metrics, limits } = options;
  const verification = createFileVerificationStore(options.database);
  const describe = ({ reportId, storageKey }: PublishedFile, mismatch: FileMismatch) => ({
    reportId,
    storageKey,
    ...mismatch,
  });
  const deps: VerifyFilesDeps = {
    files: options.files,
    identity: options.identity,
    verdicts: verification,
    published: verification,
    pace: createReadThrottle(limits.readBytesPerSecond),
    onMismatch(file, mismatch) {
      metrics.observeMismatch(mismatch);
      logger.warn("a stored file is not the one that its report published; it is read again", describe(file, mismatch));
    },
    onDamaged(file, mismatch) {
      metrics.observeDamage(mismatch);
      logger.error("a stored file is damaged; its report is EXPIRED, the file is kept", describe(file, mismatch));
    },
    onUnreadable: ({ reportId, storageKey }, error) =>
      logger.warn("a stored file cannot be read; it is tried again later", { reportId, storageKey, error }),
  };
  return {
    verifySuspiciousFiles: skipOnMismatch(
      createLeasedWork({ leases, lease: "suspicious-files", everyMs: suspiciousEveryMs }, async (signal) =>
        verifySuspiciousFiles(deps, maxDamaged, signal),
      ),
    ),
    verify: skipOnMismatch(
      createLeasedWork({ leases, lease: "file-verification", everyMs: verifyEveryMs }, async (signal) => {
        const digestShare = Math.min(1, verifyEveryMs / limits.digestWithinMs);
        const outcome = await verifyFiles(deps, { digestShare, digestMs, maxDamaged }, signal);
        metrics.observeVerification(outcome);
        logger.info("stored files verified", { ...outcome });
      }),
    ),
  };
}

/** Skips the work while the store has another store ID. The store watch already reports that state in logs and metrics. */
function skipOnMismatch(work: (signal: AbortSignal) => Promise<boolean>): (signal: AbortSignal) => Promise<boolean> {
  return async (signal) => {
    try {
      return await work(signal);
    } catch (error) {
      if (error instanceof StoreMismatchError) return false;
      throw error;
    }
  };
}
