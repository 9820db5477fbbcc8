import { keySetStates, type KeySetState } from "@reports/auth";
import type { Logger, Metrics } from "@reports/runtime";

const minWarningIntervalMs = 60_000;

export function registerIssuerKeyMetrics(metrics: Metrics, readState: (() => KeySetState) | undefined): void {
  if (readState === undefined) return;
  metrics.polledGauge(
    {
      name: "reports_issuer_keys_state",
      help: "1 for the current state of the token issuer's keys, 0 for the others.",
      labels: ["state"],
    },
    () => keySetStates.map((state) => ({ value: state === readState() ? 1 : 0, labels: { state } })),
  );
}

export function registerPasswordCheckCounter(metrics: Metrics): () => void {
  const checked = metrics.counter({
    name: "reports_auth_passwords_checked_total",
    help: "Passwords of Basic credentials that were hashed; recently verified credentials are cached and not counted.",
  });
  return () => checked.inc();
}

/** Returns a function that counts each failed fetch of the token issuer's public keys, and logs at most one warning per minute. */
export function createKeySetFailureLog(metrics: Metrics, logger: Logger): (error: unknown) => void {
  const failures = metrics.counter({
    name: "reports_auth_key_set_failures_total",
    help: "Fetches of the issuer's key set (AUTH_JWKS_URL) that failed.",
  });
  let nextLineAt = 0;
  return (error) => {
    failures.inc();
    if (performance.now() < nextLineAt) return;
    nextLineAt = performance.now() + minWarningIntervalMs;
    logger.warn("the issuer's keys cannot be fetched", { error });
  };
}
