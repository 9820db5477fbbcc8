import type { Logger, Metrics } from "@reports/runtime";

/** One line a minute is enough while an issuer is away. */
const logEveryMs = 60_000;

/** Makes what tells the platform that the issuer's keys could not be fetched: callers cannot mend it, and get 503. */
export function createKeySetReport(metrics: Metrics, logger: Logger): (error: unknown) => void {
  const failures = metrics.counter({
    name: "auth_key_set_failures_total",
    help: "Fetches of the issuer's key set (AUTH_JWKS_URL) that failed.",
  });
  let nextLineAt = 0;
  return (error) => {
    failures.inc();
    if (performance.now() < nextLineAt) return;
    nextLineAt = performance.now() + logEveryMs;
    logger.warn("the issuer's keys cannot be fetched", { error });
  };
}
