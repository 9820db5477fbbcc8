import { DomainError, RateLimitedError } from "@reports/core";
import type { Metrics } from "@reports/runtime";
import { CallerLeftError } from "../endpoint/caller-left-error.ts";
import { createSlots } from "./slots.ts";

/** The places of lists that are being read: a list may cost the database any amount up to its deadline. */
export interface ListSlots {
  /** Reads a list in a place of the principal's, which is free again however that ends. Rejects with RateLimitedError when none is free. */
  run<T>(principalId: string, read: () => Promise<T>): Promise<T>;
}

/** Makes the places, `perPrincipal` at this instance (0 for any number), and counts what becomes of lists. */
export function createListSlots(perPrincipal: number, metrics: Metrics): ListSlots {
  const slots = createSlots({ perPrincipal, total: 0 }, (_, limit) => tooMany(limit));
  metrics.polledGauge({ name: "open_lists", help: "Lists that are being read." }, () => [{ value: slots.held }]);
  const ended = metrics.counter({
    name: "lists_unanswered_total",
    help: "Lists that were not answered: refused, because their principal had too many (refused), given up after their time (slow), left by their caller (left).",
    labels: ["reason"],
  });
  return {
    async run(principalId, read) {
      let free: (() => void) | undefined;
      try {
        free = slots.take(principalId);
        return await read();
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== null) ended.inc({ reason });
        throw error;
      } finally {
        free?.();
      }
    },
  };
}

function reasonOf(error: unknown): "refused" | "slow" | "left" | null {
  if (error instanceof RateLimitedError) return "refused";
  if (error instanceof CallerLeftError) return "left";
  return error instanceof DomainError && error.code === "list-too-slow" ? "slow" : null;
}

function tooMany(limit: number): RateLimitedError {
  return new RateLimitedError(
    "too-many-lists",
    `${limit} of your lists are being read here already. Ask for the next one when one of them has been answered.`,
    {
      retryAfterSeconds: 1,
      quotas: [{ name: "lists", limit, remaining: 0, windowSeconds: null, resetSeconds: null }],
    },
  );
}
