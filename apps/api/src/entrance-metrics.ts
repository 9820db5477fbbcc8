import { keySetStates } from "@reports/auth";
import type { KeySetState } from "@reports/auth";
import type { Logger, Metrics } from "@reports/runtime";

/** One line a minute is enough while an issuer is away. */
const logEveryMs = 60_000;

/** Describes the keys' state, for alerts on an issuer that is away. Nothing where there is no issuer. */
export function describeIssuerKeys(metrics: Metrics, readState: (() => KeySetState) | undefined): void {
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

/** Makes what counts hashed passwords: logins are dear, and a flood of them shows here. */
export function countPasswordChecks(metrics: Metrics): () => void {
  const checked = metrics.counter({
    name: "reports_auth_passwords_checked_total",
    help: "Passwords of Basic credentials that were hashed; recently verified credentials are cached and not counted.",
  });
  return () => checked.inc();
}

/** Makes what tells the platform that the issuer's keys could not be fetched: callers cannot mend it, and get 503. */
export function createKeySetReport(metrics: Metrics, logger: Logger): (error: unknown) => void {
  const failures = metrics.counter({
    name: "reports_auth_key_set_failures_total",
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
