import { StartingError, runChecks, type Check, type CheckReport } from "./check.ts";
import type { Logger } from "./log/logger.ts";

export interface ReadinessOptions {
  /** All must pass. */
  readonly checks: Readonly<Record<string, Check>>;
  readonly timeoutMs?: number;
  readonly logger: Logger;
  /** After this, checks that have not begun are a warning. Default 30,000. */
  readonly startingMs?: number;
}

/**
 * Runs checks once for concurrent callers, because readiness needs no credentials. A failure is logged once, not per probe, because balancers
 * ask every second. A check that has not begun is logged only after `startingMs`.
 */
export function createReadiness(options: ReadinessOptions): () => Promise<CheckReport> {
  const { checks, logger, timeoutMs, startingMs = 30_000 } = options;
  const startedAt = performance.now();
  const warnedOf = new Set<string>();
  const logFailure = (check: string, error: unknown): void => {
    if (error instanceof StartingError && performance.now() - startedAt < startingMs)
      return logger.debug("not ready yet", { check, error });
    if (!warnedOf.has(check)) logger.warn("readiness check failed", { check, error });
    warnedOf.add(check);
  };
  const run = async (): Promise<CheckReport> => {
    const report = await runChecks(checks, {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      onFailure: logFailure,
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
