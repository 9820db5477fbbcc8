import { DomainError } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";

export const maxBodyBytes = 256 * 1024;

export interface BodyMemoryLimits {
  readonly totalBytes: number;
  readonly perPrincipalBytes: number;
}

/** The default is enough for a caller that writes hundreds of records at the same time, and small compared with the memory of a process. */
export const defaultBodyMemoryLimits: BodyMemoryLimits = {
  totalBytes: 32 * 1024 ** 2,
  perPrincipalBytes: 4 * 1024 ** 2,
};

export interface BodyMemoryBudget {
  /**
   * Reserves bytes for the body of a principal's request, and returns the function that releases them. Throws RateLimitedError at the principal's
   * limit, and DomainError("unavailable") at the total.
   */
  reserve(principalId: string, sizeBytes: number): () => void;
  readonly reservedBytes: number;
}

/** Limits the memory of request bodies. The API keeps each body in memory until it is parsed, and a slow caller may need half a minute to send it. */
export function createBodyMemoryBudget(limits: BodyMemoryLimits): BodyMemoryBudget {
  const reservedOf = new Map<string, number>();
  let reservedBytes = 0;
  return {
    get reservedBytes() {
      return reservedBytes;
    },
    reserve(principalId, sizeBytes) {
      const own = reservedOf.get(principalId) ?? 0;
      if (own + sizeBytes > limits.perPrincipalBytes) throw callerLimitError(limits.perPrincipalBytes);
      if (reservedBytes + sizeBytes > limits.totalBytes) throw totalLimitError();
      reservedOf.set(principalId, own + sizeBytes);
      reservedBytes += sizeBytes;
      return () => {
        reservedBytes -= sizeBytes;
        // If the caller's other bodies are all released and this one is empty, the map has no entry for the caller.
        const remaining = (reservedOf.get(principalId) ?? 0) - sizeBytes;
        if (remaining === 0) reservedOf.delete(principalId);
        else reservedOf.set(principalId, remaining);
      };
    },
  };
}

function callerLimitError(limit: number): RateLimitedError {
  const message =
    "Your requests in progress have reached the limit of body bytes per caller; retry when some of them have arrived.";
  const quotas = [{ name: "bodies", limit, remaining: 0, windowSeconds: null, resetSeconds: null }];
  return new RateLimitedError("too-many-bodies", message, { retryAfterSeconds: 1, quotas });
}

function totalLimitError(): DomainError {
  const message = "The requests in progress of all callers have reached the limit of body bytes; retry in a moment.";
  return new DomainError("unavailable", "body-capacity-reached", message, { retryAfterSeconds: 1 });
}
