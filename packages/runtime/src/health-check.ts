import { DeadlineExceededError, withDeadline } from "./deadline.ts";

/** Checks one part of the process, such as its database. Resolves if the part works, and rejects if it does not. */
export type HealthCheck = (signal: AbortSignal) => Promise<unknown>;

/** Thrown by a health check while its part of the process is still starting. */
export class StillStartingError extends Error {
  override readonly name = "StillStartingError";
}

/** Result of all checks. It contains no error texts, because anyone can read the health endpoints. */
export interface HealthReport {
  readonly status: "ok" | "failing";
  readonly checks: Readonly<
    Record<string, { readonly status: "ok" | "failing" | "timeout"; readonly durationMs: number }>
  >;
}

export interface HealthCheckOptions {
  /** Time limit of each check. Default: 2,000 ms. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onFailure?: (name: string, error: unknown) => void;
}

/** Runs all checks concurrently, each with a time limit. Never rejects, because the report names the failed checks. */
export async function runHealthChecks(
  checks: Readonly<Record<string, HealthCheck>>,
  options: HealthCheckOptions = {},
): Promise<HealthReport> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runHealthCheck(name, check, options)] as const),
  );
  return {
    status: results.every(([, result]) => result.status === "ok") ? "ok" : "failing",
    checks: Object.fromEntries(results),
  };
}

async function runHealthCheck(
  name: string,
  check: HealthCheck,
  options: HealthCheckOptions,
): Promise<HealthReport["checks"][string]> {
  const startedAt = performance.now();
  const status = await withDeadline(
    async (signal) => check(signal),
    options.timeoutMs ?? 2_000,
    `The check "${name}"`,
    options.signal,
  ).then(
    () => "ok" as const,
    (error: unknown) => {
      options.onFailure?.(name, error);
      return error instanceof DeadlineExceededError ? ("timeout" as const) : ("failing" as const);
    },
  );
  return { status, durationMs: Math.round(performance.now() - startedAt) };
}
