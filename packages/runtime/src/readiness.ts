import { StillStartingError, runHealthChecks, type HealthCheck, type HealthReport } from "./health-check.ts";
import type { Logger } from "./log/logger.ts";

export interface ReadinessOptions {
  readonly checks: Readonly<Record<string, HealthCheck>>;
  readonly timeoutMs?: number;
  readonly logger: Logger;
  /** Milliseconds from the creation of the check. After them, a part that is still starting is logged as a warning. Default: 30,000. */
  readonly startingMs?: number;
}

/**
 * Returns a function that runs the checks. Concurrent callers share one run, because anyone can request readiness. A failure is logged once
 * and not per probe, because load balancers send a probe every second. StillStartingError is a warning only after `startingMs`.
 */
export function createReadinessCheck(options: ReadinessOptions): () => Promise<HealthReport> {
  const { checks, logger, timeoutMs, startingMs = 30_000 } = options;
  const startedAt = performance.now();
  const warnedOf = new Set<string>();
  const logFailure = (check: string, error: unknown): void => {
    if (error instanceof StillStartingError && performance.now() - startedAt < startingMs)
      return logger.debug("not ready yet", { check, error });
    if (!warnedOf.has(check)) logger.warn("readiness check failed", { check, error });
    warnedOf.add(check);
  };
  const run = async (): Promise<HealthReport> => {
    const report = await runHealthChecks(checks, {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onFailure: logFailure,
    });
    for (const [check, { status }] of Object.entries(report.checks)) if (status === "ok") warnedOf.delete(check);
    return report;
  };
  let current: Promise<HealthReport> | null = null;
  return async () => {
    current ??= run().finally(() => {
      current = null;
    });
    return current;
  };
}
