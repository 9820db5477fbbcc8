import { DomainError } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";

export const maxBodyBytes = 256 * 1024;

/** Bytes of request bodies in progress per instance. */
export interface BodyLimits {
  readonly totalBytes: number;
  readonly perPrincipalBytes: number;
}

/** Enough for callers that write hundreds of records, and far from filling a process. */
export const defaultBodyLimits: BodyLimits = { totalBytes: 32 * 1024 ** 2, perPrincipalBytes: 4 * 1024 ** 2 };

export interface BodyBudget {
  /** Reserves bytes and returns their release. Throws RateLimitedError if the caller has too many, DomainError("unavailable") if all have. */
  take(principalId: string, sizeBytes: number): () => void;
  readonly takenBytes: number;
}

/** A body is held whole until it is parsed, and may take half a minute to arrive. */
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
        // Missing if the caller's other bodies are released and this one is empty.
        const remaining = (takenOf.get(principalId) ?? 0) - sizeBytes;
        if (remaining === 0) takenOf.delete(principalId);
        else takenOf.set(principalId, remaining);
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
