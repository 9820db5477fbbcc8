import { DomainError } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";

/** Bytes of one body. docs/reference/limits.md#sizes-and-times. */
export const maxBodyBytes = 256 * 1024;

/** How many bytes of bodies may be on their way into one instance at once. */
export interface BodyLimits {
  readonly totalBytes: number;
  readonly perPrincipalBytes: number;
}

/** Generous for callers who write register entries by the hundred, and far from what fills a process. */
export const defaultBodyLimits: BodyLimits = { totalBytes: 32 * 1024 ** 2, perPrincipalBytes: 4 * 1024 ** 2 };

/** The room for bodies that are being read and parsed. */
export interface BodyBudget {
  /** Takes room and gives what frees it. Throws RateLimitedError where the caller has too much of it, DomainError("unavailable") where all have. */
  take(principalId: string, sizeBytes: number): () => void;
  /** Bytes that are taken. */
  readonly takenBytes: number;
}

/** Makes the room, all of it free. A body is kept whole until it is parsed, and may take half a minute to come. */
export function createBodyBudget(limits: BodyLimits): BodyBudget {
  const takenOf = new Map<string, number>();
  let takenBytes = 0;
  return {
    get takenBytes() {
      return takenBytes;
    },
    take(principalId, sizeBytes) {
      const own = takenOf.get(principalId) ?? 0;
      if (own + sizeBytes > limits.perPrincipalBytes) throw tooManyOfOne(limits.perPrincipalBytes);
      if (takenBytes + sizeBytes > limits.totalBytes) throw tooMany();
      takenOf.set(principalId, own + sizeBytes);
      takenBytes += sizeBytes;
      return () => {
        takenBytes -= sizeBytes;
        // Gone already where another body of the caller's has freed the rest and this one is empty.
        const left = (takenOf.get(principalId) ?? 0) - sizeBytes;
        if (left === 0) takenOf.delete(principalId);
        else takenOf.set(principalId, left);
      };
    },
  };
}

function tooManyOfOne(limit: number): RateLimitedError {
  const message =
    "Your requests in progress have reached the limit of body bytes per caller; retry when some of them have arrived.";
  const quotas = [{ name: "bodies", limit, remaining: 0, windowSeconds: null, resetSeconds: null }];
  return new RateLimitedError("too-many-bodies", message, { retryAfterSeconds: 1, quotas });
}

function tooMany(): DomainError {
  const message = "The requests in progress of all callers have reached the limit of body bytes; retry in a moment.";
  return new DomainError("unavailable", "body-capacity-reached", message, { retryAfterSeconds: 1 });
}
