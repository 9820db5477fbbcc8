import { DeadlineExceededError, withDeadline } from "./deadline.ts";

/** Resolves if a part works; rejects or times out otherwise. */
export type Check = (signal: AbortSignal) => Promise<unknown>;

/** A check's error while its subject has not started yet. */
export class StartingError extends Error {
  override readonly name = "StartingError";
}

/** Without error texts, because health endpoints need no credentials. */
export interface CheckReport {
  readonly status: "ok" | "failing";
  readonly checks: Readonly<
    Record<string, { readonly status: "ok" | "failing" | "timeout"; readonly durationMs: number }>
  >;
}

export interface CheckOptions {
  /** Per check; all run at the same time. Default 2,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Receives each failure, for the log. */
  readonly onFailure?: (name: string, error: unknown) => void;
}

/** Runs checks concurrently, each with a deadline; never rejects. */
export async function runChecks(
  checks: Readonly<Record<string, Check>>,
  options: CheckOptions = {},
): Promise<CheckReport> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await runCheck(name, check, options)] as const),
  );
  return {
    status: results.every(([, result]) => result.status === "ok") ? "ok" : "failing",
    checks: Object.fromEntries(results),
  };
}

async function runCheck(name: string, check: Check, options: CheckOptions): Promise<CheckReport["checks"][string]> {
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
