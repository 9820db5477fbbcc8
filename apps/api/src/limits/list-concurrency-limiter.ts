import { createSemaphore, DomainError, createFairSemaphorePolicy, type Semaphore } from "@reports/core/base";
import { RateLimitedError } from "@reports/core/caller";
import type { ProblemCode } from "@reports/core/wire";
import { combineLabels, type Metrics } from "@reports/runtime";
import { CallerLeftError } from "../endpoint/caller-left-error.ts";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";

/** Limits the number of lists that run at the same time, because a slow list loads the database until its time limit. */
export interface ListConcurrencyLimiter {
  /**
   * Calls `read` when a database connection is free. Rejects with RateLimitedError at the principal's limit. Rejects with
   * DomainError("unavailable", "list-too-slow") if no connection becomes free in time. Rejects with the signal's reason if it aborts.
   */
  run<T>(principalId: string, signal: AbortSignal, read: () => Promise<T>): Promise<T>;
}

interface LimitNames {
  readonly noun: "list" | "preview";
  readonly plural: "lists" | "previews";
  readonly tooMany: ProblemCode;
  readonly tooSlow: ProblemCode;
}

const listLimitNames: LimitNames = {
  noun: "list",
  plural: "lists",
  tooMany: "too-many-lists",
  tooSlow: "list-too-slow",
};

export const previewLimitNames: LimitNames = {
  noun: "preview",
  plural: "previews",
  tooMany: "too-many-previews",
  tooSlow: "preview-too-slow",
};

export interface ListConcurrencyLimits {
  /** Maximum number of running and waiting lists per principal; 0 for no limit. */
  readonly perPrincipal: number;
  readonly connections: number;
  /** Maximum duration of a list, in milliseconds. A list waits for a database connection as long as two other lists may take. */
  readonly deadlineMs: number;
}

const failureReasons = ["refused", "slow", "left"] as const;
/** Time in ms that Postgres gets to cancel the statement of a list that has exceeded its time limit. */
const cancelTimeMs = 1_000;
const maxWaitingLists = 1_000;

/**
 * Creates the slots and registers their metrics. Each principal runs one list at a time, and principals take turns. So no principal waits for
 * many lists of another one, and few slow lists run at the same time. docs/decisions/0033-turns-of-lists.md.
 */
export function createListConcurrencyLimiter(
  { perPrincipal, connections, deadlineMs }: ListConcurrencyLimits,
  metrics: Metrics,
  terms: LimitNames = listLimitNames,
): ListConcurrencyLimiter {
  const { plural } = terms;
  const advice = "retry when one of them has been answered";
  const refusal = { code: terms.tooMany, quota: plural, counted: `concurrent ${plural}`, advice, retryAfterSeconds: 1 };
  const slots = createConcurrencyLimiter({ perPrincipal, total: 0 }, refusal);
  const permits = createSemaphore<string>({
    // Every connection is reserved for principals that use none, so each principal uses at most one.
    ...createFairSemaphorePolicy(connections, connections),
    maxWaiting: maxWaitingLists,
    refuse: () => fullError(terms),
  });
  const waitMs = 2 * (deadlineMs + cancelTimeMs);
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
    series: combineLabels({ reason: failureReasons }),
  });
  return {
    async run(principalId, signal, read) {
      let releaseSlot: (() => void) | undefined;
      let releasePermit: (() => void) | undefined;
      try {
        releaseSlot = slots.acquire(principalId);
        releasePermit = await acquireConnection(permits, principalId, {
          late: () => timeoutError(terms, waitMs),
          waitMs,
          signal,
        });
        return await read();
      } catch (error) {
        const reason = classifyFailure(error, terms);
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
  // The timer of this controller is cleared when the list ends. An AbortSignal.timeout would stay in memory until its time is over.
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(late()), waitMs);
  try {
    return await permits.acquire(principalId, AbortSignal.any([signal, over.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function classifyFailure(error: unknown, { tooSlow }: LimitNames): (typeof failureReasons)[number] | null {
  if (error instanceof RateLimitedError) return "refused";
  if (error instanceof CallerLeftError) return "left";
  return error instanceof DomainError && error.code === tooSlow ? "slow" : null;
}

function timeoutError(terms: LimitNames, waitMs: number): DomainError {
  return busyError(terms, `The ${terms.noun} waited ${waitMs / 1000} s for a database connection. Try again shortly.`);
}

function fullError(terms: LimitNames): DomainError {
  return busyError(
    terms,
    `${maxWaitingLists} ${terms.plural} are already waiting for a database connection. Try again shortly.`,
  );
}

function busyError({ tooSlow }: LimitNames, message: string): DomainError {
  return new DomainError("unavailable", tooSlow, message, { retryAfterSeconds: 2 });
}
