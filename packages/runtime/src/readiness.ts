import { StartingError, runChecks, type Check, type CheckReport } from "./check.ts";
import type { Logger } from "./log/logger.ts";

/** What the readiness of a process depends on, and where the log is told of it. */
export interface ReadinessOptions {
  /** All must pass. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly timeoutMs?: number;
  readonly logger: Logger;
  /** How long a process may start before what has not begun is a warning. Default 30,000. */
  readonly startingMs?: number;
}

/**
 * Runs a process's checks, once for all who ask meanwhile: readiness needs no credentials. What fails is a warning once a failure, not once a
 * probe, because a balancer asks every second. What has only not begun yet is none, because every process starts like that, unless it takes
 * too long.
 */
export function createReadiness(options: ReadinessOptions): () => Promise<CheckReport> {
  const { checks, logger, timeoutMs, startingMs = 30_000 } = options;
  const startedAt = performance.now();
  const warnedOf = new Set<string>();
  const tell = (check: string, error: unknown): void => {
    if (error instanceof StartingError && performance.now() - startedAt < startingMs)
      return logger.debug("not ready yet", { check, error });
    if (!warnedOf.has(check)) logger.warn("readiness check failed", { check, error });
    warnedOf.add(check);
  };
  const run = async (): Promise<CheckReport> => {
    const report = await runChecks(checks, {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onFailure: tell,
    });
    for (const [check, { status }] of Object.entries(report.checks)) if (status === "ok") warnedOf.delete(check);
    return report;
  };
  let current: Promise<CheckReport> | null = null;
  return async () => {
    current ??= run().finally(() => {
      current = null;
    });
    return current;
  };
}
