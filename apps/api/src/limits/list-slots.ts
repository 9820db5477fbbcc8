import { createSemaphore, DomainError, fairPolicy, type Semaphore } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";
import type { ProblemCode } from "@reports/core/wire";
import { everySeries, type Metrics } from "@reports/runtime";
import { CallerLeftError } from "../endpoint/caller-left-error.ts";
import { createSlots } from "./slots.ts";

/** The slots of running lists, each of which may cost the database any amount up to its deadline. */
export interface ListSlots {
  /**
   * Reads a list in a slot of the principal, as soon as a connection is free. Rejects with RateLimitedError if the principal has no slot,
   * DomainError("unavailable", "list-too-slow") if none is free in time, and the signal's reason.
   */
  run<T>(principalId: string, signal: AbortSignal, read: () => Promise<T>): Promise<T>;
}

interface ReadKind {
  readonly noun: "list" | "preview";
  readonly plural: "lists" | "previews";
  readonly tooMany: ProblemCode;
  readonly tooSlow: ProblemCode;
}

const listKind: ReadKind = { noun: "list", plural: "lists", tooMany: "too-many-lists", tooSlow: "list-too-slow" };

/** Previews and estimates have connections and turns separate from lists. */
export const previewKind: ReadKind = {
  noun: "preview",
  plural: "previews",
  tooMany: "too-many-previews",
  tooSlow: "preview-too-slow",
};

export interface ListLimits {
  /** Lists per principal, including waiting ones; 0 for no limit. */
  readonly perPrincipal: number;
  readonly connections: number;
  /** Longest time of a list. It waits as long as two others can take. */
  readonly deadlineMs: number;
}

const reasons = ["refused", "slow", "left"] as const;
/** For the cancel of a late list. */
const cancelMs = 1_000;
/** Waiting lists of all principals; each is an open request. */
const maxWaiting = 1_000;

/**
 * Makes the slots, and counts outcomes. Each principal reads one list at a time, in turns, so that nobody waits for others' many lists, and few
 * slow lists run together. docs/decisions/0033-turns-of-lists.md.
 */
export function createListSlots(
  { perPrincipal, connections, deadlineMs }: ListLimits,
  metrics: Metrics,
  kind: ReadKind = listKind,
): ListSlots {
  const { plural } = kind;
  const slots = createSlots({ perPrincipal, total: 0 }, (_, limit) => tooMany(kind, limit));
  const permits = createSemaphore<string>({
    // All are reserved for principals without one: one per principal.
    ...fairPolicy(connections, connections),
    maxWaiting,
    refuse: () => queueFull(kind),
  });
  const waitMs = 2 * (deadlineMs + cancelMs);
  const named = `${plural[0]!.toUpperCase()}${plural.slice(1)}`;
  metrics.polledGauge(
    { name: `reports_open_${plural}`, help: `${named} that are being read or are waiting for a connection.` },
    () => [{ value: slots.held }],
  );
  metrics.polledGauge(
    { name: `reports_waiting_${plural}`, help: `${named} that are waiting for a connection.` },
    () => [{ value: permits.waiting }],
  );
  const ended = metrics.counter({
    name: `reports_${plural}_unanswered_total`,
    help: `${named} that were not answered, by reason: refused (too many of one principal), slow (timed out), left (the caller disconnected).`,
    labels: ["reason"],
    series: everySeries({ reason: reasons }),
  });
  return {
    async run(principalId, signal, read) {
      let releaseSlot: (() => void) | undefined;
      let releasePermit: (() => void) | undefined;
      try {
        releaseSlot = slots.take(principalId);
        releasePermit = await acquireConnection(permits, principalId, {
          late: () => waitedTooLong(kind, waitMs),
          waitMs,
          signal,
        });
        return await read();
      } catch (error) {
        const reason = reasonOf(error, kind);
        if (reason !== null) ended.inc({ reason });
        throw error;
      } finally {
        releasePermit?.();
        releaseSlot?.();
      }
    },
  };
}

async function acquireConnection(
  permits: Semaphore<string>,
  principalId: string,
  { late, waitMs, signal }: { readonly late: () => DomainError; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<() => void> {
  // A cancellable timer: AbortSignal.timeout would stay until its time.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(late()), waitMs);
  try {
    return await permits.acquire(principalId, AbortSignal.any([signal, over.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown, { tooSlow }: ReadKind): (typeof reasons)[number] | null {
  if (error instanceof RateLimitedError) return "refused";
  if (error instanceof CallerLeftError) return "left";
  return error instanceof DomainError && error.code === tooSlow ? "slow" : null;
}

function waitedTooLong(kind: ReadKind, waitMs: number): DomainError {
  return noConnection(kind, `The ${kind.noun} waited ${waitMs / 1000} s for a database connection. Try again shortly.`);
}

function queueFull(kind: ReadKind): DomainError {
  return noConnection(
    kind,
    `${maxWaiting} ${kind.plural} are already waiting for a database connection. Try again shortly.`,
  );
}

function noConnection({ tooSlow }: ReadKind, message: string): DomainError {
  return new DomainError("unavailable", tooSlow, message, { retryAfterSeconds: 2 });
}

function tooMany({ tooMany: code, plural }: ReadKind, limit: number): RateLimitedError {
  return new RateLimitedError(
    code,
    `Limit of ${limit} concurrent ${plural} per caller reached; retry when one of them has been answered.`,
    {
      retryAfterSeconds: 1,
      quotas: [{ name: plural, limit, remaining: 0, windowSeconds: null, resetSeconds: null }],
    },
  );
}
