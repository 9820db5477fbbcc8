import type { LoginLimits } from "@reports/core/caller";
import type { OverloadLimits, StartLimits } from "@reports/core/report";
import type { ConcurrencyLimits } from "../limits/concurrency-limiter.ts";
import type { AuthorityStartLimits } from "../limits/start-limits.ts";
import type { RefusalThrottle } from "../limits/refusal-throttle.ts";

/** Limits of an API under test. A limit that the test does not set is off. */
export interface LimitsUnderTest {
  readonly starts?: StartLimits;
  readonly startsByAuthority?: readonly AuthorityStartLimits[];
  readonly logins?: LoginLimits;
  readonly requestsPerMinute?: number;
  readonly downloads?: ConcurrencyLimits;
  readonly previewsPerMinute?: number;
  readonly listsPerPrincipal?: number;
  readonly overload?: OverloadLimits;
  readonly refusals?: RefusalThrottle;
}
